#!/usr/bin/env bash
# What two schemes make of the embedded corpus.
set -euo pipefail
exec 2>&1 # warnings among the tables, not apart from them
linnet weights demo --scheme welt
linnet weights demo --scheme ens --beta 0.9
