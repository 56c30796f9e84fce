// SPDX-License-Identifier: MIT
// What a thread is about to do with an object or a thread, and must not: free
// what is no object or was freed, join or detach what cannot be. What is wrong
// so stays wrong while the graph grows, and nothing is defined behind it: the
// thread stops in front of it.
#include "bytecode/family.h"
#include "explore/findings/findings.h"

#include <stdio.h>

struct misuse {
  enum finding_kind kind;
  event_id other; // that is to blame, or NO_EVENT
  const char *what, *whom;
  const struct access *taken; // not NULL: by an allocation of another family
};

// Is memory given back in another way than it was taken?
static bool is_mismatch(const struct access *taken, const struct access *a) {
  uint64_t size = family_size(a->value2);
  return family_of(taken->value2) != family_of(a->value2) ||
         family_alignment(taken->value2) != family_alignment(a->value2) ||
         (size != UINT64_MAX && size != taken->value);
}

// free, or the question of realloc how large the object is.
static bool is_wrong_free(const struct explorer *x, const struct access *a,
                          struct misuse *m) {
  const struct graph *g = &x->g;
  m->kind = FIND_INVALID_FREE;
  if (a->object == NO_OBJECT || a->object >= g->objects.len ||
      g->objects.at[a->object].alloc == NO_EVENT ||
      a->value != vm_object_address(x->vm, a->object)) {
    m->what = "free of a pointer that malloc did not return";
    return true;
  }
  if (g->objects.at[a->object].free != NO_EVENT) {
    m->kind = FIND_DOUBLE_FREE;
    m->what = "the object was freed already by thread ";
    m->other = g->objects.at[a->object].free;
    return true;
  }
  const struct event *alloc = &g->events[g->objects.at[a->object].alloc];
  if (a->flags & ACCF_STACK)
    return false;
  m->what = "free of a stack object";
  if (alloc->flags & EVF_STACK)
    return true;
  const struct access *taken = vm_access(x->vm, alloc->pre);
  if (a->kind != ACC_FREE || !is_mismatch(taken, a))
    return false;
  m->taken = taken;
  m->other = g->objects.at[a->object].alloc;
  return true;
}

// A thread is joined or detached once.
static bool is_wrong_thread(const struct explorer *x, thread_id t,
                            const struct access *a, struct misuse *m) {
  bool joins = a->kind == ACC_JOIN;
  m->kind = FIND_THREAD_MISUSE;
  m->what = joins ? "join of " : "detach of ";
  if (joins && a->value == t)
    m->what = "a thread joins itself";
  else if (a->value >= x->g.nthreads ||
           !graph_thread_length(&x->g, (thread_id)a->value))
    m->whom = "something that is no thread";
  else if (x->g.threads[a->value].join != NO_EVENT)
    m->whom = "a thread that was joined already";
  else if (x->g.threads[a->value].is_detached)
    m->whom = "a detached thread";
  else
    return false;
  return true;
}

static bool find(const struct explorer *x, thread_id t, struct misuse *m) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  *m = (struct misuse){.other = NO_EVENT, .whom = ""};
  switch ((enum access_kind)a->kind) {
  case ACC_FREE:
  case ACC_OBJECT_SIZE:
    return is_wrong_free(x, a, m);
  case ACC_JOIN:
  case ACC_DETACH:
    return is_wrong_thread(x, t, a, m);
  default:
    return false;
  }
}

bool misuse_is_next(const struct explorer *x, thread_id t) {
  struct misuse m;
  return find(x, t, &m);
}

static void describe_mismatch(const struct access *taken,
                              const struct access *a, struct finding *f) {
  static const char *const takes[] = {"malloc", "new", "new[]"};
  static const char *const gives[] = {"free", "delete", "delete[]"};
  enum family family = family_of(taken->value2), other = family_of(a->value2);
  unsigned had = family_alignment(taken->value2);
  unsigned has = family_alignment(a->value2);
  char *text = f->message;
  size_t n = sizeof f->message;
  if (family != other)
    snprintf(text, n, "%s of memory that %s returned", gives[other],
             takes[family]);
  else if (had != has)
    snprintf(text, n, "%s %s alignment %s %s was given", gives[other],
             has == 0 ? "without the" : "with another",
             has == 0 ? "that" : "than", takes[family]);
  else
    snprintf(text, n,
             "%s of an object of %llu bytes as one of %llu, another size than "
             "it was made with",
             gives[other], (unsigned long long)taken->value,
             (unsigned long long)family_size(a->value2));
}

enum outcome misuse_report(struct explorer *x, thread_id t) {
  struct misuse m;
  check(find(x, t, &m));
  struct finding f = error_of_thread(x, m.kind, t);
  if (m.taken) {
    error_name_other(x, &f, m.other);
    describe_mismatch(m.taken, vm_access(x->vm, x->g.threads[t].state), &f);
  } else if (m.other == NO_EVENT) {
    snprintf(f.message, sizeof f.message, "%s%s", m.what, m.whom);
  } else {
    error_name_other(x, &f, m.other);
    snprintf(f.message, sizeof f.message, "%s%u", m.what, f.other_thread);
  }
  return error_add_last(x, f);
}
