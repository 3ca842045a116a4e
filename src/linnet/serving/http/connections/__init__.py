"""Connections of the web service: clients that are slow, and requests that are cut off when it ends."""
