"""Reference pages, made from the code when the site is built, so that they cannot differ from it."""
