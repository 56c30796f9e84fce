// SPDX-License-Identifier: MIT
// Locks that the program makes itself, taken and given back in each round:
//
//   do {
//     while (exchange(&word, 1)) {}          take
//     done = flag;
//     store(&word, 0);                       give
//   } while (!done);
//
// With a mutex of the library such a round leaves no trace if it only reads
// in between (await.c). A word is one more variable, though, and others may see
// that it was taken. Yet nothing comes of that if all they do is wait. So let
// `word` be one of which the following is true in all of the search; then a
// round like that is a failed round of an await, and the thread waits.
//
//   - A thread that does not hold the word accesses it by *taking* it only: it
//     reads it, perhaps several times, and at last updates it from its free
//     value to another one, and then it holds it. Whatever it reads on the way,
//     it accesses nothing else, writes nothing else than what it read, and
//     comes to the same update, which leads to the same state (is_take).
//   - A thread that holds the word may read it, and gives it back by writing
//     the free value.
//
// By coherence and atomicity, what takes and what gives the word alternate in
// co, each give right behind the take of its thread: an update that reads what
// a take wrote does not go on. (A round may also give back a word that its
// thread holds and take it again, if no other had it in between.) Let G be an
// execution with rounds that take and give back such words, and only read
// otherwise. Let G' be what is left of G without one of these rounds. Who read
// what the round gave reads now what the round took; the value is the same. Who
// saw the word taken by the round was about to take it: all that it read on its
// way goes as well, and it reads the source of its update at once.
//
// G' is an execution, and it has the errors of G:
//   - The threads do in it what they did, by what was said of taking.
//   - The model allows it. Events are taken out, which forbids nothing. Where
//     an update S read what the round gave, it reads w now, the source of the
//     take. If the take acquires and the give releases, what is before w was
//     before S in G, by happens-before and by the order of imm and armv8 alike:
//     rollback.c has the same argument for a chain of updates. If not, nothing
//     may release w (and no dependency count): then S learns nothing from it.
//     The loads with which S begins, where its thread saw the word taken, read
//     w too. They are not stronger than S, and where dependencies count S
//     acquires, so they order nothing that S does not.
//   - Values are the same and less happens before, so assertions fail and races
//     are races as before. Those of the round itself are found when it is
//     added: its thread stops behind it, not the search. A thread that waits
//     for ever finds the same values.
// That a thread may find the word taken each time it looks, and starve, is not
// looked for (livelock.c).
//
// All this is asked of each access to the word. To see all of them the search
// begins again when the first round turns up, and once more, with all rounds,
// if an access does something else.
#include "explore/loops/loops.h"
#include "explore/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_WAY = 512, // states on the way to it: some count how often they looked
  MAX_PAIRS = 8, // words that a round takes
};

struct lock_word {
  loc_id loc;
  bool is_refuted;
  bool is_weak;  // some take does not acquire, or some give does not release
  bool releases; // some write does
  uint64_t free, held[MAX_HELD];
  uint32_t nheld;
  ARRAY(state_id) asked; // states in which threads begin to take it
  ARRAY(bool) is_way;    // by state: it is on the way from one of these
};

struct lock_words {
  struct lock_word *at;
  uint32_t len, cap;
};

static struct lock_words *words_of(const struct explorer *x) {
  return x->state[REDUCTION_LOCK_WORDS];
}

static struct lock_word *find_word(const struct explorer *x, loc_id loc) {
  const struct lock_words *all = words_of(x);
  for (uint32_t i = 0; i < all->len; i++)
    if (all->at[i].loc == loc)
      return &all->at[i];
  return NULL;
}

bool lock_word_is_one(const struct explorer *x, loc_id loc) {
  const struct lock_word *w = find_word(x, loc);
  return w && !w->is_refuted;
}

// Does a thread wait for the word that `e` gives back? Then the round is not
// its last word.
bool lock_word_is_waited_for(const struct explorer *x, const struct event *e) {
  if (e->kind != EV_WRITE || !lock_word_is_one(x, e->loc) ||
      e->value != find_word(x, e->loc)->free)
    return false;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (t == e->thread || !graph_thread_length(&x->g, t))
      continue;
    const struct event *last = &x->g.events[graph_tail(&x->g, t)];
    if (is_access(last) && (last->flags & EVF_AWAIT) && last->loc == e->loc &&
        last->value != e->value)
      return true;
  }
  return false;
}

