// SPDX-License-Identifier: MIT
// A load of an int beside a store of all of it and, ordered behind that, one of
// a byte: the load has the size of the first, and not that of the second. There
// was no warning, since the load looked at the first conflict only.
// run: args=--error args=mixed-size rc11 error mixed-size; ra error mixed-size
// run: args=--error args=mixed-size xmm error mixed-size
#include "../common.h"

static atomic_int word, flag;

static void *stores(void *unused) {
  store(&word, 1, rlx);
  store(&flag, 1, rel);
  return unused;
}

static void *stores_byte(void *unused) {
  if (load(&flag, acq))
    store((atomic_char *)&word, 2, rlx); // BUG
  return unused;
}

static void *loads(void *unused) {
  int r = load(&word, rlx); // BUG
  (void)r;
  return unused;
}

int main(void) {
  void *(*const all[])(void *) = {stores, stores_byte, loads};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, all[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  return 0;
}
