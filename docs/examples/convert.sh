#!/usr/bin/env bash
# Convert a PubTator file to other formats. Run from the root of the project; results go into a new folder.
set -euo pipefail
sample=$PWD/docs/examples/sample.pubtator
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

linnet convert "$sample" sample.jsonl
linnet convert sample.jsonl sample.xml --to bioc-xml
linnet convert sample.xml sample-brat --to brat
linnet convert sample-brat sample.tsv --lossy # one token per line: ids, relations and passages are lost
head -n 7 sample.tsv
