#!/usr/bin/env bash
# Three mini PCs in a ring: the cost of every single failure, as a table and as a page to click on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

linkwright check examples/home-ring.yaml
linkwright check examples/home-ring.yaml --quiet -o "$folder/home-ring.html" > "$folder/table"
