#!/bin/sh
# SPDX-License-Identifier: MIT
# Packages of what is in this tree, made without any tool that a build does not
# need, in dist/:
#
#     tools/package.sh deb    heddle_VERSION_ARCH.deb, for the Debian it is
#                             made on; lintian looks at it, if it is there.
#                             DEBFULLNAME and DEBEMAIL say who made it
#     tools/package.sh tar    heddle-VERSION-linux-MACHINE.tar.xz: unpack it
#                             anywhere; it needs clang of the version that it
#                             was built with, and glibc, and nothing else
#
# Both have a build folder of their own, so that yours stays as it is.
set -eu
cd "$(dirname "$0")/.."

kind=${1:?what? deb or tar}
version=$(sed -n "s/^ *version: '\([0-9.]*\)',$/\1/p" meson.build)
build=build-$kind
# The paths of this machine have no place in a package.
case $kind in
deb) prefix=/usr ;;
tar) prefix=/opt/heddle ;;
*) echo "package.sh: deb or tar, not $kind" >&2 && exit 2 ;;
esac
mkdir -p dist
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

[ -e "$build/build.ninja" ] ||
  meson setup "$build" --prefix "$prefix" --strip >/dev/null
# What is installed; the tests are not.
meson introspect --targets "$build" | python3 -c '
import json, os, sys
for target in json.load(sys.stdin):
    if target["installed"]:
        for name in target["filename"]:
            print(os.path.relpath(name, sys.argv[1]))' "$PWD/$build" |
  xargs ninja -C "$build" --quiet
meson install -C "$build" --no-rebuild --quiet --destdir "$root"
llvm=$("$build/heddle" --version | sed -n 's/^LLVM *\([0-9]*\).*/\1/p')
# bitcode has nothing for strip, which would only complain
strip --strip-unneeded "$root$prefix/bin/heddle" \
  "$root$prefix/share/heddle/"*.so

if [ "$kind" = tar ]; then
  name=heddle-$version-linux-$(uname -m)
  mv "$root$prefix" "$root/$name"
  cp LICENSE README.md "$root/$name"
  tar -C "$root" --sort=name --owner=0 --group=0 -cJf "dist/$name.tar.xz" "$name"
  echo "dist/$name.tar.xz: needs clang-$llvm"
  exit
fi

# Debian keeps files that are for one machine out of /usr/share.
mv "$root/usr/share/heddle" "$root/usr/lib-heddle"
mkdir -p "$root/usr/lib"
mv "$root/usr/lib-heddle" "$root/usr/lib/heddle"
ln -s ../lib/heddle "$root/usr/share/heddle"
chmod 644 "$root/usr/lib/heddle/"*.so
# Manual pages and changelogs are compressed, without the time.
doc=$root/usr/share/doc/heddle
gzip -9n "$root/usr/share/man/man1/heddle.1"
cp packaging/copyright "$doc/copyright"
maintainer="${DEBFULLNAME:-Heddle} <${DEBEMAIL:-packages@heddle.invalid}>"
sed "s/@VERSION@/$version/; s/@MAINTAINER@/$maintainer/" packaging/changelog |
  gzip -9n >"$doc/changelog.gz"
mkdir -p "$root/usr/share/lintian/overrides"
cp packaging/lintian-overrides "$root/usr/share/lintian/overrides/heddle"

# What the program is linked with says which packages it needs. (Open MPI,
# which mpi.so is linked with, is for one option: it is suggested.)
mkdir -p "$root/work/debian" "$root/DEBIAN"
printf 'Source: heddle\n\nPackage: heddle\nArchitecture: any\n' \
  >"$root/work/debian/control"
libraries=$(cd "$root/work" && dpkg-shlibdeps -O "$root/usr/bin/heddle" \
  "$root/usr/lib/heddle/watch.so" 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')
rm -r "$root/work"
if [ -z "$libraries" ]; then
  echo "package.sh: dpkg-shlibdeps does not say what is needed" >&2 && exit 1
fi
arch=$(dpkg --print-architecture)
size=$(du -sk "$root/usr" | cut -f1)
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/
     s/@MAINTAINER@/$maintainer/; s/@DEPENDS@/$libraries, clang-$llvm/" packaging/control \
  >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
find "$root/usr" -type d -exec chmod 755 {} +
chmod 755 "$root"
deb=dist/heddle_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb"
if command -v lintian >/dev/null; then
  lintian --fail-on error,warning "$deb"
fi