bool lock_word_is_locked_out(const struct explorer *x, event_id read) {
  const struct event *r = &x->g.events[read];
  return r->kind == EV_READ && lock_word_is_one(x, r->loc) &&
         r->value != find_word(x, r->loc)->free && r->rf != INIT_EVENT &&
         x->g.events[r->rf].thread != r->thread;
}

// ---- taking

// The states in which a thread may be while it takes the word.
struct way {
  state_id at[MAX_WAY];
  uint32_t len;
  state_id update; // the read of the update that takes it
};

static bool add_state(struct way *way, state_id s) {
  for (uint32_t i = 0; i < way->len; i++)
    if (way->at[i] == s)
      return true;
  if (!s || way->len == MAX_WAY)
    return false;
  way->at[way->len++] = s;
  return true;
}

static bool is_same_access(const struct access *a, const struct access *b) {
  return a->kind == b->kind && a->loc == b->loc && a->order == b->order &&
         a->order_fail == b->order_fail && a->flags == b->flags &&
         !(a->flags & ACCF_UNINIT);
}

// Do updates s and t, which read the free value, write the same and lead to the
// same state?
static bool is_same_update(struct explorer *x, state_id s, state_id t,
                           uint64_t free) {
  if (s == t)
    return true;
  if (!is_same_access(vm_access(x->vm, s), vm_access(x->vm, t)))
    return false;
  s = vm_step(x->vm, s, free);
  t = vm_step(x->vm, t, free);
  return is_same_access(vm_access(x->vm, s), vm_access(x->vm, t)) &&
         vm_access(x->vm, s)->value == vm_access(x->vm, t)->value &&
         vm_step(x->vm, s, 0) == vm_step(x->vm, t, 0);
}

// Follows the thread from state s when it reads this value.
static bool follow(struct explorer *x, const struct lock_word *w,
                   struct way *way, state_id s, uint64_t value) {
  state_id next = vm_step(x->vm, s, value);
  if (!next || vm_access(x->vm, next)->kind != ACC_RMW_WRITE)
    return add_state(way, next);
  if (vm_access(x->vm, next)->value == value)
    return add_state(way, vm_step(x->vm, next, 0));
  if (value != w->free ||
      (way->update && !is_same_update(x, way->update, s, w->free)))
    return false;
  way->update = s;
  return true;
}

static bool follow_weak_failure(struct explorer *x, struct way *way,
                                state_id s) {
  const struct access a = *vm_access(x->vm, s);
  if (a.kind != ACC_CAS_READ || !(a.flags & ACCF_WEAK))
    return true;
  state_id fails = vm_step(x->vm, vm_weak(x->vm, s), 1);
  return add_state(way, vm_step(x->vm, fails, a.value));
}

static bool is_read_of(const struct access *a, loc_id loc) {
  return (a->kind == ACC_READ || a->kind == ACC_RMW_READ ||
          a->kind == ACC_CAS_READ) &&
         a->loc == loc && a->order != ORD_NA &&
         !(a->flags & (a->kind == ACC_READ ? ACCF_LINKED | ACCF_PIECE : 0));
}

// Is a load on the way not stronger than the update?
static bool is_weak_enough(const struct explorer *x, const struct way *way) {
  enum order most = (enum order)vm_access(x->vm, way->update)->order;
  if (x->tracks && !order_acquires(most))
    return false;
  for (uint32_t i = 0; i < way->len; i++) {
    const struct access *a = vm_access(x->vm, way->at[i]);
    enum order o =
        (enum order)(a->kind == ACC_CAS_READ ? a->order_fail : a->order);
    if (way->at[i] != way->update &&
        ((o == ORD_SC && most != ORD_SC) ||
         (order_acquires(o) && !order_acquires(most))))
      return false;
  }
  return true;
}

// A thread that is on the way to a take takes the word as well.
static void note_way(struct lock_word *w, const struct way *way) {
  for (uint32_t i = 0; i < way->len; i++) {
    while (w->is_way.len <= way->at[i])
      array_push(&w->is_way, false);
    w->is_way.at[way->at[i]] = true;
  }
}

