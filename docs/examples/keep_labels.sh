#!/usr/bin/env bash
# Keep some labels, the example of docs/formats.md. Run from the root of the project.
set -euo pipefail
exec 2>&1 # notes go to standard error
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
sample=$PWD/docs/examples/sample.pubtator
cd "$work"
linnet convert "$sample" diseases.jsonl --keep-labels Disease --map Disease=Disorder
linnet convert "$sample" findings.jsonl --map Disease=Finding --map Chemical=Finding # several labels become one
