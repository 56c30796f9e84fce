// SPDX-License-Identifier: MIT
// Loops that try until they succeed (P). A failed round is left out where the
// thread comes to where it would be if it had read the newer value at once, so
// that N threads have N! executions; and it is explored where that would miss
// something.
//
//  1  a counter: a failure refreshes what was loaded before the loop
//  2  the load is in the loop
//  3  push on a stack: each round writes the link of the new node anew
//  4  the same with the load in the loop
//  5  the load acquires and the failure does not, but the success does
//  6  a round is a function of its own
//  7  what is expected is in the new node, and a failure stores into it
//  8  a weak compare-exchange
//  9  the tries are counted, and nobody asks how many there were
//
// What only a failed round shows:
// 11  a load that acquires, refreshed by a failure that does not: a race
// 12  pop: the node was taken and put back in between
// 13  the link is atomic, and seen as a failed round left it
// 14  a bound on the tries that is reached
// 15  a failure with a certain value ends the loop
// 16  the rounds are counted, and somebody asks
//
// run: flags=-DP=1 flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DP=1 flags=-DN=4 sc,rc11 ok 24
// run: args=--jobs=2 flags=-DP=1 flags=-DN=5 rc11 ok 120
// run: args=--explore-retries flags=-DP=1 flags=-DN=3 sc,tso,pso,ra,rc11 ok 48
// run: flags=-DP=2 flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DP=3 flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DP=3 flags=-DN=4 sc,rc11 ok 24
// run: args=--explore-retries flags=-DP=3 flags=-DN=3 sc,tso,pso,ra,rc11 ok 48
// run: flags=-DP=4 flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DP=5 flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DP=6 flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DP=7 flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DP=8 flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DP=9 flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DP=11 ra,rc11,imm error race
// run: flags=-DP=12 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DP=13 rc11,imm,armv8 error assertion
// run: flags=-DP=14 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DP=15 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DP=16 sc,tso,ra,rc11,imm,armv8 error assertion
#include "../common.h"

#define refresh atomic_compare_exchange_strong_explicit

#ifndef N
#define N 2
#endif

struct node {
#if P == 13
  _Atomic(struct node *) next;
#else
  struct node *next;
#endif
  int value;
};

static atomic_int x;
static _Atomic(struct node *) top;
static struct node nodes[N + 1];

#if P == 1 || P == 5
static void *body(void *unused) {
  int seen = load(&x, P == 5 ? acq : rlx);
  while (!refresh(&x, &seen, seen + 1, acq, rlx))
    continue;
  return unused;
}

#elif P == 2
static void *body(void *unused) {
  int seen;
  do
    seen = load(&x, rlx);
  while (!refresh(&x, &seen, seen + 1, rlx, rlx));
  return unused;
}

#elif P == 3
static void *body(void *number) {
  struct node *mine = &nodes[(uintptr_t)number];
  struct node *seen = load(&top, rlx);
  do
    mine->next = seen;
  while (!refresh(&top, &seen, mine, rel, rlx));
  return number;
}

#elif P == 4
static void *body(void *number) {
  struct node *mine = &nodes[(uintptr_t)number], *seen;
  do {
    seen = load(&top, rlx);
    mine->next = seen;
  } while (!refresh(&top, &seen, mine, rel, rlx));
  return number;
}

#elif P == 6
static bool try(int *seen) {
  int next = *seen + 1;
  return refresh(&x, seen, next, acqrel, acq);
}

static void *body(void *unused) {
  int seen = load(&x, acq);
  while (!try(&seen))
    continue;
  return unused;
}

#elif P == 7
static void *body(void *number) {
  struct node *mine = &nodes[(uintptr_t)number];
  mine->next = load(&top, rlx);
  while (!refresh(&top, &mine->next, mine, rel, rlx))
    continue;
  return number;
}

#elif P == 8
static void *body(void *unused) {
  int seen = load(&x, rlx);
  while (!atomic_compare_exchange_weak_explicit(&x, &seen, seen + 1, rlx, rlx))
    continue;
  return unused;
}

#elif P == 9
static void *body(void *unused) {
  int seen = load(&x, rlx), tries = 0;
  while (!refresh(&x, &seen, seen + 1, rlx, rlx))
    tries++;
  assert(tries >= 0);
  return unused;
}

#elif P == 11
static int data;

static void *body(void *number) {
  if (number) {
    data = 1;
    store(&x, 1, rel);
    return number;
  }
  int seen = load(&x, acq);
  while (!refresh(&x, &seen, seen + 2, rlx, rlx))
    if (seen == 1)
      break;
  if (seen == 1)
    data = 2; // BUG
  return number;
}

#elif P == 12
// Nodes 1 and 2 are on the stack, 1 on top. One thread pops, the other one pops
// both and puts 1 back.
static struct node *pop(void) {
  struct node *seen = load(&top, acq);
  while (seen && !refresh(&top, &seen, seen->next, acqrel, acq))
    continue;
  return seen;
}

static void *body(void *number) {
  struct node *first = pop();
  if (!number)
    return number;
  pop();
  if (first) {
    first->next = NULL;
    store(&top, first, rel);
  }
  return number;
}

#elif P == 13
static void *body(void *number) {
  struct node *mine = &nodes[(uintptr_t)number];
  if (number) {
    struct node *seen = load(&top, rlx);
    if (seen == &nodes[0] && load(&seen->next, rlx) == &nodes[2])
      assert(load(&top, rlx) != &nodes[0]); // BUG
    return number;
  }
  struct node *seen = &nodes[2];
  do
    store(&mine->next, seen, rlx);
  while (!refresh(&top, &seen, mine, rlx, rlx));
  return number;
}

#elif P == 14
static void *body(void *number) {
  int seen = 0, tries = 0;
  if (number) {
    store(&x, 1, rlx);
    store(&x, 2, rlx);
    return number;
  }
  while (tries < 2 && !refresh(&x, &seen, 10, rlx, rlx))
    tries++;
  assert(tries < 2); // BUG
  return number;
}

#elif P == 15
static void *body(void *number) {
  if (number) {
    store(&x, 1, rlx);
    store(&x, 2, rlx);
    return number;
  }
  int seen = load(&x, rlx);
  while (!refresh(&x, &seen, 10, rlx, rlx))
    assert(seen != 2); // BUG
  return number;
}

#elif P == 16
static void *body(void *number) {
  if (number) {
    store(&x, 1, rlx);
    store(&x, 2, rlx);
    return number;
  }
  int seen = load(&x, rlx), rounds = 0;
  while (!refresh(&x, &seen, 10, rlx, rlx))
    rounds++;
  assert(rounds < 2); // BUG
  return number;
}
#endif

int main(void) {
#if P == 12
  nodes[1].next = &nodes[2];
  store(&top, &nodes[1], rlx);
#endif
  run(N, body);
#if P == 12
  assert(load(&top, rlx) != &nodes[2]); // BUG
#endif
#if P <= 9 && P != 3 && P != 4 && P != 7
  assert(load(&x, rlx) == N);
#endif
  return 0;
}
