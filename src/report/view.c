// SPDX-License-Identifier: MIT
// Made in one pass over the graph; the view owns all of its text.
#include "report/view.h"

#include "model/justify.h"

#include "report/name.h"

#include <string.h>

struct builder {
  struct view *v;
  struct names names;
  const struct prog *prog;
  struct vm *vm;
  const struct graph *g;
  const struct finding *f;
  uint32_t *view_of; // by event_id: its number in the view
};

const char *event_kind_name(enum event_kind k) {
  static const char *const name[] = {
      "init", "read",   "write", "fence", "start",  "create", "end",
      "join", "detach", "alloc", "free",  "choice", "output", "answer",
  };
  ONE_FOR_EACH(name, EV_ANSWER + 1);
  check(k < LENGTH(name));
  return name[k];
}

const char *end_kind_name(enum end_kind k) {
  static const char *const name[] = {
      "finished", "error", "lock",   "join",    "spin",
      "assume",   "cut",   "exited", "stopped",
  };
  ONE_FOR_EACH(name, END_KINDS);
  check(k < LENGTH(name));
  return name[k];
}

static struct place place_of_source(const struct prog *p,
                                    const struct source *s) {
  if (!s)
    return (struct place){.file = "", .func = ""};
  s = prog_outside(p, s);
  return (struct place){prog_text(p, s->file), prog_text(p, s->func), s->line,
                        s->column};
}

uint32_t view_column(const struct view *v, unsigned thread) {
  uint32_t c = 0;
  while (c < v->threads.len && v->threads.at[c].id != thread)
    c++;
  check(c < v->threads.len);
  return c;
}

struct place place_of_site(const struct prog *p, site_id s) {
  return place_of_source(p, s < p->source.len ? &p->source.at[s] : NULL);
}

// Keeps a text as long as the view lives, and frees the builder's copy.
static const char *keep(struct builder *b, struct str *text) {
  struct strings *s = &b->v->strings;
  const char *kept = strings_get(s, strings_add(s, str_text(text)));
  str_done(text);
  return kept;
}

// -- events

// "m.word" is the mutex "m": its only field is how Heddle implements it.
static void drop_last_member(struct str *name) {
  char *dot = name->at ? strrchr(name->at, '.') : NULL;
  if (dot && !strchr(dot, ']') && !strchr(dot, '@')) {
    *dot = 0;
    name->len = (uint32_t)(dot - name->at);
  }
}

// A lock's read, the write that follows it, or an unlock.
static bool is_of_mutex(const struct builder *b, const struct event *e) {
  if (e->flags & (EVF_LOCK | EVF_UNLOCK))
    return true;
  if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE) || e->index == 0)
    return false;
  event_id read = graph_at(b->g, e->thread, e->index - 1);
  return (graph_event(b->g, read)->flags & EVF_LOCK) != 0;
}

static const char *location_text(struct builder *b, const struct event *e) {
  struct str name = {0};
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_WRITE:
    name_location(&b->names, e->loc, &name);
    if (is_of_mutex(b, e))
      drop_last_member(&name);
    break;
  case EV_ALLOC:
  case EV_FREE:
    name_object(&b->names, e->loc, &name);
    break;
  case EV_SPAWN:
  case EV_JOIN:
  case EV_DETACH:
    str_add(&name, "T%u", e->loc);
    break;
  case EV_OUTPUT:
    if (vm_observes(b->vm, e->pre))
      str_add(&name, "%s", vm_text(b->vm, e->value));
    break;
  case EV_INIT:
  case EV_FENCE:
  case EV_START:
  case EV_END:
  case EV_CHOICE:
  case EV_ANSWER:
    break;
  }
  return keep(b, &name);
}

// Is no bit of what the access reads or writes defined?
static bool is_all_undefined(const struct builder *b, const struct event *e) {
  return (e->kind == EV_READ ? explore_undef_of(b->vm, b->g, e)
                             : vm_undef(b->vm, e->pre)) == UNDEF_ALL;
}

static type_id type_of_access(const struct builder *b, const struct event *e) {
  const struct source *from = source_of_event(&b->names, e);
  return from ? from->type : 0;
}

