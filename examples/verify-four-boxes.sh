#!/usr/bin/env bash
# Four boxes with two cables in each other's ports: the findings, the moves, and the page for the
# rack; then the facts after the moves. The facts are recorded ones, shortened.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd examples

linkwright verify -q four-boxes.yaml --facts four-boxes-before.json || echo "exit code $?"
linkwright verify -q four-boxes.yaml --facts four-boxes-before.json \
  -o "$folder/verify.html" > "$folder/table" || test -s "$folder/verify.html"
linkwright verify -q four-boxes.yaml --facts four-boxes-after.json
