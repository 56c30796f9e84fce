// SPDX-License-Identifier: MIT
// Retries: loops that try until they succeed, such as
//
//   old = load(&top);                          r'
//   do n->next = old;                          e
//   while (!compare_exchange(&top, &old, n));  r, if it fails
//
// A failed round is no await (await.c): the thread comes back with another
// `old`. But it comes back to where it would be if it had read the newer value
// in the first place. So let the newest event of a thread be a read r of write
// w that leads to state s, and let r' be an earlier read of the same location
// by the thread, such that reading w there would have led to s as well (or to a
// state that the same writes lead to the same state). If what
// came in between left no trace, the execution without r' and all of that, in
// which r is done by the instruction of r', is one of the program, and whatever
// follows is the same in both. We explore only the latter: the thread stops at
// r, and the execution does not count.
//
// The first look may also be an instruction of its own, before the loop that
// waits for the same thing; whatever the thread did in between without a trace
// counts as a round then:
//
//   if (!load(&next)) {                        r'
//     if (compare_exchange(&tail, me, 0)) return;   (it fails)
//     while (!load(&next)) {}                  r, which would wait like r'
//   }
//
// Why the execution G' without the failed round is one:
//   - The model allows it. Its events are those of G without r' and what came
//     in between, and no axiom forbids a graph with fewer events [awaits, 5.1];
//     at most, r is weaker than it was, since we ask that the instruction of r'
//     is at most as strong as that of r. (Otherwise what r failed to
//     synchronise with might matter: an acquire load that is refreshed by a
//     relaxed failure is not the same as one that is not.)
//   - The threads do in it what they did. The thread itself is in state s; the
//     others do not read what was left out.
//   - No error is lost. Values are the same; less happens before, so races of
//     what is left stay races; those of what was left out are found when they
//     are added, since only the thread stops and not the search.
//
// What leaves no trace: reads, fences, nondeterministic choices, an update that
// writes what it read, and a plain write to a location that the thread, from s
// on, overwrites before it reads anything (n->next). Nobody else can have read
// that write without a race, which is reported: between it and the next round's
// there is nothing by which another thread could have known of it. (So no write
// of another thread is between the two in co, and no release sequence of C++11,
// which such a write ends, is longer without the first one.)
//
// A load that acquires and a failure that is relaxed can still be the same. If
// the round that follows succeeds, reads the write of the failure once more and
// acquires too, with nothing in between, then it does not matter which of its
// two reads acquired first. So that round is left out, when it succeeds: the
// thread stops at the read of its compare-exchange, which is then no update.
// The same is done if only then the states are the same: failures were counted,
// and nobody will ask for their number.
//
// Where another execution has to justify a graph with cycles (xmm,
// cycles/justify), more is asked while such graphs are looked for with guesses.
// Let K be one, justified by G, and K' be K without the failed round. What is
// committed in K' is committed in K too, if r is done by the instruction of r'
// and that is a read of the same label; so it has the same images in G: there
// are fewer events and edges to be carried, what closes a cycle in K' does so
// in K, and K' has no cycle without its committed reads since those that are
// not committed go along with the same order of the threads. So G justifies K',
// tries and all (which is why tries are explored where witnesses are looked
// for). With another label that is wrong: what r reads, an acquire, may be
// committed, and nothing that justifies K has the relaxed read of r'
// (tests/programs/loadbuffering/try_justifies.c). Nor is that said of updates
// in the round, whose writes others may read, nor of rounds that succeed
// another way.
//
// Whether a round is left out depends on what the thread itself has done and
// read, so to stop is like an assumption of the program that does not hold, and
// each execution is still met once [TruSt, POPL'22].
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>

#include <string.h>

enum {
  LOOK_BACK = 2,  // earlier reads of the location that are tried for r',
  LOOK_FAR = 16,  // if failures before r could not be left out
  MAX_ROUND = 64, // events that may be left out
  MAX_AHEAD = 16, // accesses of the next round that are looked at
  MAX_CHAIN = 32, // calls
  MAX_MEET = 4,   // writes after which two states may be the same
};

