"""Inputs of a job: files, folders and standard input, in any document format or as plain text."""
