"""The web service of `linnet serve`: models, formats and annotation tools over HTTP."""