// Does a thread in state s take the word, whatever it finds there?
static bool is_take(struct explorer *x, struct lock_word *w, state_id s) {
  struct way way = {.at = {s}, .len = 1};
  bool ok = true;
  vm_try_begin(x->vm);
  for (uint32_t i = 0; ok && i < way.len; i++) {
    state_id now = way.at[i];
    ok = now < x->g.transient_states &&
         is_read_of(vm_access(x->vm, now), w->loc) &&
         follow(x, w, &way, now, w->free) && follow_weak_failure(x, &way, now);
    for (uint32_t k = 0; ok && k < w->nheld; k++)
      ok = follow(x, w, &way, now, w->held[k]);
  }
  ok = ok && way.update && is_weak_enough(x, &way);
  vm_try_end(x->vm);
  if (ok)
    note_way(w, &way);
  return ok;
}

// ---- what is asked of each access

static bool is_silent(const struct graph *g, const struct event *write) {
  return (write->flags & EVF_EXCLUSIVE) &&
         trace_read_of(g, write)->value == write->value;
}

// Does thread t hold the word? Its last write that changed something says so.
static bool holds(const struct explorer *x, const struct lock_word *w,
                  thread_id t) {
  if (w->loc >= x->g.locs.len || !(x->g.locs.at[w->loc].threads >> t & 1))
    return false;
  const struct event_list *mine = &x->g.locs.at[w->loc].by_thread[t];
  for (uint32_t i = mine->len; i-- > 0;) {
    const struct event *e = &x->g.events[mine->at[i]];
    if (e->kind == EV_WRITE && !is_silent(&x->g, e))
      return e->value != w->free;
  }
  return false;
}

static bool ask(struct explorer *x, struct lock_word *w, state_id s) {
  if (s < w->is_way.len && w->is_way.at[s])
    return true;
  if (!is_take(x, w, s))
    return false;
  array_push(&w->asked, s);
  return true;
}

// The word has this value while it is taken: everybody must wait for that too.
static bool add_held(struct explorer *x, struct lock_word *w, uint64_t value) {
  for (uint32_t i = 0; i < w->nheld; i++)
    if (w->held[i] == value)
      return true;
  if (w->nheld == MAX_HELD)
    return false;
  w->held[w->nheld++] = value;
  w->is_way.len = 0;
  for (uint32_t i = 0; i < w->asked.len; i++)
    if (!is_take(x, w, w->asked.at[i]))
      return false;
  return true;
}

// The write of an update whose thread does not hold the word.
static bool is_take_or_silent(struct explorer *x, struct lock_word *w,
                              thread_id t, uint64_t value) {
  uint64_t found = x->g.events[graph_tail(&x->g, t)].value;
  return found == value || (found == w->free && add_held(x, w, value));
}

// Is main alone, as it is before it creates a thread?
static bool is_before_all(const struct explorer *x, thread_id t) {
  for (thread_id u = 1; u < x->g.nthreads; u++)
    if (graph_thread_length(&x->g, u))
      return false;
  return t == 0;
}

static bool fits(struct explorer *x, struct lock_word *w, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access a = *vm_access(x->vm, s);
  bool is_first = is_before_all(x, t), is_uninit;
  if (vm_next_overlap(x->vm, w->loc, NO_LOC) != NO_LOC ||
      (event_value_of(x, w->loc, INIT_EVENT, &is_uninit) != w->free &&
       !is_uninit))
    return false;
  switch ((enum access_kind)a.kind) {
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
    return is_first || holds(x, w, t) || ask(x, w, s);
  case ACC_WRITE:
    return !(a.flags & (ACCF_UNINIT | ACCF_LINKED)) && a.value == w->free &&
           (is_first || holds(x, w, t));
  case ACC_RMW_WRITE:
    if (a.flags & ACCF_UNINIT)
      return false;
    return holds(x, w, t) ? a.value == w->free
                          : is_take_or_silent(x, w, t, a.value);
  default:
    return false;
  }
}

// Notes how strong the access is. Were rounds left out that must not be?
static bool note_order(struct lock_word *w, const struct access *a) {
  bool was_mixed = w->is_weak && w->releases;
  enum order o = (enum order)a->order;
  if (a->kind == ACC_WRITE || a->kind == ACC_RMW_WRITE)
    w->releases |= order_releases(o);
  if (a->kind == ACC_WRITE)
    w->is_weak |= !order_releases(o);
  if (a->kind == ACC_RMW_READ || a->kind == ACC_CAS_READ)
    w->is_weak |= !order_acquires(o);
  return w->is_weak && w->releases && !was_mixed;
}

