#!/usr/bin/env bash
# Four mini PCs that a ring of USB4 and a switch connect: price, proof, cables, routes of one node,
# and what a transfer takes between neighbours and across the ring. The same cables as a table make
# the same design.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
design=examples/usb4-ring-and-lan.yaml

linkwright plan --quiet "$design" -o "$folder/plan"
cut -d , -f 1-4,8 "$folder/plan/bom.csv"
cat "$folder/plan/cables.csv"
grep -e ^node, -e ^pve1, "$folder/plan/routes.csv"
linkwright check "$design"
for destination in 1 2; do
    echo "== 64 KiB from pve1 to pve$((destination + 1))"
    linkwright simulate "$design" -w ping-pong --set size_bytes=65536 --set dst=$destination \
        --format json | python3 -c '
import json, sys
for row in json.load(sys.stdin):
    if row["metric"] in ("latency", "throughput"):
        print("  {metric:<10} {value:.4g} {unit}".format(**row))'
done
echo "== imported"
linkwright import "$folder/plan/cables.csv" --switch lan
