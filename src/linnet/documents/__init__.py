"""Documents, spans, tokens and sentences, independent of files, tags and networks."""