// Does the next access of the thread show that one is none? Then the search has
// to begin again.
static bool refutes(struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  struct lock_word *w = access_has_location(a) ? find_word(x, a->loc) : NULL;
  if (!w || w->is_refuted)
    return false;
  graph_need_loc(&x->g, w->loc);
  w->is_refuted = !fits(x, w, t);
  if (!w->is_refuted && !note_order(w, a))
    return false;
  x->restart |= RESTART_WITH_MEMORY;
  return true;
}

// ---- rounds

// A word that the round took, or gave back although its thread held it.
struct pair {
  loc_id loc;
  bool is_given;
  event_id id;     // of that write
  uint64_t before; // the value that the word had then
};

struct pairs {
  struct pair at[MAX_PAIRS]; // those that are open
  unsigned open;
  struct {
    loc_id loc;
    uint64_t free;
    bool is_strong;
  } words[MAX_PAIRS]; // all of them
  unsigned len;
};

// The value of the word before the write: what the update read, or what the
// thread itself wrote there last.
static uint64_t value_before(const struct graph *g, const struct event *e) {
  if (e->flags & EVF_EXCLUSIVE)
    return trace_read_of(g, e)->value;
  const struct event_list *mine = &g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = graph_count_below(g, mine, e->index); i-- > 0;) {
    const struct event *b = &g->events[mine->at[i]];
    if (b->kind == EV_WRITE)
      return b->value;
  }
  return e->value; // no one: nothing was held
}

// Does the first write of a round to a word give it back? The word was free in
// the beginning.
static bool is_give(const struct explorer *x, const struct event *e) {
  bool is_uninit;
  uint64_t first = event_value_of(x, e->loc, INIT_EVENT, &is_uninit);
  return !(e->flags & EVF_EXCLUSIVE) || (!is_uninit && e->value == first);
}

static bool open_pair(const struct explorer *x, event_id id, struct pairs *p) {
  const struct event *e = &x->g.events[id];
  struct pair new = {.loc = e->loc,
                     .id = id,
                     .is_given = is_give(x, e),
                     .before = value_before(&x->g, e)};
  if (p->len == MAX_PAIRS || new.before == e->value)
    return false;
  p->at[p->open++] = new;
  p->words[p->len].loc = e->loc;
  p->words[p->len].free = new.is_given ? e->value : new.before;
  p->words[p->len++].is_strong =
      new.is_given || order_acquires(trace_read_of(&x->g, e)->order);
  return true;
}

// The second one puts back what was there before the first.
static bool close_pair(const struct graph *g, event_id id, struct pair first,
                       struct pairs *p) {
  const struct event *e = &g->events[id];
  for (unsigned i = 0; i < p->len; i++)
    if (p->words[i].loc == e->loc)
      p->words[i].is_strong &= first.is_given || order_releases(e->order);
  return e->value == first.before &&
         (!first.is_given ||
          ((e->flags & EVF_EXCLUSIVE) && trace_read_of(g, e)->rf == first.id));
}

static bool add_write(const struct explorer *x, event_id id, struct pairs *p) {
  unsigned i = 0;
  while (i < p->open && p->at[i].loc != x->g.events[id].loc)
    i++;
  if (i == p->open)
    return open_pair(x, id, p);
  struct pair first = p->at[i];
  p->at[i] = p->at[--p->open];
  return close_pair(&x->g, id, first, p);
}

static const uint32_t not_words =
    EVF_UNLOCK | EVF_LINKED | EVF_PIECE | EVF_UNINIT;

// Does the round of thread t from index `first` up to `end` take and give back
// words, and leave no other trace?
static bool gives_back(const struct explorer *x, thread_id t, uint32_t first,
                       uint32_t end, struct pairs *p) {
  const struct graph *g = &x->g;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(g, t, i);
    if (!trace_is_none(g, id) &&
        (g->events[id].kind != EV_WRITE || (g->events[id].flags & not_words) ||
         !add_write(x, id, p)))
      return false;
  }
  return p->len && !p->open;
}

