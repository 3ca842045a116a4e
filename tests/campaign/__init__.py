"""A campaign against Linnet: fuzzed files, kills, hostile models, nonsense commands, concurrent jobs, faults.

It is no part of the default tests: `python -m tests.campaign --seed 1 --minutes 10`, or `make campaign`.
docs/reliability.md has the promises that it tests.
"""
