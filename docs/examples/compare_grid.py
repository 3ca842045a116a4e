"""Print the results of a grid: python docs/examples/compare_grid.py GRID.toml (makes the runs that are missing)."""

import sys

import linnet

if __name__ == "__main__":  # workers are processes that read this file as well
    results = linnet.compare(sys.argv[1], workers=2)
    for cell in results.cells:
        print(dict(cell.place), dict(cell.choice), dict(cell.score_by_seed))
    for comparison in results.comparisons:
        print(comparison.sentence)