// Does the thread, in state s, overwrite the location before it reads anything?
static bool overwrites(struct explorer *x, state_id s, uint32_t loc) {
  for (unsigned n = 0; s && n < MAX_AHEAD; n++) {
    const struct access *a = vm_access(x->vm, s);
    if (a->kind == ACC_WRITE && a->loc == loc)
      return a->order == ORD_NA;
    if (a->kind != ACC_WRITE && a->kind != ACC_FENCE)
      return false;
    s = vm_step(x->vm, s, 0);
  }
  return false;
}

// Are graphs looked for that another one has to justify?
static bool is_guided(const struct explorer *x) {
  return x->cycles.guesses && x->config.model->justifier;
}

static bool leaves_no_trace(struct explorer *x, event_id id, state_id s) {
  const struct event *e = &x->g.events[id];
  if ((e->flags & (EVF_LOCK | EVF_UNLOCK)) ||
      (is_guided(x) && e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE)))
    return false;
  if (e->kind != EV_WRITE || (e->flags & EVF_EXCLUSIVE))
    return trace_is_none(&x->g, id);
  return e->order == ORD_NA && trace_races_are_errors(x) &&
         overwrites(x, s, e->loc);
}

// Is a read with the order and flags of `a` no stronger than one with those of
// `b`?
static bool is_at_most(const struct event *a, const struct event *b) {
  enum order weak = (enum order)a->order, strong = (enum order)b->order;
  if ((weak == ORD_NA) != (strong == ORD_NA) ||
      ((a->flags & EVF_CAS) && !(b->flags & EVF_CAS)))
    return false;
  return weak == ORD_SC ? strong == ORD_SC
                        : !order_acquires(weak) || order_acquires(strong);
}

static bool is_plain_read(const struct event *e) {
  return e->kind == EV_READ &&
         !(e->flags & (EVF_EXCLUSIVE | EVF_LOCK | EVF_UNINIT | EVF_PIECE));
}

enum { KEPT_STATES = 64 };

struct retries {
  struct refreshes refreshes;
  state_id kept_at[KEPT_STATES]; // some in which loops were kept
};

static struct retries *retries_of(const struct explorer *x) {
  return x->state[REDUCTION_RETRY];
}

static const struct refresh *refresh_of(const struct explorer *x, uint32_t load,
                                        uint32_t cas) {
  return refresh_find(x->prog, &retries_of(x)->refreshes, load, cas);
}

// ---- what is told about loops that are explored

void explore_keep_loop(struct explore_result *r, struct kept_loop l) {
  for (uint32_t i = 0; i < r->nkept_loops; i++)
    if (r->kept_loops[i].site == l.site)
      return;
  if (r->nkept_loops < MAX_KEPT_LOOPS)
    r->kept_loops[r->nkept_loops++] = l;
}

static void keep_loop(struct explorer *x, const struct event *r,
                      const struct event *because_of, enum kept_why why) {
  state_id *last = &retries_of(x)->kept_at[r->pre % KEPT_STATES];
  if (*last == r->pre)
    return;
  *last = r->pre;
  if (x->result.nkept_loops < MAX_KEPT_LOOPS)
    explore_keep_loop(&x->result,
                      (struct kept_loop){vm_site(x->vm, r->pre),
                                         vm_site(x->vm, because_of->pre), why});
}

// ---- failed rounds

static bool is_same_write(const struct explorer *x, state_id s, state_id t) {
  const struct access *a = vm_access(x->vm, s), *b = vm_access(x->vm, t);
  return a->kind == ACC_WRITE && b->kind == ACC_WRITE && a->loc == b->loc &&
         a->order == b->order && a->value == b->value && a->flags == b->flags &&
         !(a->flags & ACCF_UNINIT);
}

static bool meet_later(struct explorer *x, state_id s, state_id t) {
  for (unsigned n = 0; s != t; n++) {
    if (n == MAX_MEET || !is_same_write(x, s, t))
      return false;
    s = vm_step(x->vm, s, 0);
    t = vm_step(x->vm, t, 0);
  }
  return true;
}

