#!/usr/bin/env bash
# The class weights of two schemes on the embedded corpus.
set -euo pipefail
exec 2>&1 # print warnings among the tables
linnet weights demo --scheme welt
linnet weights demo --scheme ens --beta 0.9
