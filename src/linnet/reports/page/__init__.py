"""Web pages in one file, and the css and js files that they share."""
