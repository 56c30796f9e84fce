// SPDX-License-Identifier: MIT
// Updates that are tried, and undone when they fail, as in
//
//   p = fetch_sub(&lock, 1);                 u
//   while (p <= 0) {
//     fetch_add(&lock, 1);                   v
//     while (load(&lock) <= 0);
//     p = fetch_sub(&lock, 1);               u again
//   }
//
// Other threads may see the word between u and v, fail because of that, and be
// seen in turn: each way in which that can happen would be another execution.
// Here such a loop waits until the word lets it pass, and makes one update: the
// vm takes the code for a TAKE (bytecode/analysis/undo.c says which code that
// is). Let G be an execution with failed rounds, and G' be what is left of G
// without all of them: without each u that failed, its v and the loads in
// between. Where an update has read a v, it reads the write before u now.
//
// G' is an execution, and it is explored, if all accesses to the word are
// updates u, updates v, or additions whose result is not used (and what main
// does before it creates a thread):
//   - The threads do in G' what they did. Additions do the same whatever they
//     read. A u that passed in G with value p reads p' = p - t in G', where t
//     is the sum of what the failed updates of other threads, not yet undone,
//     had added; each thread has at most one of these. Only whether it passes
//     depends on p. So it has to pass with p' as well. This is asked of every
//     value p' that is written in the executions that we explore, and of every
//     t that can be: if the first u at which G' goes wrong has p', then what
//     comes before it is explored, and p' is among them.
//   - The model allows G'. Events are taken out, which forbids nothing, and
//     where an update S has read a chain w, u, v, ... of updates, it reads w
//     itself. S was after w in co; if w or what it continues releases, S
//     synchronised with it through the chain, since the updates of a chain
//     continue a release sequence (rc11, ra). Under imm and armv8, w is before
//     u if it is of another thread, u is before v since it acquires, and v
//     before S; if w is of the same thread, what is before w is before v as
//     well: each dependency, barrier or release that orders it before w does so
//     for a later write to the same word. So nothing is ordered now that was
//     not.
//     Under the other models the new edge is w -rf-> S alone, too; let c be the
//     last update of the chain, which S has read in G. Removing updates begins
//     no release sequence and extends none, C++11's neither: an update breaks
//     none. c11: each step of the chain, and u before v, is in the order of
//     satisfaction; eco leads from w to S by co. So hb, eco and that order have
//     nothing new. riscv: co is in its order, so w is before c, and c before S
//     by rfe or rule 3. A new pair of rule 2 ends at S, and one of w's readers
//     in G that is in the thread of S is u, which acquires, or v, which S
//     follows by rule 3.
//     power: let a cycle go through w -rf-> S. What is before w there, is
//     before c: co and fr lead to c (or c is of the thread in which they begin,
//     and behind their beginning: po-loc is in cc, and ic;cc in ic), and ppo
//     and barriers that lead to w, if c is of its thread, lead to c by po-loc
//     as well; if it is not, hb leads from w to u or v (rfe), and on to c (each
//     thread's part of the chain begins with a read and ends with a write,
//     which po-loc orders). What is behind S is behind c -rfe-> S, or, if c is
//     of the thread of S, behind the read of w in that thread: of u, which
//     acquires, or of v, with which a branch goes, and the isync of S behind
//     it. (armv7 has no po-loc in cc, so this is not known of it.)
//     Under xmm, rounds are left out only if the program with all of them has
//     no core (justify.h), so that its executions are those of rc11: the loads
//     of a failed round could be what a cycle goes through. That is asked when
//     a load races, and at the end in any case (part.c).
//   - What goes wrong in G goes wrong in G'. Values are the same but for p,
//     less happens before, and a thread that waits in G for ever finds the same
//     value in G', where it waits too: it may wait for less than would let it
//     pass, so no value must be written that is between these. Not looked for
//     is whether threads may fail because of each other for ever (livelock.c);
//     --explore-retries does.
//
// Whatever is explored is an execution of the program in any case: one in which
// the first try passes, or has not passed yet. So if a thread does look at the
// word, or if a value p' does not pass that would pass with a t, the search
// begins again with all rounds.
#include "bytecode/analysis/undo.h"
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>
#include <string.h>

