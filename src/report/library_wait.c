// SPDX-License-Identifier: MIT
// Calls that wait for another thread to do something: condition variables,
// barriers and futexes. They have a row where they begin to wait and one where
// they go on; a wake-up says whom it wakes, or that no thread waits.
#include "report/library.h"

#include <string.h>

static bool is_named(const struct teller *t, uint32_t e, const char *prefix) {
  return strncmp(t->v->events.at[e].location, prefix, strlen(prefix)) == 0;
}

// Adds "T1, T2": the threads whose bits are set.
static void add_threads(uint64_t threads, struct str *out) {
  const char *before = "";
  for (; threads; threads &= threads - 1) {
    str_add(out, "%sT%d", before, __builtin_ctzll(threads));
    before = ", ";
  }
}

// -- condition variables (rt/cond.c)

// Where the call that began with event `e` gives the mutex back.
static uint32_t mutex_of(const struct teller *t, uint32_t e) {
  for (uint32_t i = e; i < call_end(t) && call_is_same(t, e, i); i++)
    if (t->v->events.at[i].flags & (EVF_UNLOCK | EVF_LOCK))
      return i;
  return VIEW_NOTHING;
}

static void begin_to_wait(struct teller *t, uint32_t e) {
  struct str args = {0};
  uint32_t mutex = mutex_of(t, e);
  call_object(t, e, &args);
  if (mutex != VIEW_NOTHING) {
    str_add(&args, ", ");
    call_object(t, mutex, &args);
  }
  t->args = call_keep(t, &args);
  t->first_row = e;
  t->woken_by = VIEW_NOTHING;
  call_tell(t, e, t->args, VIEW_NOTHING, VIEW_NOTHING, "waits");
}

// The mutex is given back: a part of waiting, unless the thread gives up, which
// no other event of the call says.
static void give_back(struct teller *t, uint32_t e) {
  if (t->first_row != VIEW_NOTHING && call_is_same(t, t->first_row, e)) {
    call_join(t, e, t->first_row);
    return;
  }
  struct str args = {0};
  str_add(&args, "..., ");
  call_object(t, e, &args);
  t->args = call_keep(t, &args);
  t->first_row = VIEW_NOTHING;
  t->woken_by = VIEW_NOTHING;
  call_tell(t, e, t->args, VIEW_NOTHING, VIEW_NOTHING, "gives %s back",
            t->v->events.at[e].location);
}

// The thread has the mutex again, or waits for it.
static void take_again(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  uint32_t from = (call_is_update(t, e) ? ev - 1 : ev)->rf;
  bool is_told = from != VIEW_INIT && from != VIEW_NOTHING;
  const char *woken = t->woken_by != VIEW_NOTHING ? "woken by \1" : "gave up";
  if (call_is_update(t, e))
    call_tell(t, e, t->args, t->woken_by, from, "%s, has %s again%s", woken,
              ev->location, is_told ? " (after \2)" : "");
  else
    call_tell(t, e, t->args, t->woken_by, from, "%s, waits for %s%s", woken,
              ev->location, is_told ? " (held by \2)" : "");
  t->first_row = VIEW_NOTHING;
}

static bool locks_next(const struct teller *t, uint32_t e) {
  for (uint32_t i = e + 1; i < call_end(t) && call_is_same(t, e, i); i++)
    if (t->v->events.at[i].flags & EVF_LOCK)
      return true;
  return false;
}

void tell_cond_wait(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  bool is_update = call_is_update(t, e);
  unsigned flags = ev->flags | (is_update ? (ev - 1)->flags : 0);
  if (flags & EVF_UNLOCK) {
    give_back(t, e);
  } else if (flags & EVF_LOCK) {
    take_again(t, e);
  } else if (is_update && is_named(t, e, "__cond_woken")) {
    t->woken_by = (ev - 1)->rf;
    if (!locks_next(t, e))
      call_tell(t, e, t->args, t->woken_by, VIEW_NOTHING, "woken by \1");
  } else if (is_update) {
    begin_to_wait(t, e);
  } else if (is_named(t, e, "__cond_woken")) {
    if (ev->is_marked)
      call_tell(t, e, t->args, VIEW_NOTHING, VIEW_NOTHING, "is never woken");
    else if (t->first_row != VIEW_NOTHING)
      call_join(t, e, t->first_row);
  }
}

