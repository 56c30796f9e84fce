#!/bin/sh
# SPDX-License-Identifier: MIT
# A step of a check in many jobs: step.sh split N FILE... | run I | merge
set -eu
step=$1
shift
case $step in
split)
  mkdir -p parts
  # An error, or the end, comes here already if the search is small.
  code=0
  parts=$1
  shift
  heddle split --parts "$parts" --into parts/part "$@" || code=$?
  [ -e parts/part.1 ] || touch parts/over
  exit "$code"
  ;;
run)
  [ ! -e parts/over ] || exit 0
  # 3: it is not finished, which merge says. Errors (1) are reported there too.
  heddle run --quiet --jobs 0 --max-wall "${TIME:-3000}" "parts/part.$1" ||
    [ $? -ne 2 ]
  ;;
merge)
  [ ! -e parts/over ] || exit 0
  exec heddle merge --format "${FORMAT:-text}" parts/part.*
  ;;
*)
  echo "step.sh split N FILE... | run I | merge" >&2
  exit 2
  ;;
esac
