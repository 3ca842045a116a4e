#!/usr/bin/env bash
# The worked example of linking in docs/scoring.md. Run from the root of the project.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
linnet vocabulary build docs/examples/linking/diseases.tsv --output "$work/diseases" > "$work/stats.txt"
evaluate() {
    linnet evaluate "$work/diseases" docs/examples/linking/gold.pubtator --documents docs/examples/linking/found.pubtator
}
evaluate | tail -n +3 # without the line that names the temporary folder
