#!/bin/bash
# SPDX-License-Identifier: MIT
# A check by N processes that goes on from its checkpoint when one of them is
# lost (killed, out of memory, hung), with or without Slurm:
#
#     mpi.sh N FILE [OPTIONS] [-- CLANG-FLAGS]
#
# What is explored is in heddle.ckpt, and the report in heddle.out. Whoever asks
# it to end (TERM, INT) can start it again, and it goes on. It gives up when
# three processes in a row are lost before anything more was saved.
# MPIRUN_OPTIONS: what this machine needs beside (--oversubscribe, ...).
set -u
# So long mpirun waits for the others; a last checkpoint takes less.
export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-10}
n=$1
shift
saved=heddle.ckpt
trap 'ends=1; kill -TERM "$mpirun"' TERM INT
last_change() { stat -c %y "$saved" 2> /dev/null; }

in_vain=0
while [ "$in_vain" -lt 3 ]; do
  before=$(last_change)
  resume=()
  if [ -e "$saved" ]; then resume=(--resume "$saved"); fi
  rm -f heddle.out
  # shellcheck disable=SC2086 # a list of words
  mpirun ${MPIRUN_OPTIONS:-} -n "$n" heddle check --mpi --checkpoint "$saved" \
    --output heddle.out "${resume[@]}" "$@" &
  mpirun=$!
  wait "$mpirun"
  code=$?
  if [ "${ends:-}" ]; then
    wait "$mpirun" # the first wait ended with the signal
    exit "$code"
  fi
  # An answer, bad input, a limit, a fault of Heddle. Else mpirun says what it
  # has ended a process with, or Heddle which one does not answer.
  case $code in
    0 | 1 | 2 | 70) exit "$code" ;;
    3) grep -q 'does not answer' heddle.out || exit 3 ;;
  esac
  echo "mpi.sh: a process was lost (exit code $code)" >&2
  in_vain=$((in_vain + 1))
  if [ "$(last_change)" != "$before" ]; then in_vain=0; fi
done
exit "$code"