static const char *value_text(struct builder *b, const struct event *e) {
  struct str text = {0};
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_WRITE:
    if ((e->flags & EVF_UNINIT) && is_all_undefined(b, e)) {
      str_add(&text, "uninitialized");
      break;
    }
    name_value_as(&b->names, e->loc, e->value, type_of_access(b, e), &text);
    if (e->flags & EVF_UNINIT)
      str_add(&text, " (partly uninitialized)");
    break;
  case EV_ALLOC:
  case EV_CHOICE:
    str_add(&text, "%lld", (long long)e->value);
    break;
  case EV_END:
  case EV_JOIN:
    name_pointer(&b->names, e->value, &text);
    break;
  case EV_OUTPUT: {
    const char *output = vm_text(b->vm, e->value);
    if (vm_observes(b->vm, e->pre))
      str_add(&text, "%lld", (long long)vm_access(b->vm, e->pre)->value2);
    else
      name_bytes(output, strlen(output), &text);
    break;
  }
  case EV_FENCE:
    str_add(&text, "%s", fence_set(fence_kind_of(e->value)));
    break;
  case EV_INIT:
  case EV_START:
  case EV_SPAWN:
  case EV_DETACH:
  case EV_FREE:
  case EV_ANSWER:
    break;
  }
  return keep(b, &text);
}

static const char *expected_text(struct builder *b, const struct event *e) {
  struct str text = {0};
  bool failed = (e->flags & (EVF_CAS | EVF_PICK)) &&
                !(e->flags & (EVF_EXCLUSIVE | EVF_PIECE));
  if (failed && e->pre)
    name_value_as(&b->names, e->loc, vm_access(b->vm, e->pre)->value,
                  type_of_access(b, e), &text);
  return keep(b, &text);
}

// The function that a thread-creating event starts; NULL: unknown.
static const struct func *started(const struct builder *b,
                                  const struct event *spawn) {
  uint64_t address = spawn->pre ? vm_access(b->vm, spawn->pre)->value : 0;
  uint32_t func = prog_func_of_address(b->prog, address);
  return func == UINT32_MAX ? NULL : &b->prog->funcs.at[func];
}

// Does the thread begin in a library, ours or that of C++?
static bool is_library(const struct builder *b, const struct event *spawn) {
  const struct func *f = started(b, spawn);
  return f && (f->is_library ||
               strncmp(prog_text(b->prog, f->name), "std::", 5) == 0);
}

static const char *started_func(const struct builder *b,
                                const struct event *spawn) {
  const struct func *f = started(b, spawn);
  return f && !is_library(b, spawn) ? prog_text(b->prog, f->name) : "";
}

static uint32_t view_of(const struct builder *b, event_id e) {
  if (e == INIT_EVENT)
    return VIEW_INIT;
  return e == NO_EVENT ? VIEW_NOTHING : b->view_of[e];
}

static bool takes_from_another(const struct event *e) {
  return e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
}

static uint32_t co_predecessor(const struct builder *b, const struct event *e) {
  if (e->kind != EV_WRITE)
    return VIEW_NOTHING;
  check(e->co >= 1);
  return view_of(b, b->g->locs.at[e->loc].co.at[e->co - 1]);
}

// Adds the reads among the events of e's thread with the indices in `set`.
static struct view_range dependencies(struct builder *b, const struct event *e,
                                      set_id set) {
  struct view_range range = {.first = b->v->dep_events.len};
  for (uint32_t i = 0; i < set_len(b->g->sets, set); i++) {
    event_id source = graph_at(b->g, e->thread, set_at(b->g->sets, set, i));
    if (graph_event(b->g, source)->kind != EV_READ)
      continue;
    array_push(&b->v->dep_events, view_of(b, source));
    range.count++;
  }
  return range;
}

static void add_dependencies(struct builder *b, event_id id,
                             struct view_event *v) {
  const struct event_deps *deps = b->g->deps ? &b->g->deps[id] : NULL;
  if (!deps || !deps->state)
    return;
  const struct event *e = graph_event(b->g, id);
  v->deps[DEP_ADDR] = dependencies(b, e, deps->addr);
  v->deps[DEP_DATA] = dependencies(b, e, deps->data);
  v->deps[DEP_CTRL] = dependencies(b, e, deps->ctrl);
}