void tell_wake(struct teller *t, uint32_t e, bool is_broadcast) {
  const struct view_event *ev = &t->v->events.at[e];
  struct str object = {0}, woken = {0};
  if (call_is_update(t, e)) {
    uint64_t before = call_event(t, e - 1)->value,
             after = is_broadcast ? 0 : call_event(t, e)->value;
    add_threads(before & ~after, &woken);
    call_object(t, e, &object);
    call_tell(t, e, str_text(&object), VIEW_NOTHING, VIEW_NOTHING, "%s%s",
              woken.len ? "wakes " : "no thread waits", str_text(&woken));
    t->first_row = e;
  } else if (ev->kind == EV_WRITE && t->first_row != VIEW_NOTHING) {
    call_join(t, e, t->first_row);
  } else if (ev->kind == EV_READ && !(ev->flags & EVF_CAS) &&
             call_event(t, e)->value == 0) {
    call_object(t, e, &object);
    call_tell(t, e, str_text(&object), VIEW_NOTHING, VIEW_NOTHING,
              "no thread waits");
  }
  str_done(&object);
  str_done(&woken);
}

// -- barriers (rt/barrier.c)

static void arrive(struct teller *t, uint32_t e) {
  uint64_t number = call_event(t, e - 1)->value, all = t->count ? t->count : 1;
  uint64_t nth = number % all + 1;
  uint32_t from = t->v->events.at[e - 1].rf;
  struct str args = {0};
  call_object(t, e, &args);
  t->args = call_keep(t, &args);
  t->first_row = e;
  call_tell(t, e, t->args, from, VIEW_NOTHING, "%llu of %llu threads, %s%s",
            (unsigned long long)nth, (unsigned long long)all,
            nth == all ? "opens it" : "waits",
            nth == 1 || from >= t->v->events.len ? "" : " (after \1)");
  t->woken_by = nth == all ? e : VIEW_NOTHING;
}

void tell_barrier(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  if (call_is_update(t, e)) {
    arrive(t, e);
  } else if (ev->kind == EV_READ && ev->order == ORD_NA) {
    t->count = call_event(t, e)->value;
  } else if (ev->kind == EV_WRITE || t->woken_by == t->first_row) {
    if (t->first_row != VIEW_NOTHING)
      call_join(t, e, t->first_row);
  } else if (ev->kind == EV_READ && !call_is_stuck(t, e)) {
    call_tell(t, e, t->args, ev->rf, VIEW_NOTHING, "opened by \1");
  } else if (ev->kind == EV_READ && ev->is_marked) {
    call_tell(t, e, t->args, VIEW_NOTHING, VIEW_NOTHING, "never opens");
  }
}

// -- futexes (rt/futex.c)

// What happens from where the kernel's lock is taken to where it is given back.
struct section {
  uint32_t look;   // the read of the word, or VIEW_NOTHING
  uint32_t list;   // the first look at who waits, or VIEW_NOTHING
  uint64_t before; // the threads that wait, as they were read last
  uint64_t woken;
  bool registers; // the thread begins to wait
  bool moves, updates, times_out;
};

// Reads and writes of the set of threads that wait.
static void look_at_list(const struct teller *t, uint32_t e,
                         struct section *s) {
  uint64_t value = call_event(t, e)->value;
  if (t->v->events.at[e].kind == EV_READ) {
    s->before = value;
    s->list = s->list == VIEW_NOTHING ? e : s->list;
  } else {
    s->registers |= (value & ~s->before) != 0;
    s->woken |= s->before & ~value;
  }
}

