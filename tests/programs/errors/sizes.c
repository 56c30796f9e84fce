// SPDX-License-Identifier: MIT
// Atomic accesses must be aligned. (tests/cli/test_mixed_size.py: overlapping
// accesses of different size.)
// run: flags=-DDO=__atomic_store_n((int*)(bytes+1),1,__ATOMIC_RELAXED) sc,rc11 error misaligned
// run: flags=-DDO=*(long*)bytes=1;*(long*)(bytes+8)=2 sc,rc11 ok
#include "../common.h"

static _Alignas(16) char bytes[32];

int main(void) {
  DO; // BUG
  return 0;
}
