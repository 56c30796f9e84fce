#!/bin/sh
# SPDX-License-Identifier: MIT
# `make lint`: the format, the layers, clang-tidy when it is installed, and
# builds with gcc and clang in which a warning is an error.
set -eu
cd "$(dirname "$0")/.."
failed=0
step() {
  name=$1
  shift
  if "$@" >lint.log 2>&1; then
    echo "lint: $name: ok"
  else
    failed=1
    echo "lint: $name: FAILED"
    tail -n 60 lint.log
  fi
  rm -f lint.log
}
find_tool() { # the newest of the given names that exists
  for tool in "$@"; do
    if command -v "$tool" >/dev/null 2>&1; then
      echo "$tool"
      return
    fi
  done
}
build() { # compiler
  rm -rf "build-lint-$1"
  CC=$1 meson setup "build-lint-$1" --werror && ninja -C "build-lint-$1"
}

sources=$(find src tests rt include examples -name '*.[ch]')
format=$(find_tool clang-format-19 clang-format)
# shellcheck disable=SC2086 # a list of files
step format "$format" --dry-run --Werror $sources
step layers python3 tools/layers.py
step 'warnings (gcc)' build gcc
step 'warnings (clang)' build clang-19
# Older ones do not understand all of the code.
tidy=$(find_tool clang-tidy-19)
if [ -n "$tidy" ]; then
  # shellcheck disable=SC2046 # a list of files
  step clang-tidy "$tidy" --quiet -p build-lint-clang-19 $(find src -name '*.c')
else
  echo "lint: clang-tidy-19: not installed, left out"
fi
exit $failed