// Are the states the same, or will they be after the same writes? (`*link =
// load(&top)` before the loop, and a failure that stores into *link.)
static inline bool meet(struct explorer *x, state_id s, state_id t) {
  return s == t ||
         (vm_access(x->vm, s)->kind == ACC_WRITE && meet_later(x, s, t));
}

static bool is_same_update(const struct explorer *x, state_id s, state_id t) {
  const struct access *a = vm_access(x->vm, s), *b = vm_access(x->vm, t);
  return a->kind == b->kind && a->loc == b->loc && a->order == b->order &&
         a->order_fail == b->order_fail && a->value == b->value &&
         a->flags == b->flags && !(a->flags & ACCF_UNINIT);
}

// Will they be the same after both have succeeded with this value? (Tries are
// counted as long as they fail.)
static bool meet_in_success(struct explorer *x, state_id s, state_id t,
                            uint64_t value) {
  const struct access *a = vm_access(x->vm, s);
  if (a->kind != ACC_CAS_READ || !cas_succeeds(a, value) ||
      !is_same_update(x, s, t))
    return false;
  s = vm_step(x->vm, s, value);
  t = vm_step(x->vm, t, value);
  return is_same_update(x, s, t) &&
         meet(x, vm_step(x->vm, s, 0), vm_step(x->vm, t, 0));
}

// Does the thread jump backwards when it goes on from s, at most after writes?
static bool goes_back(struct explorer *x, state_id before, state_id s) {
  for (unsigned n = 0; n <= MAX_MEET; n++) {
    if (vm_goes_back(x->vm, before, s))
      return true;
    if (vm_access(x->vm, s)->kind != ACC_WRITE)
      return false;
    before = s;
    s = vm_step(x->vm, s, 0);
  }
  return false;
}

// May what came after `before` be left out, and does r not read any of that?
static bool may_begin(const struct graph *g, const struct event *before,
                      const struct event *r) {
  const struct event *w = &g->events[r->rf];
  bool is_own = r->rf != INIT_EVENT && w->thread == r->thread;
  return r->index - before->index <= MAX_ROUND &&
         !(is_own && w->index > before->index);
}

// Would r', with the source of r, have led to where r has led?
static inline bool leads_alike(struct explorer *x, const struct event *before,
                               const struct event *r,
                               const struct event *bound) {
  uint8_t kind = vm_access(x->vm, before->pre)->kind;
  if (kind != ACC_READ && kind != ACC_CAS_READ)
    return false;
  state_id next = before->value == r->value
                      ? before->state
                      : vm_step(x->vm, before->pre, r->value);
  return meet(x, next, r->state) ||
         (bound != r && meet_in_success(x, next, r->state, r->value));
}

// It may be as strong as `bound`: r itself, or the success that follows.
static bool could_be(struct explorer *x, const struct event *before,
                     const struct event *r, const struct event *bound) {
  const struct access *a = vm_access(x->vm, before->pre);
  struct event would = {0};
  would.flags =
      event_read_flags(a, r->value, /*is_uninit=*/false, &would.order);
  if (is_guided(x) ? order_reading((enum order)would.order) ==
                         order_reading((enum order)r->order)
                   : is_at_most(&would, r) || is_at_most(&would, bound))
    return true;
  keep_loop(x, r, before, KEPT_ORDER);
  return false;
}

// Is r the read of a loop that would wait with what `before` read? Then that
// one was the first look of the same wait (`if (!load(&next)) { ... while
// (!load(&next)); }`), and what came in between was part of its round.
static bool waits_with(struct explorer *x, const struct event *r,
                       const struct event *before) {
  return vm_access(x->vm, r->pre)->kind == ACC_READ &&
         vm_step(x->vm, r->pre, before->value) == r->pre;
}

