"""Runs the command line as `python -m linnet`."""

from linnet.cli.main import main

if __name__ == "__main__":
    main()
