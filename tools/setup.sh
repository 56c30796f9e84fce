#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing to build and test Heddle, on Debian and its
# relatives: each need is a thing to find, the package that has it and what it
# is for. Finds everything: prints nothing and changes nothing.
#
#     tools/setup.sh          what a build needs
#     tools/setup.sh test     the same and what only tests use: they skip what
#                             they cannot do when it cannot be installed
#     tools/setup.sh lint     the first and clang-format
#     tools/setup.sh deb|tar  the first and what packs it, for make deb and
#                             make tarball
#     tools/setup.sh nightly  the first and csmith, for make nightly
# Tests need clang-tidy too: warnings are failures.
set -eu

missing=
note() {
  missing="$missing $1"
  printf 'setup: %-16s %s\n' "$1" "$2"
}
has() {
  command -v "$1" >/dev/null 2>&1
}
has_file() { # any of the given paths, which may be patterns
  for f in "$@"; do
    if [ -e "$f" ]; then return 0; fi
  done
  return 1
}
as_root=
if [ "$(id -u)" -ne 0 ]; then as_root=sudo; fi
lib='/usr/lib/*-linux-gnu /usr/lib64 /usr/lib'
has_lib() {
  for dir in $lib; do
    if [ -e "$dir/$1" ]; then return 0; fi
  done
  return 1
}

# A rustc on the path whose LLVM is not newer than ours.
has_rustc() {
  for dir in $(echo "$PATH" | tr : ' '); do
    version=$("$dir/rustc" -vV 2>/dev/null |
      sed -n 's/^LLVM version: *\([0-9]*\).*/\1/p')
    if [ "${version:-99}" -le "$llvm" ]; then return 0; fi
  done
  return 1
}
# The packages of Rust 1.85, which has LLVM 19; in Debian 12 that is not the
# newest version of its package.
rust_packages() {
  for name in rustc-web rustc; do
    version=$(apt-cache madison $name 2>/dev/null |
      sed -n 's/.* \(1\.85\.[^ ]*\) .*/\1/p' | head -n 1)
    if [ -n "$version" ]; then
      echo "$name=$version libstd-rust${name#rustc}-dev=$version"
      return
    fi
  done
}

has gcc || has cc || note gcc 'compiles Heddle'
has_file /usr/include/stdio.h || note libc6-dev 'headers of the C library'
has make || note make 'runs the Makefile'
has meson || note meson 'build system'
has ninja || note ninja-build 'runs the build'
has pkg-config || note pkg-config 'finds libraries'
has python3 || note python3 'runs the tests'
# clang and LLVM of one major version: one that is there as a whole, or the
# first that can be had (meson.build takes the same).
llvm=
for n in 19 20 21 22; do
  if [ -z "$llvm" ] && has clang-$n && has llvm-config-$n; then llvm=$n; fi
done
if [ -z "$llvm" ]; then
  llvm=19
  if has apt-get && has apt-cache; then
    $as_root apt-get update -q >/dev/null || true
    for n in 22 21 20 19; do
      if apt-cache show llvm-$n-dev >/dev/null 2>&1; then llvm=$n; fi
    done
  fi
  has clang-$llvm || note clang-$llvm 'turns the programs to check into bitcode'
  has llvm-config-$llvm || note llvm-$llvm-dev 'reads the bitcode'
fi
has_file /usr/include/c++/*/atomic || note g++ 'headers of C++, to check C++ programs'
has_lib libzstd.so || note libzstd-dev 'used by LLVM'
has_lib libz.so || note zlib1g-dev 'used by LLVM'
has_lib libtinfo.so || note libtinfo-dev 'used by LLVM'
if [ "${1:-}" = lint ]; then
  has clang-format || note clang-format 'checks the format of the code'
fi
if [ "${1:-}" = lint ] || [ "${1:-}" = test ]; then
  has clang-tidy-$llvm || note clang-tidy-$llvm 'warns of mistakes'
fi
if [ "${1:-}" = deb ] || [ "${1:-}" = tar ]; then
  has strip || note binutils 'makes the packed program small'
fi
if [ "${1:-}" = deb ]; then
  has dpkg-shlibdeps || note dpkg-dev 'says which packages a package needs'
fi
if [ "${1:-}" = tar ]; then
  has xz || note xz-utils 'packs the tarball'
fi
needed=$missing
missing=
if [ "${1:-}" = test ]; then
  has git || note git 'applies the patches of heddle optimize'
  has_file /usr/lib/llvm-$llvm/include/c++/v1/atomic ||
    note libc++-$llvm-dev 'headers of LLVM'"'"'s library of C++'
  has valgrind || note valgrind 'counts what costs'
  has dot || note graphviz 'draws the pictures of --dot'
  has_lib pkgconfig/ompi-c.pc ||
    note libopenmpi-dev 'several processes explore together (--mpi)'
  has mpirun || note openmpi-bin 'starts these processes'
  has chromium || note chromium 'opens the pages of --html'
  has chromedriver || note chromium-driver 'moves around in them'
fi
if [ "${1:-}" = nightly ]; then
  has csmith || note csmith 'writes random C programs'
  has_file /usr/include/csmith*/csmith.h ||
    note libcsmith-dev 'what these programs include'
fi
wanted=$missing
rust=
if [ "${1:-}" = test ] && ! has_rustc; then
  rust=1
  printf 'setup: %-16s %s\n' rustc 'compiles Rust, to check Rust programs'
fi
[ -n "$needed$wanted$rust" ] || exit 0

if ! has apt-get; then
  [ -n "$needed" ] || exit 0
  echo 'setup: the packages above (by their names in Debian) are missing and' \
    'there is no apt-get here: please install them and run make again' >&2
  exit 1
fi
if [ -n "$as_root" ] && ! has "$as_root"; then
  echo "setup: not root and no sudo; as root: apt-get install$needed$wanted" >&2
  [ -z "$needed" ] || exit 1
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
install() {
  echo "setup: installing with apt-get:$*"
  # shellcheck disable=SC2048,SC2086 # a list of words
  $as_root apt-get install -y -q --no-install-recommends $*
}
if [ -n "$needed" ]; then
  $as_root apt-get update -q
  install "$needed"
else
  $as_root apt-get update -q || true
fi
if [ -n "$wanted" ]; then
  install "$wanted" ||
    echo "setup: could not install$wanted: some tests are skipped" >&2
fi
# What was built before looks again for what is there now (libc++, Open MPI).
for dir in build build-*; do
  if [ -e "$dir/build.ninja" ] && [ -n "$needed$wanted" ]; then
    meson setup --reconfigure "$dir" >/dev/null || true
  fi
done
if [ -n "$rust" ]; then # by itself: another Rust may stand in its way
  rust=$(rust_packages)
  { [ -n "$rust" ] && install "$rust"; } ||
    echo 'setup: could not install Rust 1.85: its tests are skipped' >&2
fi