// Events of the library carry the place and the name of the call to it.
static bool is_at_call(const struct builder *b, const struct source *from) {
  enum op op = b->prog->code.at[from - b->prog->source.at].op;
  return op == OP_call || op == OP_callr || op == OP_sys;
}

// Some flags of lock reads are the search's own and share bits with others.
static unsigned flags_of(const struct event *e) {
  return is_access(e) ? e->flags & ~(unsigned)(EVF_ZEROED | EVF_STACK)
                      : e->flags;
}

// What a program did not say: an answer about sizes, a fence without an order,
// or the choice whether a weak compare-exchange fails, which does or does not.
static bool is_nothing(const struct builder *b, const struct event *e,
                       const struct source *from) {
  bool is_weak = e->kind == EV_CHOICE && from &&
                 b->prog->code.at[from - b->prog->source.at].op == OP_cas_load;
  return is_weak || e->kind == EV_ANSWER ||
         (e->kind == EV_FENCE && e->order == ORD_NA && !e->flags &&
          e->value == FENCE_C11);
}

static enum view_part part_of(const struct builder *b, const struct event *e) {
  const struct repeated *again = b->f ? b->f->again : NULL;
  if (!again || e->index < again->first[e->thread])
    return PART_BEFORE;
  return e->index < again->end[e->thread] ? PART_AGAIN : PART_REST;
}

static void add_event(struct builder *b, event_id id) {
  const struct event *e = graph_event(b->g, id);
  const struct source *from = source_of_event(&b->names, e);
  const char *text = from ? prog_text(b->prog, from->text) : "";
  bool is_call = !from || is_at_call(b, from);
  struct view_event v = {
      .kind = e->kind,
      .order = e->order,
      .flags = flags_of(e),
      .thread = e->thread,
      .index = e->index,
      .text = is_call || from->header ? "" : text,
      .call = is_call ? text : "",
      .location = location_text(b, e),
      .value = value_text(b, e),
      .expected = expected_text(b, e),
      .told = "",
      .row = VIEW_NOTHING,
      .rf = takes_from_another(e) ? view_of(b, e->rf) : VIEW_NOTHING,
      .co_before = co_predecessor(b, e),
      .loc = is_access(e) ? e->loc : NO_LOC,
      .part = part_of(b, e),
      .is_marked = part_of(b, e) == PART_AGAIN ||
                   (b->f && (id == b->f->event || id == b->f->other)),
      .is_nothing = is_nothing(b, e, from) || part_of(b, e) == PART_REST,
      .is_inside = from && from->header == IN_HEADER,
      .place = place_of_source(b->prog, from),
  };
  if (e->kind == EV_SPAWN)
    v.text = started_func(b, e);
  add_dependencies(b, id, &v);
  if (is_access(e) && b->f && id == b->f->event)
    b->v->accessed = v.location;
  array_push(&b->v->events, v);
}

static unsigned first_thread(const struct builder *b) {
  return b->v->is_litmus ? 1 : 0;
}

// Numbers all events first, because rf may point forward in that order.
static void number_events(struct builder *b) {
  uint32_t n = 0;
  b->view_of = xmalloc((b->g->nevents + 1) * sizeof *b->view_of);
  for (event_id e = 0; e < b->g->nevents; e++)
    b->view_of[e] = VIEW_NOTHING;
  for (unsigned t = first_thread(b); t < b->g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(b->g, t); i++)
      b->view_of[graph_at(b->g, t, i)] = n++;
}

// -- threads

// The last event of a thread says why it cannot go on: it is the read of a
// lock that is held, or closes a round of a loop that changed nothing, or a
// loop was cut after it.
static void waiting_end(struct builder *b, const struct event *last,
                        struct view_thread *th) {
  struct str text = {0};
  if (last->flags & EVF_LOCK) {
    th->end = END_LOCK;
    str_add(&text, "waits for mutex %s", location_text(b, last));
    if (last->value) {
      th->whom = (uint32_t)last->value - 1;
      str_add(&text, ", held by T%u", th->whom);
    }
  } else if (!(last->flags & EVF_AWAIT)) {
    th->end = END_STOPPED;
    str_add(&text, "not followed further: --unroll");
  } else {
    const struct access *a = vm_access(b->vm, last->pre);
    bool is_call = a->kind == ACC_TAKE && !(a->flags & ACCF_UNDONE);
    th->end = END_SPIN;
    str_add(&text, is_call ? "waits in the library"
                           : "spins, waiting for another value");
  }
  th->end_text = keep(b, &text);
}