// Did what came after the event at index `before` leave no trace? And was it a
// round?
static bool is_futile(struct explorer *x, uint32_t before,
                      const struct event *r) {
  const struct event_list *mine = &x->g.threads[r->thread].events;
  for (uint32_t i = r->index; --i > before;)
    if (!leaves_no_trace(x, mine->at[i], r->state)) {
      keep_loop(x, r, &x->g.events[mine->at[i]], KEPT_TRACE);
      return false;
    }
  if (!trace_keeps_sections(x, r->thread, before + 1, r->index) ||
      round_hides_source(x, r->thread, before, r->index))
    return false;
  const struct event *first = &x->g.events[mine->at[before]];
  bool is_round = goes_back(x, r->pre, r->state) || waits_with(x, r, first);
  state_id next = r->pre;
  for (uint32_t i = r->index; !is_round && i-- > before;) {
    state_id pre = x->g.events[mine->at[i]].pre;
    is_round = vm_goes_back(x->vm, pre, next);
    next = pre;
  }
  return is_round;
}

static bool is_same_activation(const struct explorer *x, state_id a, state_id b,
                               uint32_t *pc_a, uint32_t *pc_b) {
  site_id one[MAX_CHAIN], other[MAX_CHAIN];
  unsigned n = vm_backtrace(x->vm, a, one, MAX_CHAIN);
  if (!n || n != vm_backtrace(x->vm, b, other, MAX_CHAIN) ||
      memcmp(one + 1, other + 1, (n - 1) * sizeof *one) != 0)
    return false;
  *pc_a = one[0];
  *pc_b = other[0];
  return true;
}

// What follows must not depend on more than it did. Where the code leads from a
// failure to right behind the load, with the value where the load puts it, it
// depends on r as it would on r'. If r' is a failure itself, r is left with
// what r' depends on. Its address is the same. What it expected is a branch
// before all that follows r' already, and orders no more as that of r; of
// models that we do not know that is not said. Neither read can be promised
// anything, since both are branches: that the round has failed is true with all
// other promises, too, for the code says so of all values.
static bool is_alike_by_code(struct explorer *x, const struct event *before,
                             const struct event *r) {
  uint32_t pc_before, pc;
  if (!is_same_activation(x, before->pre, r->pre, &pc_before, &pc) ||
      !refresh_of(x, pc_before, pc)->is_alike)
    return false;
  if (!(before->flags & EVF_CAS))
    return true;
  deps_fill(x);
  event_id id = graph_at(&x->g, before->thread, before->index);
  return !(before->flags & EVF_PICK) &&
         (!x->g.deps[id].data || model_builtin(x->config.model));
}

// Otherwise it is asked of the dependencies that there are (fixed.c). Fewer of
// them forbid nothing under models that we know.
static bool depends_alike(struct explorer *x, const struct event *before,
                          const struct event *r, const struct event *bound) {
  const struct model *m = x->config.model;
  return !x->tracks || is_alike_by_code(x, before, r) ||
         (x->promises && !((before->flags | r->flags) & EVF_PICK) &&
          (model_builtin(m) || (m->declared & MODEL_FEWER_DEPENDENCIES)) &&
          round_depends_less(x, before, r, bound));
}

// If r, which is the newest event of its thread, ends a failed round that may
// be left out: 1 + the index of r'; 0 otherwise.
static uint32_t find_begin(struct explorer *x, const struct event *r,
                           const struct event *bound) {
  const struct event_list *mine = &x->g.locs.at[r->loc].by_thread[r->thread];
  bool may_meet = bound != r || vm_access(x->vm, r->state)->kind == ACC_WRITE;
  // With dependencies a failure is no beginning for most of those behind it.
  uint32_t far = bound != r && x->tracks ? LOOK_FAR : LOOK_BACK;
  for (uint32_t n = 1; n <= far && n < mine->len; n++) {
    const struct event *before = &x->g.events[mine->at[mine->len - 1 - n]];
    if (before->value == r->value && before->state != r->state && !may_meet)
      continue; // as usual: the same value has led elsewhere
    if (is_plain_read(before) && may_begin(&x->g, before, r) &&
        leads_alike(x, before, r, bound) && could_be(x, before, r, bound) &&
        is_futile(x, before->index, r) && depends_alike(x, before, r, bound))
      return before->index + 1;
  }
  return 0;
}

