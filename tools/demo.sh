#!/bin/sh
# SPDX-License-Identifier: MIT
# The first look at Heddle: a correct program, then one with a bug that only a
# weak memory model shows. Finding that bug is what has to happen, so the
# second check must end with exit code 1.
set -u
heddle=$1
cd "$(dirname "$0")/.."

show() {
  printf '\n$ heddle check %s\n' "$1"
  "$heddle" check "$1"
}

show examples/mp-ok.c || exit 1
show examples/mp-relaxed.c
code=$?
if [ "$code" -ne 1 ]; then
  echo "demo: expected exit code 1 (an error was found), got $code" >&2
  exit 1
fi
printf '\nThat error is the point of the demo: see examples/mp-relaxed.c.\n'
