// SPDX-License-Identifier: MIT
// Equal threads with an element each, which they write their turn to. Somebody
// looks at one of the elements, so that they are not equal: main before the
// joins or behind them, by a pointer that it had before, or a thread of another
// kind that has a pointer to one, or its number, and is created before, between
// or behind them. The second thread may be the first to come.
// args: --symmetry on
// run: flags=-DLOOK=BEFORE_JOINS sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=WITH_POINTER sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=BEHIND_JOINS sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=FIRST sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=SECOND sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=LAST sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=FIRST flags=-DNUMBER sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=SECOND flags=-DNUMBER sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// run: flags=-DLOOK=LAST flags=-DNUMBER sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
// The same if it does something else first, or main is not yet done with its
// preparations when it begins.
// run: flags=-DLOOK=FIRST flags=-DLATE sc,rc11,imm error assertion
// run: flags=-DLOOK=LAST flags=-DLATE sc,rc11,imm error assertion
// run: flags=-DLOOK=FIRST flags=-DWAITS sc,rc11,imm error assertion
// run: flags=-DLOOK=LAST flags=-DLATE flags=-DNUMBER sc,rc11,imm error assertion
// Main signals one of them, which is then the only one to come.
// run: flags=-DLOOK=SIGNAL sc,tso,pso,ra,rc11,xmm,imm,armv8 error assertion
#include "../common.h"

enum { BEFORE_JOINS, WITH_POINTER, BEHIND_JOINS, FIRST, SECOND, LAST, SIGNAL };

struct slot {
  atomic_int turn, go;
};
static atomic_int next, other;
static struct slot slot[2];

static void *come(void *mine) {
  struct slot *s = mine;
  if (LOOK == SIGNAL)
    heddle_assume(s->go);
  s->turn = 1 + next++;
  return NULL;
}

static void *watch(void *whom) {
#ifdef LATE
  other++;
#endif
#ifdef NUMBER
  assert(slot[(long)whom].turn != 1); // BUG
#else
  assert(((struct slot *)whom)->turn != 1); // BUG
#endif
  return NULL;
}

static void create_watch(pthread_t *id, int when) {
#ifdef NUMBER
  void *whom = (void *)1;
#else
  void *whom = &slot[1];
#endif
  if (LOOK == when)
    pthread_create(id, NULL, watch, whom);
#ifdef WAITS
  if (LOOK == when)
    other = 1 + other;
#endif
}

int main(void) {
  pthread_t ids[2], watcher;
  struct slot *kept = LOOK == WITH_POINTER ? &slot[1] : NULL;
  create_watch(&watcher, FIRST);
  pthread_create(&ids[0], NULL, come, &slot[0]);
  create_watch(&watcher, SECOND);
  pthread_create(&ids[1], NULL, come, &slot[1]);
  create_watch(&watcher, LAST);
  if (LOOK == SIGNAL)
    slot[1].go = 1;
  if (LOOK == BEFORE_JOINS)
    assert(slot[1].turn != 1); // BUG
  if (LOOK == SIGNAL)
    assert(slot[1].turn != 1); // BUG
  pthread_join(ids[0], NULL);
  pthread_join(ids[1], NULL);
  if (LOOK == BEHIND_JOINS)
    assert(slot[1].turn != 1); // BUG
  if (kept)
    assert(kept->turn != 1); // BUG
  if (LOOK >= FIRST && LOOK <= LAST)
    pthread_join(watcher, NULL);
}