static uint32_t begin_of_round(struct explorer *x, const struct event *r,
                               const struct event *bound) {
  vm_try_begin(x->vm);
  uint32_t begin = find_begin(x, r, bound);
  vm_try_end(x->vm);
  return begin;
}

// If the newest event of its thread ends a failed round that another execution
// does without, the thread stops.
static void look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  if (!is_plain_read(e) || !e->state ||
      vm_access(x->vm, e->state)->kind == ACC_CUT)
    return;
  uint32_t begin = begin_of_round(x, e, e);
  if (!begin)
    return;
  round_races_note(x, e->thread, begin - 1, /*is_retry=*/true);
  round_time_note(x, e->thread, begin - 1, e->index);
  x->result.retries++;
  detours_exist(x);
  e->state = 0;
  e->flags |= EVF_RETRY;
  graph_set_state(&x->g, e->thread, 0);
}

bool retry_may_stop(struct explorer *x, thread_id t, uint32_t loc,
                    uint64_t value, state_id next) {
  const struct graph_loc *l = &x->g.locs.at[loc];
  if (!(l->threads >> t & 1))
    return false;
  const struct event_list *mine = &l->by_thread[t];
  bool found = false;
  vm_try_begin(x->vm);
  for (uint32_t n = 1; !found && n <= LOOK_BACK && n <= mine->len; n++) {
    const struct event *before = &x->g.events[mine->at[mine->len - n]];
    found = is_plain_read(before) && vm_step(x->vm, before->pre, value) == next;
  }
  vm_try_end(x->vm);
  return found;
}

// ---- graphs that need not be explored further
//
// A thread that stops, or waits in an await, may still go on in graphs that
// come of this one: a write w revisits one of its reads, or an older one, and
// the round is made anew. (Threads that never move again do no harm, but there
// are many such graphs.) Now let the round have two reads of one location, a
// load r' of u and a compare-exchange r that expects what r' read, reads
// another write v, and fails; let it write only what the next round overwrites;
// and let a failure lead to where the load would, for all values (refresh.c).
//
//   - If w revisits r, and r fails again, the thread stops again. If it
//     succeeds, w has the value of u. Then r' could have read w as well: the
//     thread would do the same, and know no more than it does behind r, since
//     the load is at most as strong as the success. That one is explored.
//   - If w revisits r' or an older read, r' and r must have been added
//     maximally (revisit.c): in the order in which they were added, u is the
//     newest of what came before r' or is in the prefix of w, and v of what
//     came before r or is in the prefix. v comes after u in co. So v came after
//     r', before r, and is not in the prefix.
//   - If w revisits a read that came between r' and r, r is deleted and r' is
//     not: then r may read u, which is another execution.
//
// So unless v or a read of another thread was added between r' and r, this
// graph leads to nothing new, and it is left. What else could be found in it is
// found without r: in the graph in which r' reads v. (Whoever races with a
// write of the round, and is not there yet, races with that of the next round:
// it does not come before v.)

// Are the events between the two reads the stores that the code says? None is
// of what is read: the load cannot read what the thread stores behind it. Nor
// could it read what another thread writes after it has seen one of them; to
// see it must be an error (tests/programs/awaits/store_seen.c).
static bool are_stores(const struct explorer *x, const struct refresh *code,
                       thread_id t, uint32_t first, uint32_t end,
                       uint32_t loc) {
  if (end - first != code->nstores ||
      (first < end && !trace_races_are_errors(x)))
    return false;
  for (uint32_t i = first; i < end; i++) {
    const struct event *e = &x->g.events[graph_at(&x->g, t, i)];
    site_id pc;
    if (e->kind != EV_WRITE || e->order != ORD_NA || e->loc == loc ||
        !vm_backtrace(x->vm, e->pre, &pc, 1) || pc != code->stores[i - first])
      return false;
  }
  return true;
}

