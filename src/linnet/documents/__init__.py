"""Documents and what is marked in them; nothing here knows files, tags or networks."""
