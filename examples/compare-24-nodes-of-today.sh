#!/usr/bin/env bash
# The possible networks of 24 computers from parts sold today: each row is built from the cheapest
# parts that fit together and have the ports; the others are listed with the reason.
set -euo pipefail

linkwright compare --quiet --nodes 24 --catalogue ethernet-2026 --workload barrier --format table