// The load of a round as above that ends with the compare-exchange r, whose
// event is there or about to be added. NO_EVENT: it is another round. Nor may a
// failure that leads on, not back, be weaker than the load: it would not always
// be left out.
static event_id load_of_round(struct explorer *x, const struct event *r) {
  const struct graph *g = &x->g;
  const struct access *cas = vm_access(x->vm, r->pre);
  const struct event success = {.order = cas->order, .flags = EVF_CAS};
  const struct event failure = {.order = cas->order_fail, .flags = EVF_CAS};
  uint32_t pc_load, pc_cas, i = r->index - 1;
  while (i && g->events[graph_at(g, r->thread, i)].kind == EV_WRITE)
    i--;
  event_id id = graph_at(g, r->thread, i);
  const struct event *load = &g->events[id];
  if (!is_plain_read(load) || load->loc != r->loc || (load->flags & EVF_CAS) ||
      load->value != cas->value || !is_at_most(load, &success) ||
      !is_same_activation(x, load->pre, r->pre, &pc_load, &pc_cas))
    return NO_EVENT;
  const struct refresh *code = refresh_of(x, pc_load, pc_cas);
  return code->is_uniform &&
                 (code->leads_before || is_at_most(load, &failure)) &&
                 are_stores(x, code, r->thread, i + 1, r->index, r->loc)
             ? id
             : NO_EVENT;
}

// The same of a load that waits until a word is free, and an update that comes
// right behind it and takes the word whatever is in it:
//
//   while (load(&word)) {}                     r'
//   swap(&word, 1)                             r, of a value like that of r'
//
// If r finds the word taken, the round has changed nothing: it was an await
// (await.c), and the loop begins anew, or waits with the load at once. (Or it
// goes on, if it is no swap: then what r' read does not matter either.)
static event_id load_of_update(struct explorer *x, const struct event *r) {
  const struct graph *g = &x->g;
  event_id id = graph_at(g, r->thread, r->index - 1);
  const struct event *load = &g->events[id];
  if (!is_plain_read(load) || load->loc != r->loc || load->rf == r->rf ||
      !load->state || vm_access(x->vm, r->pre)->kind != ACC_RMW_READ ||
      (r->flags & (EVF_UNINIT | EVF_PIECE)) || !is_at_most(load, r) ||
      vm_step(x->vm, load->pre, r->value) != load->state)
    return NO_EVENT;
  const struct access *w = vm_access(x->vm, vm_step(x->vm, r->pre, r->value));
  return w->kind == ACC_RMW_WRITE &&
                 vm_step(x->vm, load->pre, w->value) == load->pre
             ? id
             : NO_EVENT;
}

// Does r read, or would read, another write than the load of its round?
static bool has_other_source(struct explorer *x, const struct event *r,
                             event_id *load) {
  vm_try_begin(x->vm);
  *load = r->flags & EVF_CAS ? load_of_round(x, r) : load_of_update(x, r);
  vm_try_end(x->vm);
  return *load != NO_EVENT && x->g.events[*load].rf != r->rf;
}

// Has another thread read something between these two events of a thread?
static bool is_read_between(const struct graph *g, event_id first,
                            event_id last) {
  for (event_id e = g->events[last].prev; e > first; e = g->events[e].prev)
    if (g->events[e].kind == EV_READ &&
        g->events[e].thread != g->events[last].thread)
      return true;
  return false;
}

// (Updates of other kinds may still read something with which they go on, so
// their threads stop and the graph stays. Where co does not count, the second
// part has no order to speak of. Flags may be about what was old. Nor with
// equal threads: r' may be in the prefix of w, and r not, since an equal thread
// did what r' does; then r is deleted, and r' is not.)
static bool is_lost(struct explorer *x, event_id id, enum leave_when when) {
  event_id load;
  if (when == LEAVE_ENDED || is_guided(x))
    return false;
  const struct event *r = &x->g.events[id];
  return r->kind == EV_READ && (r->flags & EVF_CAS) &&
         (r->flags & (EVF_RETRY | EVF_AWAIT)) && !x->tracks && !x->grouped &&
         !explore_ignores_co(x) && !x->config.model->raises &&
         !explore_has_put_off(x) && has_other_source(x, r, &load) &&
         (r->rf < load || r->rf > id) && !is_read_between(&x->g, load, id);
}

