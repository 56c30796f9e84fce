#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the two commands of the README work on a machine that has never seen
# Heddle? Makes a bare Debian system in a folder, puts what is committed there,
# and runs them in it. Needs root, debootstrap and a mirror of Debian; takes
# half an hour.
#
#     tools/fresh.sh bookworm|trixie|forky [FOLDER [TARGET...]]
#
# FOLDER (/var/tmp/heddle-SUITE) is made if it is not there and kept, so that a
# second run is cheaper: remove it for a system that is really new. TARGET is
# what make is asked for (demo test).
set -eu
cd "$(dirname "$0")/.."

suite=${1:?which suite? bookworm, trixie or forky}
folder=${2:-/var/tmp/heddle-$suite}
if [ $# -gt 2 ]; then shift 2; else set -- demo test; fi

if [ ! -e "$folder/etc/debian_version" ]; then
  command -v debootstrap >/dev/null || apt-get install -y -q debootstrap
  # A suite that is newer than debootstrap is made as the newest is.
  script=/usr/share/debootstrap/scripts/$suite
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  debootstrap --variant=minbase "$suite" "$folder" \
    http://deb.debian.org/debian "$script"
fi

in_it() {
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive "$@"
}
unmount() {
  for at in proc sys dev/pts dev/shm dev; do
    umount "$folder/$at" 2>/dev/null || true
  done
}
trap unmount EXIT
unmount
mount --bind /dev "$folder/dev"
mount -t proc proc "$folder/proc"
mount --bind /sys "$folder/sys" # Open MPI asks it for processors
mount -t tmpfs tmpfs "$folder/dev/shm"
mount --bind /dev/pts "$folder/dev/pts" # tests open terminals
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# What this machine needs to reach the mirror.
if [ -d /etc/apt/apt.conf.d ]; then
  cp /etc/apt/apt.conf.d/*prox* "$folder/etc/apt/apt.conf.d/" 2>/dev/null ||
    true
fi

# A mirror that stands still is expired some day: that is no fault of ours.
echo 'Acquire::Check-Valid-Until "false";' >"$folder/etc/apt/apt.conf.d/99still"

in_it apt-get update -q
in_it apt-get install -y -q --no-install-recommends make
rm -rf "$folder/heddle"
mkdir "$folder/heddle"
git archive HEAD | tar -x -C "$folder/heddle"
for target; do
  echo "== $suite: make $target"
  in_it make -C /heddle --no-print-directory "$target"
done
