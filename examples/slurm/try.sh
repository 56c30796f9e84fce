#!/bin/bash
# SPDX-License-Identifier: MIT
# Both ways on a Slurm of one node, in a folder of its own: as root, with
# heddle on the path. Says "ok" if all reports agree.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
at=$(mktemp -d)
host=$(hostname -s)
program=$at/adders.c
end() {
  for file in "$at"/*.pid; do
    if [ -e "$file" ]; then kill "$(cat "$file")" || true; fi
  done
  if [ "${munged:-}" ]; then kill "$munged"; fi
}
trap end EXIT

cat > "$program" <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
C

# Whether a word is made of bytes is found out late, by each part.
late=$at/late.c
cat > "$late" <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static union { _Atomic unsigned w; _Atomic unsigned char b[4]; } u;
static void *write_all(void *to) {
  for (int i = 1; i <= 6; i++)
    atomic_store_explicit((atomic_int *)to, i, memory_order_relaxed);
  return 0;
}
static int read_all(atomic_int *from) {
  int all = 0;
  for (int i = 0; i < 3; i++)
    all = all * 7 + atomic_load_explicit(from, memory_order_relaxed);
  return all;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_all, &x);
  pthread_create(&b, 0, write_all, &y);
  read_all(&x);
  int seen = read_all(&y);
  atomic_store_explicit(&u.w, 1, memory_order_relaxed);
  if (seen == 1 * 49 + 2 * 7 + 3)
    atomic_store_explicit(&u.b[0], 2, memory_order_relaxed);
}
C

mkdir -p "$at/state" "$at/spool" /run/munge
chown munge:munge /run/munge
if ! munge -n > /dev/null 2>&1; then
  runuser -u munge -- /usr/sbin/munged
  munged=$(pgrep -n -u munge munged)
fi
cat > "$at/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
StateSaveLocation=$at/state
SlurmdSpoolDir=$at/spool
SlurmctldPidFile=$at/ctld.pid
SlurmdPidFile=$at/d.pid
SlurmctldLogFile=$at/ctld.log
SlurmdLogFile=$at/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
export SLURM_CONF=$at/slurm.conf
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"

cd "$at"
for _ in $(seq 30); do
  if [ "$(sinfo -h -o %T)" = idle ]; then break; fi
  sleep 1
done
wait_for_jobs() {
  for _ in $(seq 600); do
    if [ -z "$(squeue -h)" ]; then return; fi
    sleep 1
  done
  squeue
  exit 1
}

# How many executions a report has.
counted() {
  sed -n 's/.* \([0-9]*\) executions.*/\1/p' "$1" | head -n 1
}

heddle check --output alone.out "$program" -- -DN=7
"$here/array.sh" 6 "$program" -- -DN=7
wait_for_jobs
mv heddle.out array.out
# Parts that learn something are cut again.
heddle check --output alone-late.out "$late"
"$here/array.sh" 2 "$late"
wait_for_jobs
[ "$(counted heddle.out)" = "$(counted alone-late.out)" ]
[ -e heddle-parts/learned/1 ]
rm -r heddle-parts
# A part that is asked to end comes again, and goes on.
"$here/array.sh" 2 "$program" -- -DN=10
sleep 5
scancel --signal=TERM --batch "$(squeue -h -r -o %i -n heddle -t R | head -n 1)"
sleep 3
squeue -h -r -o '%i %j %T'
scancel --name heddle
scancel --name heddle-merge
wait_for_jobs
export MPIRUN_OPTIONS='--oversubscribe --allow-run-as-root'
sbatch --ntasks 2 --output=log.mpi "$here/mpi.sbatch" "$program" -- -DN=7
wait_for_jobs
for way in alone array heddle; do
  echo "$way: $(head -n 1 "$at/$way.out")"
  [ "$(counted "$way.out")" = 5040 ]
done
echo "ok ($at)"