static bool acquires_all(const struct model *m, enum order update) {
  bool is_known =
      model_builtin(m) || (m->declared & MODEL_ACQUIRES_ALL) ||
      ((m->declared & MODEL_ACQUIRES_ALONE) && !order_releases(update));
  return is_known && (m->load_orders & ORDER_ACQUIRE) && order_acquires(update);
}

// With dependencies a load must keep its source, since that of the update may
// be another write of the same value, and what is behind the address that both
// have read need not be the same to a load:
//
//   o = load(&top)                       of n, when it was there first
//   compare_exchange(&top, o, 0)         of n, when it was there again
//   load(&o->data)                       may be the old one, by the address
//
// Nothing but the address orders the last load, if the update is relaxed. If it
// acquires, and comes right behind the load, all that follows the load comes
// after the source of the update already. So does it where a success confirms a
// round: of two reads of one write, with nothing in between, the first one may
// be before all that follows the second if that one is. (Of texts it is proved
// that an acquire comes before later writes; that it comes before later loads
// is declared, MODEL_ACQUIRES_ALL.)
//
// Where a write reaches one thread before another, more is asked: no barrier is
// between the two reads. It would make known to all what the load has read, and
// what the update reads only to its own thread
// (tests/programs/awaits/load_keeps_barrier.c). So under power the update must
// not release (MODEL_ACQUIRES_ALONE). Then only dependencies and the load's own
// isync are new behind its source, and the update's isync is as strong as any
// of them (ci is in ii, cc and ic); its own write comes after its read, too, by
// po-loc. Not so under armv7, where a branch on the load comes before the write
// of the update, and the read of the update does not.
//
// Where dependencies order later writes alone (imm, c11), the update orders
// these as well, since it is a branch: what follows it comes after its source.
// And the plain stores in between are read by others only behind the update
// (are_stores).
static bool keeps_order(const struct explorer *x, const struct event *e,
                        const struct event *first) {
  const struct model *m = x->config.model;
  bool is_next = first->index + 1 == e->index;
  if ((m->declared & MODEL_ORDERS_WRITES) && (e->flags & EVF_CAS) &&
      !(e->flags & EVF_PICK))
    return true;
  return !x->tracks || (is_next && acquires_all(m, (enum order)e->order));
}

// Does another execution do the same as this update, which would succeed, with
// fewer rounds or fewer sources?
static bool stops_update(struct explorer *x, const struct event *e) {
  const struct event *r = event_of(&x->g, e->thread, e->index - 1);
  event_id load;
  bool confirms = (e->flags & EVF_CAS) && is_plain_read(r) &&
                  r->loc == e->loc && r->rf == e->rf;
  uint32_t begin =
      confirms && keeps_order(x, e, r) ? begin_of_round(x, r, e) : 0;
  if (begin) {
    round_races_note(x, e->thread, begin - 1, /*is_retry=*/true);
    round_time_note(x, e->thread, begin - 1, r->index);
  }
  bool stops = confirms ? begin != 0
                        : !is_guided(x) && has_other_source(x, e, &load) &&
                              keeps_order(x, e, &x->g.events[load]);
  if (stops && !confirms) {
    uint32_t index = x->g.events[load].index;
    round_races_look(x, e->thread, index);
    round_time_note(x, e->thread, index, index + 1);
  }
  x->result.retries += stops;
  if (stops)
    detours_exist(x);
  return stops;
}

// ---- hooks

static void init(struct explorer *x) {
  x->state[REDUCTION_RETRY] = xcalloc(1, sizeof(struct retries));
}

static void done(struct explorer *x) {
  array_done(&retries_of(x)->refreshes);
  free(retries_of(x));
}

static void begin(struct explorer *x) {
  memset(retries_of(x)->kept_at, 0, sizeof retries_of(x)->kept_at);
}

// What stands for an execution may be allowed when it is not.
static const char *why_not(const struct explorer *x) {
  return x->config.model_options.in_pieces ? "accesses are in pieces" : NULL;
}

const struct mechanism retry_hooks = {
    .init = init,
    .done = done,
    .begin = begin,
    .why_not = why_not,
    .went_on = look,
    .stops_update = stops_update,
    .leaves = is_lost,
};
