#!/usr/bin/env bash
# The worked example of docs/scoring.md. Run from the root of the project.
set -euo pipefail
linnet score docs/examples/gold.tsv docs/examples/predicted.tsv --resamples 0