static bool is_at_finding(const struct builder *b, unsigned t) {
  if (!b->f || b->f->thread != t || b->f->site == NO_SITE)
    return false;
  return b->f->kind != FIND_DEADLOCK && b->f->kind != FIND_LEAK;
}

// Is a thread done, although its end may not be in the graph
// (explore/reduce/tail.c)?
static bool is_done(const struct builder *b, uint64_t t) {
  state_id now = t < b->g->nthreads ? b->g->threads[t].state : 0;
  return now && vm_access(b->vm, now)->kind == ACC_END;
}

// What the pending access says about a thread that did not finish.
static void pending_end(struct builder *b, const struct access *a,
                        struct view_thread *th) {
  struct str text = {0};
  switch ((enum access_kind)a->kind) {
  case ACC_END:
    th->end = END_FINISHED;
    str_add(&text, "finished");
    break;
  case ACC_EXIT:
    th->end = END_EXITED;
    str_add(&text, "about to end the program with exit(%d)", (int)a->value);
    break;
  case ACC_BLOCK:
    th->end = END_ASSUME;
    str_add(&text, "blocked: an assumption does not hold");
    break;
  case ACC_CUT:
    th->end = END_CUT;
    str_add(&text, "cut: %s", vm_text(b->vm, a->value));
    break;
  case ACC_JOIN:
    th->end = is_done(b, a->value) ? END_STOPPED : END_JOIN;
    th->whom = (uint32_t)a->value;
    str_add(&text,
            is_done(b, a->value) ? "about to join T%llu"
                                 : "waits for T%llu to finish",
            (unsigned long long)a->value);
    break;
  case ACC_ERROR:
    th->end = END_ERROR;
    str_add(&text, "stopped at the error");
    break;
  case ACC_READ:
  case ACC_WRITE:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
  case ACC_FENCE:
  case ACC_ALLOC:
  case ACC_FREE:
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
  case ACC_CLOCK:
  case ACC_SPAWN:
  case ACC_DETACH:
  case ACC_CHOOSE:
  case ACC_OUTPUT:
    th->end = END_STOPPED;
    str_add(&text, "not followed further");
    break;
  }
  th->end_text = keep(b, &text);
}

// Has no function of the program called it? Then its place says little.
static bool is_in_header(const struct prog *p, site_id s) {
  return s < p->source.len &&
         prog_outside(p, &p->source.at[s])->header == IN_HEADER;
}

static void find_end(struct builder *b, unsigned t, struct view_thread *th) {
  const struct event *last = graph_event(b->g, graph_tail(b->g, t));
  state_id now = b->g->threads[t].state;
  if (last->kind == EV_END) {
    bool exited = (last->flags & EVF_EXIT) != 0;
    th->end = exited ? END_EXITED : END_FINISHED;
    th->end_text = exited ? "ended the program with exit()" : "finished";
    return;
  }
  if (!now) {
    waiting_end(b, last, th);
    th->at = place_of_source(b->prog, source_of_event(&b->names, last));
  } else {
    pending_end(b, vm_access(b->vm, now), th);
    site_id site = vm_site(b->vm, now);
    if (th->end != END_STOPPED || !is_in_header(b->prog, site))
      th->at = place_of_site(b->prog, site);
  }
  if (th->end == END_STOPPED && is_at_finding(b, t)) {
    th->end = END_ERROR;
    th->end_text = "stopped at the error";
    th->at = place_of_site(b->prog, b->f->site);
  }
}

// The outermost function of the user that a site belongs to, or NULL.
static const char *users_func(const struct prog *p, site_id site) {
  const struct source *s = prog_outside(p, &p->source.at[site]), *outer;
  if (!s->line || s->header == IN_HEADER)
    return NULL;
  while (s->call && (outer = prog_outside(p, &p->calls.at[s->call - 1])) &&
         outer->header != IN_HEADER)
    s = outer;
  return prog_text(p, s->func);
}

