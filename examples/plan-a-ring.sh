#!/usr/bin/env bash
# From a design file to the plan of its builder: the place of each cable, every address and route.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

linkwright plan --quiet examples/home-ring.yaml -o "$folder/plan"
for file in cables interfaces routes hosts; do
  echo "== $file.csv"
  cat "$folder/plan/$file.csv"
done
