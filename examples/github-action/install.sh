#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the package that PACKAGE names, a URL or a path. A job in a container
# is root, without sudo, and has no curl; a runner's own machine is the other
# way round.
set -euo pipefail
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
package=${RUNNER_TEMP:-/tmp}/heddle.deb
as_root apt-get update -q
case ${PACKAGE:?which package?} in
http*)
  command -v curl >/dev/null ||
    as_root apt-get install -y -q --no-install-recommends curl ca-certificates
  curl -fsSL -o "$package" "$PACKAGE"
  ;;
*) cp "$PACKAGE" "$package" ;;
esac
as_root apt-get install -y -q --no-install-recommends "$package"
heddle doctor
