# Sourced by the scripts of tutorials: a folder with the design, and commands that are shown before
# their output. Needs what `linkwright emulate` needs.
set -euo pipefail
here=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export COLUMNS=160 NO_COLOR=1

design() { cp "$here/examples/$1" .; }
section() { echo "== $1"; }
run() { echo "\$ $1"; eval "$1" 2>&1; }
