#!/usr/bin/env bash
# From a table of names to linked mentions, the example of docs/linking.md. Run from the root of the project.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
linnet vocabulary build docs/examples/linking/diseases.tsv --output "$work/diseases" > "$work/stats.txt"
linnet vocabulary search "$work/diseases" "renal failure" --top 2
linnet link docs/examples/linking/found.pubtator --vocabulary "$work/diseases" --output - --to pubtator
