#!/usr/bin/env bash
# Proves a design without a run, then shows the error of a design that cannot be built: a P-Mesh of
# 130 x 130 nodes needs more ports per line than the switch part has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

linkwright check --quiet examples/whitney-16.yaml

cat >"$folder/too-wide.yaml" <<'YAML'
name: too-wide
topology: {kind: p-mesh, shape: [130, 130]}
parts: {catalogue: whitney-1998}
YAML
cd "$folder"
linkwright check --quiet too-wide.yaml 2>&1 || echo "exit code $?"
