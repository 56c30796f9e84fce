// SPDX-License-Identifier: MIT
// Counting references without order: the last one out frees too early.
//
// Two threads share an object and each drops its reference; who drops the last
// one frees the object. The decrement must release (what I did with the object
// comes before) and, for the last one, acquire (what all did comes before the
// free). With relaxed decrements the free is not ordered after the other
// thread's use. Change it to memory_order_acq_rel to repair the program.
//
// expect: rc11 error free-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int references;
  int used[2];
};

struct object *object;

void drop(struct object *o) {
  if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_relaxed) == 1)
    free(o);
}

void *thread(void *number) {
  object->used[(long)number] = 1;
  drop(object);
  return NULL;
}

int main(void) {
  object = malloc(sizeof *object);
  atomic_init(&object->references, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, thread, (void *)0);
  pthread_create(&b, NULL, thread, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