// What a thread of the library runs for the user, as far as its events say.
static const char *func_inside(const struct builder *b, unsigned t) {
  enum { MOST = 64 };
  site_id sites[MOST];
  for (uint32_t i = 0; i < graph_thread_length(b->g, t); i++) {
    const struct event *e = graph_event(b->g, graph_at(b->g, t, i));
    unsigned n = e->pre ? vm_backtrace(b->vm, e->pre, sites, MOST) : 0;
    while (n-- > 0) {
      const char *func = users_func(b->prog, sites[n]);
      if (func)
        return func;
    }
  }
  return "";
}

static const char *thread_func(const struct builder *b, unsigned t) {
  const struct event *start = graph_event(b->g, graph_at(b->g, t, 0));
  if (t == 0)
    return prog_text(b->prog, b->prog->funcs.at[b->prog->main_func].name);
  if (start->kind != EV_START || start->rf == NO_EVENT)
    return "";
  const struct event *spawn = graph_event(b->g, start->rf);
  return is_library(b, spawn) ? func_inside(b, t) : started_func(b, spawn);
}

static void add_thread(struct builder *b, unsigned t) {
  struct view_thread th = {.id = t,
                           .func = thread_func(b, t),
                           .first = b->v->events.len,
                           .count = graph_thread_length(b->g, t),
                           .whom = VIEW_NOTHING,
                           .call = "",
                           .at = {.file = "", .func = ""}};
  for (uint32_t i = 0; i < th.count; i++)
    add_event(b, graph_at(b->g, t, i));
  find_end(b, t, &th);
  array_push(&b->v->threads, th);
}

// The threads of a livelock go on with its first row; the others wait for the
// end of one, and if one goes on all the same, that is not shown.
static void end_livelock(struct builder *b) {
  const struct repeated *again = b->f ? b->f->again : NULL;
  for (uint32_t i = 0; again && i < b->v->threads.len; i++) {
    struct view_thread *th = &b->v->threads.at[i];
    uint32_t end = again->end[th->id];
    const struct event *next =
        end < th->count ? graph_event(b->g, graph_at(b->g, th->id, end)) : NULL;
    struct str text = {0};
    if (again->first[th->id] < end) {
      th->end = END_SPIN;
      th->at = (struct place){.file = "", .func = ""};
      str_add(&text, "again from the first >");
    } else if (next && next->kind == EV_JOIN) {
      th->end = END_JOIN;
      th->whom = next->loc;
      str_add(&text, "waits for T%u to finish", th->whom);
    } else {
      continue;
    }
    th->end_text = keep(b, &text);
  }
}

// A deadlock is about all threads that wait in it, and about a lock that a
// thread has left behind.
static void mark_deadlock(struct builder *b) {
  if (!b->f || b->f->kind != FIND_DEADLOCK)
    return;
  for (uint32_t i = 0; i < b->v->threads.len; i++) {
    const struct view_thread *th = &b->v->threads.at[i];
    uint32_t last = th->first + th->count - 1;
    if (th->end == END_LOCK || th->end == END_SPIN)
      b->v->events.at[last].is_marked = true;
    if (th->end != END_LOCK || th->whom == VIEW_NOTHING)
      continue;
    struct view_thread *by = &b->v->threads.at[view_column(b->v, th->whom)];
    struct str text = {0};
    if (by->end != END_FINISHED)
      continue;
    str_add(&text, "%s, still has mutex %s", by->end_text,
            b->v->events.at[last].location);
    by->end_text = keep(b, &text);
  }
}

// -- co

// Several threads write a mutex or a semaphore; the rows of their calls say
// what there is to say. The inside of a container is its own.
static bool is_contested(const struct builder *b, const struct event_list *co) {
  bool several = false;
  for (uint32_t i = 1; i < co->len; i++) {
    const struct event *e = graph_event(b->g, co->at[i]);
    uint32_t at = view_of(b, co->at[i]);
    several |= e->thread != graph_event(b->g, co->at[1])->thread;
    if (is_of_mutex(b, e) || event_is_of_library(b->v, at) ||
        (event_is_of_cxx(b->v, at) && !b->v->events.at[at].is_marked))
      return false;
  }
  return several;
}

