#!/bin/sh
# SPDX-License-Identifier: MIT
# Does the package work on a machine that has never seen Heddle? Puts it and the
# examples into a bare Debian system in a folder, and there does what they say:
# what the GitHub action does, in a job in a container; what .gitlab-ci.yml
# does; the checks of the project by make, CMake and Meson; a program from
# standard input by a user without a home. Then it removes the package again.
# Needs root, debootstrap and a mirror of Debian; takes two minutes.
#
#     tools/fresh_package.sh SUITE [PACKAGE]
#
# PACKAGE is what `make deb` made there; without it, it is made (fresh.sh).
set -eu
cd "$(dirname "$0")/.."
. tools/bare.sh

suite=${1:?which suite? bookworm, trixie or forky}
if [ $# -lt 2 ]; then
  tools/fresh.sh "$suite" "/var/tmp/heddle-$suite" deb
  set -- "$suite" "/var/tmp/heddle-$suite/heddle/dist/"heddle_*.deb
fi
new=/var/tmp/heddle-$suite-new
rm -rf --one-file-system "$new"
bare_begin "$suite" "$new"
mkdir "$new/work"
cp "$2" "$new/work/heddle.deb"
cp -r examples/project examples/github-action "$new/work"

echo "== $suite: the GitHub action"
in_it env PACKAGE=/work/heddle.deb /work/github-action/install.sh
in_it sh -c 'cd /work/project && TESTS=. SARIF_OF=ring_check.c \
  GITHUB_OUTPUT=/work/output OPTIONS="--jobs 0 --max-wall 60" \
  ../github-action/run.sh && grep -q sarif=heddle.sarif /work/output'
echo "== $suite: GitLab"
in_it sh -c 'cd /work/project && heddle test --jobs 0 --junit h.xml . &&
  grep -q "<testsuite" h.xml'
echo "== $suite: a project by make, CMake and Meson"
in_it apt-get install -y -q --no-install-recommends \
  cmake gcc libc6-dev make meson >/dev/null
in_it sh -c 'cd /work/project && make -s check && cmake -B c >/dev/null &&
  ctest --test-dir c && meson setup m >/dev/null && meson test -C m'
echo "== $suite: a user without a home"
in_it sh -c 'cat >/work/a.c; chroot --userspec=1234:1234 / \
  env -i PATH=/usr/bin heddle check - </work/a.c' <examples/mp-ok.c
echo "== $suite: removed"
in_it apt-get remove -y -q heddle >/dev/null
in_it sh -c '! test -e /usr/bin/heddle && ! test -e /usr/lib/heddle'
bare_end
rm -rf --one-file-system "$new"
echo "$suite: the package works"
