// SPDX-License-Identifier: MIT
// Races and memory errors are found under every model, those of the hardware
// and those with dependencies included. The errors are in code that only runs
// when the message has come.
// run: flags=-DDO=data[0]=2 sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DDO=free(data) sc,tso,pso,ra,rc11,imm,armv8 error free-race
// run: flags=-DDO=data[4]=1 sc,tso,pso,ra,rc11,imm,armv8 error out-of-bounds
// run: flags=-DDO=free(data+1) sc,tso,pso,ra,rc11,imm,armv8 error invalid-free
// run: flags=-DDO=(void)(1/(data[1]-data[1])) sc,tso,pso,ra,rc11,imm,armv8 error division-by-zero
// run: flags=-DDO=data[1]++ sc,tso,pso,ra,rc11,imm,armv8 ok
#include "../common.h"

static _Atomic(int *) message;

static void *sender(void *unused) {
  int *data = calloc(4, sizeof *data);
  store(&message, data, rel);
  data[0] = 1;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, sender, NULL);
  int *data = load(&message, acq);
  if (data)
    DO;
  pthread_join(id, NULL);
  return 0;
}