static struct section look_at_section(const struct teller *t, uint32_t lock) {
  struct section s = {.look = VIEW_NOTHING, .list = VIEW_NOTHING};
  const struct view_event *at = t->v->events.at;
  for (uint32_t e = lock + 1; e < call_end(t) && call_is_same(t, lock, e) &&
                              !(at[e].flags & EVF_UNLOCK);
       e++) {
    if (at[e].kind == EV_CHOICE)
      s.times_out |= s.list == VIEW_NOTHING && call_event(t, e)->value == 1;
    else if (is_named(t, e, "__futex_waiting"))
      look_at_list(t, e, &s);
    else if (is_named(t, e, "__futex_word"))
      s.moves |= at[e].kind == EV_WRITE;
    else if (is_named(t, e, "__futex_"))
      continue;
    else if (at[e].kind == EV_WRITE)
      s.updates = true;
    else if (at[e].kind == EV_READ && s.look == VIEW_NOTHING)
      s.look = e;
  }
  return s;
}

// The word that the system call is about: the lock is taken for it.
static const char *word_of(const struct teller *t, uint32_t lock) {
  struct str name = {0};
  const struct event *e = call_event(t, lock);
  name_pointer(t->names, e->pre ? vm_access(t->vm, e->pre)->value2 : 0, &name);
  return call_keep(t, &name);
}

static const char *command_of(const struct section *s) {
  if (s->registers)
    return "FUTEX_WAIT";
  return s->updates ? "FUTEX_WAKE_OP"
         : s->moves ? "FUTEX_REQUEUE"
                    : "FUTEX_WAKE";
}

static void tell_section(struct teller *t, uint32_t lock) {
  struct section s = look_at_section(t, lock);
  uint32_t row = s.look != VIEW_NOTHING && !s.updates ? s.look : s.list;
  const char *word = word_of(t, call_is_update(t, lock) ? lock - 1 : lock);
  struct str args = {0}, woken = {0};
  if (row == VIEW_NOTHING)
    row = lock;
  str_add(&args, "%s", word);
  if (s.registers || s.look == VIEW_NOTHING || s.updates)
    str_add(&args, ", %s", command_of(&s));
  t->args = call_keep(t, &args);
  t->first_row = row;
  add_threads(s.woken, &woken);
  uint32_t from = s.look != VIEW_NOTHING ? t->v->events.at[s.look].rf : row;
  const char *value =
      s.look != VIEW_NOTHING ? t->v->events.at[s.look].value : "";
  if (s.registers)
    call_tell(t, row, t->args, from, VIEW_NOTHING, "waits, value %s (from \1)",
              value);
  else if (s.list == VIEW_NOTHING && s.look != VIEW_NOTHING)
    call_tell(t, row, t->args, from, VIEW_NOTHING, "%s, value %s (from \1)",
              s.times_out ? "times out" : "does not wait", value);
  else
    call_tell(t, row, t->args, VIEW_NOTHING, VIEW_NOTHING, "%s%s%s",
              woken.len ? "wakes "
              : s.moves ? ""
                        : "no thread waits",
              str_text(&woken),
              !s.moves    ? ""
              : woken.len ? ", others wait for another word"
                          : "others wait for another word");
  str_done(&woken);
}

void tell_futex(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  bool is_update = call_is_update(t, e);
  unsigned flags = ev->flags | (is_update ? (ev - 1)->flags : 0);
  if (flags & EVF_LOCK)
    tell_section(t, e);
  else if (is_update && is_named(t, e, "__futex_woken"))
    call_tell(t, e, t->args, (ev - 1)->rf, VIEW_NOTHING, "woken by \1");
  else if (is_named(t, e, "__futex_woken") && ev->kind == EV_READ)
    if (ev->is_marked)
      call_tell(t, e, t->args, VIEW_NOTHING, VIEW_NOTHING, "is never woken");
}
