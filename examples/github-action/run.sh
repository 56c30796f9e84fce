#!/bin/bash
# SPDX-License-Identifier: MIT
# What the action does once Heddle is installed. Its settings are variables of
# the environment, so nothing of them is taken for a command.
set -uo pipefail
read -r -a options <<<"${OPTIONS:-}"
read -r -a tests <<<"${TESTS:-.}"
code=0

if [ -n "${SARIF_OF:-}" ]; then
  read -r -a files <<<"$SARIF_OF"
  heddle check --all-errors --model "${MODEL:-rc11}" --sarif heddle.sarif \
    --format github "${files[@]}" || code=$?
  # Bad input leaves no report.
  if [ -e heddle.sarif ]; then
    echo 'sarif=heddle.sarif' >>"${GITHUB_OUTPUT:-/dev/stdout}"
  fi
fi
heddle test "${options[@]}" --format github "${tests[@]}" || code=$?
exit "$code"
