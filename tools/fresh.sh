#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the two commands of the README work on a machine that has never seen
# Heddle? Makes a bare Debian system in a folder, puts what is committed there,
# and runs them in it. Needs root, debootstrap and a mirror of Debian; takes
# half an hour.
#
#     tools/fresh.sh bookworm|trixie|forky [FOLDER [TARGET...]]
#
# FOLDER (/var/tmp/heddle-SUITE) is made if it is not there and kept, so that a
# second run is cheaper: remove it for a system that is really new. TARGET is
# what make is asked for (demo test).
set -eu
cd "$(dirname "$0")/.."
. tools/bare.sh

suite=${1:?which suite? bookworm, trixie or forky}
folder=${2:-/var/tmp/heddle-$suite}
if [ $# -gt 2 ]; then shift 2; else set -- demo test; fi

bare_begin "$suite" "$folder"
in_it apt-get install -y -q --no-install-recommends make
rm -rf "$folder/heddle"
mkdir "$folder/heddle"
git archive HEAD | tar -x -C "$folder/heddle"
for target; do
  echo "== $suite: make $target"
  in_it make -C /heddle --no-print-directory "$target"
done
