#!/bin/bash
# SPDX-License-Identifier: MIT
# The jobs of workflow.yml on this machine, one after the other, each in a new
# checkout at the same path; heddle is on the path. Says "ok" if the report is
# that of one process.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
at=$(mktemp -d)
trap 'rm -rf "$at"' EXIT
parts=4
program=(queue.c --model rc11 -- -DN="${N:-7}")

checkout() { # with the artifacts of those names
  cd "$at"
  rm -rf checkout
  mkdir -p checkout/parts artifacts
  cd checkout
  cat > queue.c <<'C'
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
  for name in "$@"; do cp -r "$at/artifacts/$name/." parts; done
}
upload() { # NAME FILE...
  mkdir -p "$at/artifacts/$1"
  cp -r "${@:2}" "$at/artifacts/$1"
}
counted() {
  sed -n 's/.* \([0-9]*\) executions.*/\1/p' | head -n 1
}

checkout
expected=$(heddle check "${program[@]}" | counted)
"$here/step.sh" split "$parts" "${program[@]}"
upload parts parts/.
for i in $(seq "$parts"); do
  checkout parts
  "$here/step.sh" run "$i"
  if [ -e "parts/part.$i" ]; then upload "done-$i" "parts/part.$i"; fi
done
mapfile -t done < <(cd "$at/artifacts" && find . -name 'done-*' | sort)
checkout parts "${done[@]}"
report=$("$here/step.sh" merge)
echo "$report"
[ -e parts/over ] || [ "$(counted <<< "$report")" = "$expected" ]
echo "ok: $expected executions"