static bool knows_model(const struct model *m) {
  return m->chains_order || (m->declared & MODEL_UPDATES_CHAIN);
}

struct rollbacks {
  bool has_rounds; // the program has code like that, and it may be left out
  ARRAY(struct rollback_word *) words; // by location
};

static struct rollbacks *rollbacks_of(const struct explorer *x) {
  return x->state[REDUCTION_ROLLBACK];
}

static struct rollback_word *word_of(struct explorer *x, uint32_t loc) {
  struct rollbacks *all = rollbacks_of(x);
  while (all->words.len <= loc)
    array_push(&all->words, NULL);
  if (!all->words.at[loc])
    all->words.at[loc] = xcalloc(1, sizeof(struct rollback_word));
  return all->words.at[loc];
}

static void add_tried(struct explorer *x, thread_id thread,
                      struct rollback_word *w, const struct access *a) {
  site_id pc = NO_SITE;
  check(vm_backtrace(x->vm, x->g.threads[thread].state, &pc, 1));
  const struct undo u = undo_find(x->prog, pc);
  const struct tried t = {u.least, u.most, u.wait_least, u.wait_most, u.add};
  bool is_uninit;
  for (uint32_t i = 0; i < w->ntried; i++)
    if (memcmp(&w->tried[i], &t, sizeof t) == 0)
      return;
  if (w->ntried == MAX_TRIED) {
    w->is_seen = true;
    return;
  }
  // What is known of one word would have to be known of its like.
  if (vm_value_names(x->vm, vm_location(x->vm, a->loc)->address, 8) &
      x->grouped)
    symmetry_refute(x, "equal threads have words of their own that failed "
                       "rounds are left out of");
  w->tried[w->ntried++] = t;
  rollback_word_add(
      w, (uint32_t)event_value_of(x, a->loc, INIT_EVENT, &is_uninit));
  w->is_seen |= is_uninit;
}

// -- accesses

// Does no other thread know the word yet, for sure?
static bool is_before_all(const struct explorer *x, thread_id t) {
  return t == 0 && explore_is_alone(x);
}

static bool is_blind(const struct explorer *x, thread_id t) {
  site_id pc;
  return vm_backtrace(x->vm, x->g.threads[t].state, &pc, 1) &&
         undo_is_blind(x->prog, pc);
}

static void look_at(struct explorer *x, thread_id t, const struct access *a,
                    struct rollback_word *w) {
  if (vm_next_overlap(x->vm, a->loc, NO_LOC) != NO_LOC ||
      vm_location(x->vm, a->loc)->object != NO_OBJECT)
    w->is_seen = true; // in pieces, or it may be freed
  if (a->kind == ACC_WRITE || a->kind == ACC_RMW_WRITE)
    rollback_word_add(w, (uint32_t)a->value);
  if (a->kind == ACC_TAKE && (a->flags & ACCF_UNDONE))
    add_tried(x, t, w, a);
  else if (a->kind == ACC_RMW_READ)
    w->is_seen = w->is_seen || !is_blind(x, t);
  else if (a->kind != ACC_RMW_WRITE)
    w->is_seen |= !is_before_all(x, t);
}

// Is the word, some of whose values may be new, one whose rounds must be
// explored?
static bool is_refuted(struct explorer *x, struct rollback_word *w,
                       bool has_news) {
  has_news |= w->threads < x->g.nthreads;
  if (w->threads < x->g.nthreads)
    w->threads = x->g.nthreads;
  return w->ntried && (w->is_seen || (has_news && !rollback_word_holds(w)));
}