bool lock_word_leaves_no_trace(const struct explorer *x, thread_id t,
                               uint32_t first, uint32_t end) {
  struct pairs p = {0};
  if (!gives_back(x, t, first, end, &p))
    return false;
  for (unsigned i = 0; i < p.len; i++) {
    const struct lock_word *w = find_word(x, p.words[i].loc);
    if (!w || w->is_refuted || w->free != p.words[i].free ||
        (w->releases && !p.words[i].is_strong))
      return false;
  }
  return true;
}

// ---- which words are looked at

// Not with C++11's release sequences, which plain writes of the thread that
// began one continue. A round of another thread between two of its own ends the
// sequence; without the round the second give, if it does not release, belongs
// to the sequence of the first, and who reads it knows more than before. So
// what is left of an execution could hide a race.
static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  const struct model *known = model_builtin(c->model);
  return c->model_options.c11_release_sequences || !known ||
                 !known->chains_order
             ? "it is not proved of the model"
             : NULL;
}

// May a write release that does not say so?
static bool may_release_all(const struct explorer *x) {
  bool has_fence = x->tracks;
  for (uint32_t pc = 0; pc < x->prog->code.len; pc++)
    has_fence |= x->prog->code.at[pc].op == OP_fence;
  return has_fence;
}

void lock_word_look(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  uint32_t newest = graph_newest_with(&x->g, e->thread, e->state);
  struct pairs p = {0};
  if (e->kind == EV_READ || !newest || !explore_reduces(x, REDUCE_LOCK_WORDS) ||
      x->config.model_options.in_pieces || !cells_may_begin_again(x) ||
      !gives_back(x, e->thread, newest - 1, e->index + 1, &p))
    return;
  for (unsigned i = 0; i < p.len; i++) {
    if (find_word(x, p.words[i].loc))
      continue;
    array_push(words_of(x),
               ((struct lock_word){.loc = p.words[i].loc,
                                   .free = p.words[i].free,
                                   .releases = may_release_all(x)}));
    x->restart |= RESTART_UNEQUAL;
  }
}

static void forget_states(struct explorer *x) {
  struct lock_words *all = words_of(x);
  for (uint32_t i = 0; i < all->len; i++)
    all->at[i].asked.len = all->at[i].is_way.len = all->at[i].nheld = 0;
}

static void init(struct explorer *x) {
  x->state[REDUCTION_LOCK_WORDS] = xcalloc(1, sizeof(struct lock_words));
}

static void done(struct explorer *x) {
  struct lock_words *all = words_of(x);
  for (uint32_t i = 0; i < all->len; i++) {
    array_done(&all->at[i].asked);
    array_done(&all->at[i].is_way);
  }
  array_done(all);
  free(all);
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  for (uint32_t i = 0; known && i < known->locks.len; i++) {
    const struct assumed_lock *l = &known->locks.at[i];
    struct lock_word w = {
        .loc = vm_location_like(
            x->vm, &(struct location){.address = l->address, .size = l->size}),
        .is_refuted = l->is_refuted,
        .is_weak = l->is_weak,
        .releases = l->releases,
        .free = l->free,
        .nheld = l->nheld};
    memcpy(w.held, l->held, sizeof w.held);
    array_push(words_of(x), w);
  }
}

static void tell(const struct explorer *x, struct assumptions *learned) {
  const struct lock_words *all = words_of(x);
  for (uint32_t i = 0; i < all->len; i++) {
    const struct lock_word *w = &all->at[i];
    const struct location *where = vm_location(x->vm, w->loc);
    struct assumed_lock l = {.address = where->address,
                             .size = where->size,
                             .is_refuted = w->is_refuted,
                             .is_weak = w->is_weak,
                             .releases = w->releases,
                             .is_asked = w->asked.len != 0,
                             .free = w->free,
                             .nheld = w->nheld};
    memcpy(l.held, w->held, sizeof l.held);
    array_push(&learned->locks, l);
  }
}

const struct mechanism lock_words_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .tell = tell,
    .forgets_states = forget_states,
    .why_not = why_not,
};

static const char *why_no_words(const struct explorer *x) {
  return words_of(x)->len ? NULL : "no word is known to be a lock";
}

const struct mechanism known_locks_hooks = {
    .why_not = why_no_words,
    .refutes = refutes,
};
