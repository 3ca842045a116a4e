#!/usr/bin/env bash
# Compares the predictions of two toy taggers. Run from the root of the project.
set -euo pipefail
linnet compare-runs docs/examples/first docs/examples/second
