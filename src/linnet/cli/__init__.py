"""The command line: arguments and exit codes only; the work is done elsewhere."""
