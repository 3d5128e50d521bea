#!/usr/bin/env bash
# A switch of the 4x4 P-Mesh failed: the changes on its nodes today, a proof of them, and the
# changes back when the new switch is in. The how-to docs/how-to/replace-a-part.md explains it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
design=examples/whitney-16.yaml
linkwright plan "$design" -o "$folder/whole" --quiet

echo "== without x2: how many routes change on each node"
linkwright plan "$design" --without x2 -o "$folder/left" --quiet
echo "== of n00, which has never been on x2"
grep -e '^node,' -e '^n00,' "$folder/left/changes.csv"
echo "== of n08, which has lost a NIC"
grep -e '^n08,' "$folder/left/changes.csv"
echo "== is what is left sound?"
linkwright check "$design" --without x2 --format csv
echo "== the new switch is in: back to the whole plan"
linkwright plan "$design" --diff "$folder/left" --format csv | grep -e '^table,' -e ',n00,'
