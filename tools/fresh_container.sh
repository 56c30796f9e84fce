#!/bin/sh
# SPDX-License-Identifier: MIT
# Does packaging/Containerfile build, and does the container check a program as
# its head says? Makes a bare Debian system in a folder, the base image of the
# same files, and builds there with buildah, which needs neither a daemon nor a
# registry. Needs root, debootstrap and a mirror of Debian; takes a quarter of
# an hour, most of it for the build of Heddle.
#
#     tools/fresh_container.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
. tools/bare.sh

folder=${1:-/var/tmp/heddle-container}
suite=$(sed -n 's/^FROM debian:\([a-z]*\)-slim AS build$/\1/p' \
  packaging/Containerfile)
rm -rf --one-file-system "$folder"
mkdir -p "$folder"
mount --bind "$folder" "$folder" # buildah wants / to be a mount
bare_begin "$suite" "$folder"
trap 'bare_end; umount "$folder"' EXIT
tar -C "$folder" --one-file-system -cf "/var/tmp/base-$$.tar" .
mv "/var/tmp/base-$$.tar" "$folder/base.tar"
mkdir "$folder/heddle" "$folder/work"
git archive HEAD | tar -x -C "$folder/heddle"
cp examples/mp-ok.c examples/mp-relaxed.c "$folder/work"
in_it apt-get install -y -q --no-install-recommends buildah netavark

# Without another storage driver, layers are copies of the files.
cat >"$folder/build" <<'END'
set -eu
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
base=$(buildah from scratch)
buildah add -q "$base" /base.tar /
buildah commit -q "$base" "docker.io/library/debian:$1-slim"
# Limits as they are: nobody may raise them here.
few="--pull-never --ulimit nofile=$(ulimit -n):$(ulimit -n)
  --ulimit nproc=$(ulimit -p):$(ulimit -p)"
buildah bud $few -t heddle -f packaging/Containerfile /heddle
box=$(buildah from $few localhost/heddle)
run() { buildah run --user "$1" -v /work:/work:ro "$box" -- heddle check "$2"; }
run 1234:1234 mp-ok.c
run root mp-relaxed.c >/out && exit 1
grep '\[assertion\]' /out
END
in_it sh -c "cd /heddle && sh /build $suite"
trap - EXIT
bare_end
umount "$folder"
rm -rf --one-file-system "$folder"
echo "$suite: the container works"