static bool refute(struct explorer *x) {
  vm_keep_rounds(x->vm);
  hooks_refute(x, REDUCE_ROLLBACK);
  x->restart |= RESTART_WITH_MEMORY;
  return true;
}

// Who looks at some of the bytes looks at the word.
static bool refutes_overlap(struct explorer *x, loc_id loc) {
  for (loc_id o = vm_next_overlap(x->vm, loc, NO_LOC); o != NO_LOC;
       o = vm_next_overlap(x->vm, loc, o)) {
    word_of(x, o)->is_seen = true;
    if (is_refuted(x, word_of(x, o), /*has_news=*/true))
      return true;
  }
  return false;
}

// Does the next access of the thread show that rounds have to be explored?
static bool refutes(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  if (!access_has_location(&a))
    return false;
  graph_need_loc(&x->g, a.loc);
  struct rollback_word *w = word_of(x, a.loc);
  uint32_t known = w->nvalues + w->ntried;
  look_at(x, t, &a, w);
  return (is_refuted(x, w, w->nvalues + w->ntried != known) ||
          refutes_overlap(x, a.loc)) &&
         refute(x);
}

// Promises may change what is written, behind our back.
static enum outcome look_at_whole(struct explorer *x) {
  const struct rollbacks *all = rollbacks_of(x);
  for (uint32_t l = 0; l < all->words.len && l < x->g.locs.len; l++) {
    struct rollback_word *w = all->words.at[l];
    const struct event_list *co = &x->g.locs.at[l].co;
    bool is_uninit;
    if (!w || !w->ntried)
      continue;
    uint32_t values = w->nvalues;
    for (uint32_t i = 1; i < co->len; i++)
      rollback_word_add(w,
                        (uint32_t)event_value_of(x, l, co->at[i], &is_uninit));
    if (is_refuted(x, w, w->nvalues != values)) {
      refute(x);
      return STOP;
    }
  }
  return GO_ON;
}

static bool hides_races(const struct explorer *x) {
  (void)x;
  return true;
}

static enum outcome meets_cycle(struct explorer *x, const char *why) {
  (void)why;
  refute(x);
  return STOP;
}

// ---- hooks

static bool has_rounds(const struct prog *p) {
  for (uint32_t pc = 0; pc < p->code.len; pc++)
    if (p->code.at[pc].op == OP_rmw_load && undo_find(p, pc).success)
      return true;
  return false;
}

static void init(struct explorer *x) {
  x->state[REDUCTION_ROLLBACK] = xcalloc(1, sizeof(struct rollbacks));
  rollbacks_of(x)->has_rounds = has_rounds(x->prog);
}

static void done(struct explorer *x) {
  struct rollbacks *all = rollbacks_of(x);
  for (uint32_t i = 0; i < all->words.len; i++)
    free(all->words.at[i]);
  array_done(&all->words);
  free(all);
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  if (!rollbacks_of(x)->has_rounds)
    return "no loop undoes what it tried";
  if (x->observer.on_execution && !x->observer.on_begin_again && !x->team)
    return "what was told of executions cannot be taken back";
  if (!knows_model(c->model))
    return "it is not proved of the model";
  return NULL;
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  (void)known;
  if (explore_reduces(x, REDUCE_ROLLBACK))
    check(vm_leave_rounds(x->vm));
}

static void tell(const struct explorer *x, struct assumptions *learned) {
  const struct rollbacks *all = rollbacks_of(x);
  for (loc_id l = 0; explore_reduces(x, REDUCE_ROLLBACK) && l < all->words.len;
       l++) {
    const struct location *where = vm_location(x->vm, l);
    if (all->words.at[l])
      array_push(&learned->rollbacks,
                 ((struct assumed_rollback){where->address, where->size,
                                            *all->words.at[l]}));
  }
}

const struct mechanism rollback_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .tell = tell,
    .why_not = why_not,
    .refutes = refutes,
    .meets_cycle = meets_cycle,
    .hides_races = hides_races,
    .at_whole = look_at_whole,
};
