#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks a program by an array of jobs:
#
#     array.sh PARTS FILE [OPTIONS] [-- CLANG-FLAGS]
#
# Options for sbatch can be given in SBATCH_OPTIONS ("--partition long").
set -eu
here=$(cd "$(dirname "$0")" && pwd)
parts=$1
shift
work=heddle-parts
mkdir -p "$work"
rm -f "$work"/part.*

# An error, or a search so small that it is over, is reported at once.
heddle split --parts "$parts" --into "$work/part" "$@" || exit
[ -e "$work/part.1" ] || exit 0

# shellcheck disable=SC2086 # a list of words
array=$(sbatch --parsable ${SBATCH_OPTIONS:-} --array="1-$parts" \
  --output="$work/log.%a" "$here/part.sbatch" "$work/part")
# shellcheck disable=SC2086
sbatch ${SBATCH_OPTIONS:-} --dependency="afterany:$array" \
  --output="$work/log.merge" "$here/merge.sbatch" "$parts" "$@"