static void add_co(struct builder *b, loc_id l) {
  const struct event_list *co = &b->g->locs.at[l].co;
  if (!is_contested(b, co))
    return;
  struct str name = {0}, initial = {0};
  name_location(&b->names, l, &name);
  name_initial(&b->names, l, &initial);
  struct view_co c = {.location = keep(b, &name),
                      .initial = keep(b, &initial),
                      .first = b->v->co_events.len,
                      .count = co->len - 1};
  for (uint32_t i = 1; i < co->len; i++)
    array_push(&b->v->co_events, view_of(b, co->at[i]));
  array_push(&b->v->co, c);
}

// -- the whole

static void add_calls(struct builder *b) {
  enum { MOST = 64 };
  site_id sites[MOST];
  if (!b->f || b->f->thread >= b->g->nthreads)
    return;
  const struct event *e =
      b->f->event == NO_EVENT ? NULL : graph_event(b->g, b->f->event);
  state_id s = e ? e->pre : b->g->threads[b->f->thread].state;
  unsigned n = s ? vm_backtrace(b->vm, s, sites, MOST) : 0, i = 0;
  while (i < n && sites[i] != b->f->site) // frames of the library
    i++;
  for (i++; i < n; i++)
    if (prog_outside(b->prog, &b->prog->source.at[sites[i]])->header !=
        IN_HEADER)
      array_push(&b->v->calls, place_of_site(b->prog, sites[i]));
}

static void add_justified(struct builder *b) {
  const struct justification *how = b->f ? b->f->how : NULL;
  if (!how)
    return;
  for (uint32_t i = 0; i < how->edges.len; i++) {
    const struct justified_edge *e = &how->edges.at[i];
    array_push(&b->v->justified,
               view_of(b, graph_at(b->g, e->to_thread, e->to_index)));
  }
  for (uint32_t i = 0; i < how->changed.len; i++) {
    const struct changed_read *c = &how->changed.at[i];
    event_id id = graph_at(b->g, c->thread, c->index);
    struct event there = *graph_event(b->g, id);
    there.value = c->value;
    array_push(&b->v->changed,
               (struct view_change){view_of(b, id), value_text(b, &there)});
  }
  for (uint32_t i = 0; i < how->threads.len; i++)
    array_push(&b->v->again, how->threads.at[i]);
}

// What is marked in one of the events of a row is marked in the row.
void view_mark_rows(struct view *v) {
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *ev = &v->events.at[e];
    if (ev->row >= v->events.len)
      continue;
    v->events.at[ev->row].row_is_marked |= ev->is_marked;
    v->events.at[ev->row].row_matters |= ev->matters;
  }
}

struct view *view_new(const struct prog *p, struct vm *vm,
                      const struct graph *g, const struct finding *f) {
  struct view *v = xcalloc(1, sizeof *v);
  v->accessed = v->axiom = "";
  v->is_litmus = p->is_litmus;
  v->name = graph_name(g);
  struct builder b = {.v = v, .prog = p, .vm = vm, .g = g, .f = f};
  names_init(&b.names, p, vm, g);
  number_events(&b);
  for (unsigned t = first_thread(&b); t < g->nthreads; t++)
    if (graph_thread_length(g, t))
      add_thread(&b, t);
  mark_deadlock(&b);
  end_livelock(&b);
  view_tell_calls(v, vm, g, &b.names);
  for (loc_id l = 0; l < g->locs.len; l++)
    add_co(&b, l);
  add_calls(&b);
  view_order_rows(v);
  view_find_cycle(v);
  add_justified(&b);
  if (f)
    view_find_causes(v, vm, g, f, b.view_of);
  view_mark_rows(v);
  view_find_minor(v);
  free(b.view_of);
  names_done(&b.names);
  return v;
}

void view_free(struct view *v) {
  if (!v)
    return;
  array_done(&v->events);
  array_done(&v->threads);
  array_done(&v->co);
  array_done(&v->co_events);
  array_done(&v->dep_events);
  array_done(&v->sync);
  array_done(&v->shared);
  array_done(&v->floors);
  array_done(&v->rows);
  array_done(&v->calls);
  array_done(&v->cycle);
  array_done(&v->pairs);
  array_done(&v->circle);
  array_done(&v->justified);
  array_done(&v->changed);
  array_done(&v->again);
  strings_done(&v->strings);
  free(v);
}
