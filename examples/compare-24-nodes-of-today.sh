#!/usr/bin/env bash
# Which networks 24 computers can have from parts that are sold today: each row is built from the
# cheapest parts that go together and have the ports; what cannot be built is named with its reason.
set -euo pipefail

linkwright compare --quiet --nodes 24 --catalogue ethernet-2026 --workload barrier --format table
