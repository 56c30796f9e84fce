# SPDX-License-Identifier: MIT
# A bare Debian system in a folder, for scripts that source this; needs root,
# debootstrap and a mirror of Debian. `set -eu` and the root of the tree as the
# working folder are the caller's.
#
#     bare_begin SUITE FOLDER   makes it if it is not there, and mounts what it
#                               needs, until the script ends
#     in_it COMMAND...          runs a command in it
bare_begin() {
  suite=$1 folder=$2
  if [ ! -e "$folder/etc/debian_version" ]; then
    command -v debootstrap >/dev/null || apt-get install -y -q debootstrap
    # A suite that is newer than debootstrap is made as the newest is.
    script=/usr/share/debootstrap/scripts/$suite
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    debootstrap --variant=minbase "$suite" "$folder" \
      http://deb.debian.org/debian "$script"
  fi
  trap bare_end EXIT
  trap 'exit 1' HUP INT TERM # so that it ends like that, too
  bare_end
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
  echo 'Acquire::Check-Valid-Until "false";' \
    >"$folder/etc/apt/apt.conf.d/99still"
  in_it apt-get update -q
}

bare_end() {
  for at in proc sys dev/pts dev/shm dev; do
    umount "$folder/$at" 2>/dev/null || true
  done
}

in_it() {
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive "$@"
}
