// SPDX-License-Identifier: MIT
// See sketch.h: a sketch as C, for whoever has to look at it, and for `heddle`.
#include "sketch.h"

#include <stdio.h>

static void show_steps(const struct sketch *p, const struct step *s, unsigned n,
                       unsigned depth, struct str *out);

static const char head[] =
    "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include "
    "<semaphore.h>\n"
    "#include <stdatomic.h>\n#include <stdlib.h>\n"
    "void __VERIFIER_assume(int);\n_Bool __VERIFIER_nondet_bool(void);\n"
    "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;\n"
    "static _Atomic(atomic_int *) node;\n"
    "struct n { atomic_int a; int plain; atomic_int told; };\n"
    "static pthread_t id0, id1, id2;\nstatic struct n el[3];\nstatic "
    "atomic_int x, y, z;\nstatic int plain;\n"
    "#define load(p, o) load_##o(p, o)\n"
    "#define load_plain(p, o) *(volatile int *)(p)\n"
    "#define load_relaxed(p, o) atomic_load_explicit(p, memory_order_##o)\n"
    "#define load_acquire load_relaxed\n"
    "#define load_seq_cst load_relaxed\n"
    "#define store(p, v, o) store_##o(p, v, o)\n"
    "#define store_plain(p, v, o) *(volatile int *)(p) = v\n"
    "#define store_relaxed(p, v, o) atomic_store_explicit(p, v, "
    "memory_order_##o)\n"
    "#define store_release store_relaxed\n"
    "#define store_seq_cst store_relaxed\n"
    "#define add(p, v, o) atomic_fetch_add_explicit(p, v, memory_order_##o)\n"
    "#define swap(p, v, o) atomic_exchange_explicit(p, v, memory_order_##o)\n"
    "#define cas(p, e, v, s, f) atomic_compare_exchange_strong_explicit(p, e, "
    "v, memory_order_##s, memory_order_##f)\n"
    "#define weak(p, e, v, s, f) atomic_compare_exchange_weak_explicit(p, e, "
    "v, memory_order_##s, memory_order_##f)\n";

static const char *word_name(unsigned word) {
  static const char *const names[] = {
      "x", "y", "z", "n->a", "el[r & 1].a", "el[0].a", "el[1].a", "el[2].a"};
  return names[word];
}

static const char *order_text(unsigned order) {
  return order == ORD_NA       ? "plain"
         : order == ORD_RLX    ? "relaxed"
         : order == ORD_ACQ    ? "acquire"
         : order == ORD_REL    ? "release"
         : order == ORD_ACQREL ? "acq_rel"
                               : "seq_cst";
}

static const char *value_text(unsigned value, const char *r, char ret[16]) {
  switch (value) {
  case VALUE_R:
    return r;
  case VALUE_R_PLUS_1:
    snprintf(ret, 16, "%s + 1", r);
    return ret;
  case VALUE_R_EVEN:
    snprintf(ret, 16, "%s & ~1", r);
    return ret;
  case VALUE_R_ODD:
    snprintf(ret, 16, "%s | 1", r);
    return ret;
  default:
    snprintf(ret, 16, "%u", value);
    return ret;
  }
}

static void show_enter(const struct sketch *p, const struct step *s,
                       struct str *out) {
  unsigned i = s->lock;
  const char *order = order_text(s->order);
  switch ((enum sketch_lock)p->locks[i]) {
  case LOCK_MUTEX:
    str_add(out,
            s->how & SECTION_TRIES ? "if (!pthread_mutex_trylock(&lock%u)) {"
                                   : "pthread_mutex_lock(&lock%u);",
            i);
    break;
  case LOCK_SEMAPHORE:
    str_add(out, "sem_wait(&lock%u);", i);
    break;
  case LOCK_READ_WRITE:
    str_add(out, "pthread_rwlock_%slock(&lock%u);",
            s->how & SECTION_READS ? "rd" : "wr", i);
    break;
  case LOCK_SWAP:
    str_add(out, "while (swap(&lock%u, 1, %s));", i, order);
    break;
  case LOCK_LOOK_AND_SWAP:
    str_add(out,
            "do while (load(&lock%u, relaxed)); while (swap(&lock%u, 1, %s));",
            i, i, order);
    break;
  case LOCK_CAS:
  case LOCK_WEAK_CAS:
    str_add(out, "for (int e = 0; !%s(&lock%u, &e, 1, %s, %s); e = 0);",
            p->locks[i] == LOCK_CAS ? "cas" : "weak", i, order,
            order_text(s->order_fail ? s->order_fail : ORD_RLX));
    break;
  case LOCK_TICKET:
    str_add(out,
            "int t%u = add(&lock%u, 1, relaxed);"
            " while (load(&owner%u, %s) != t%u);",
            i, i, i, order, i);
    break;
  case LOCK_UNDONE:
    str_add(out,
            "while (add(&lock%u, 1, %s)) { add(&lock%u, -1, relaxed);"
            " while (load(&lock%u, relaxed)); }",
            i, order, i, i);
    break;
  case LOCK_TRY:
    str_add(out, "if (!swap(&lock%u, 1, %s)) {", i, order);
    break;
  case LOCKS:
    break;
  }
}

static void show_leave(const struct sketch *p, const struct step *s,
                       struct str *out) {
  unsigned i = s->lock;
  const char *order = s->order_fail ? "release" : "relaxed";
  bool is_try = p->locks[i] == LOCK_TRY ||
                (p->locks[i] == LOCK_MUTEX && s->how & SECTION_TRIES);
  if (!(s->how & SECTION_KEEPS))
    switch ((enum sketch_lock)p->locks[i]) {
    case LOCK_MUTEX:
      str_add(out, "pthread_mutex_unlock(&lock%u);", i);
      break;
    case LOCK_SEMAPHORE:
      str_add(out, "sem_post(&lock%u);", i);
      break;
    case LOCK_READ_WRITE:
      str_add(out, "pthread_rwlock_unlock(&lock%u);", i);
      break;
    case LOCK_TICKET:
      str_add(out, "store(&owner%u, t%u + 1, %s);", i, i, order);
      break;
    case LOCK_UNDONE:
      str_add(out, "add(&lock%u, -1, %s);", i, order);
      break;
    default:
      str_add(out, "store(&lock%u, 0, %s);", i, order);
    }
  str_add(out, "%s", is_try ? " }" : "");
}

static void show_retry(const struct step *s, struct str *out) {
  char value[16];
  const char *at = word_name(s->word), *fail = order_text(s->order_fail);
  bool is_inside = s->how & RETRY_LOADS_INSIDE;
  if (!is_inside)
    str_add(out, "r = load(&%s, %s); ", at, fail);
  const char *what = s->how & RETRY_LOOKS && s->how & RETRY_KEEPS ? "kept"
                     : s->how & RETRY_WRITES_ONE                  ? "1"
                                                                  : "r";
  str_add(out, "for (int k = 0;%s k++) { ",
          s->how & RETRY_IS_BOUNDED ? " k < 2;" : ";");
  if (is_inside)
    str_add(out, "r = load(&%s, %s); ", at, fail);
  if (s->how & RETRY_LOOKS)
    str_add(out, "kept = load(&%s, %s); ", word_name(s->other % 3), fail);
  if (s->how & RETRY_WRITES_OWN)
    str_add(out, "n->plain = %s; ", what);
  if (s->how & RETRY_WRITES_PLAIN)
    str_add(out, "plain = %s; ", what);
  str_add(out, "if (%s(&%s, &r, %s, %s, %s)) break; }",
          s->how & RETRY_IS_WEAK ? "weak" : "cas", at,
          value_text(s->value, "r", value), order_text(s->order), fail);
  if (s->how & RETRY_LOOKS && s->how & RETRY_KEEPS)
    str_add(out, " r = kept;");
}

static void show_count(const struct step *s, struct str *out) {
  char value[16];
  const char *at = word_name(s->word), *fail = order_text(s->order_fail);
  if (s->how & COUNT_BEGINS)
    str_add(out, "r = 0; ");
  else
    str_add(out, "r = load(&%s, %s); ", at, fail);
  str_add(out, "int k = 0; for (int old; k < %u; k++) { ", s->other);
  if (s->how & COUNT_PUTS)
    str_add(out, "n->plain = k; ");
  str_add(out, "old = r; if (weak(&%s, &old, %s, %s, %s)) break; ", at,
          s->how & COUNT_WRITES ? "k" : value_text(s->value, "r", value),
          order_text(s->order), fail);
  if (s->how & COUNT_LOADS)
    str_add(out, "r = load(&%s, %s); ", at, fail);
  else if (!(s->how & COUNT_KEEPS))
    str_add(out, "r = old; ");
  str_add(out, s->how & COUNT_LEAVES ? "if (k & old & 1) break; }" : "}");
  if (s->how & COUNT_ASKS)
    str_add(out, " r = k < %u;", s->other);
  else if (s->how & COUNT_TELLS)
    str_add(out, " r = k;");
}

static void show_cut(const struct step *s, struct str *out) {
  static const char *const texts[] = {
      [CUT_CALLS] = "deep(1000000);",
      [CUT_STEPS] = "for (unsigned k = 1; k; k++);",
      [CUT_STACK] = "{ volatile char big[1 << 30]; big[0] = 1; }",
      [CUT_NULL] = "*(int *)0 = 1;",
  };
  str_add(out, "%s", texts[s->how]);
}

static void show_wait(const struct step *s, struct str *out) {
  bool puts_seen = s->how & WAIT_KEEPS && s->how & WAIT_LOOKS;
  str_add(out, "for (int seen; ");
  if (s->how & WAIT_BEGINS)
    str_add(out, "load(&%s, relaxed), ", word_name(s->value % 3));
  str_add(out, "%s(r = load(&%s, %s)) == %u;) {",
          s->how & WAIT_YIELDS ? "sched_yield(), " : "", word_name(s->word),
          order_text(s->order), s->other);
  if (s->lock)
    str_add(out, " while ((r = load(&%s, relaxed)) == 0) {",
            word_name(WAIT_INSIDE));
  if (s->how & WAIT_FENCES)
    str_add(out, " atomic_thread_fence(memory_order_acq_rel);");
  if (s->how & WAIT_LOOKS)
    str_add(out, " seen = load(&%s, %s);", word_name(s->value % 3),
            order_text(s->order_fail));
  if (s->how & WAIT_ADDS)
    str_add(out, " add(&%s, 0, relaxed);", word_name(s->value % 3));
  if (s->how & WAIT_PUTS)
    str_add(out, " n->plain = %s;", puts_seen ? "seen" : "1");
  str_add(out, s->lock ? " } }" : " }");
}

static void show_beside(const struct step *s, struct str *out) {
  char at[64];
  if (s->how & ACCESS_IS_NARROW)
    snprintf(at, sizeof at, "(atomic_char *)&plain + %u", s->value % 4u);
  else
    snprintf(at, sizeof at, "(atomic_int *)&plain");
  if (s->how & BESIDE_STORES)
    str_add(out, "store(%s, 1, relaxed);", at);
  else if (s->how & BESIDE_ADDS)
    str_add(out, "add(%s, 1, relaxed);", at);
  else
    str_add(out, "(void)load(%s, relaxed);", at);
}

static void show_gathered(const struct step *s, struct str *out) {
  const char *at = word_name(s->value % 3), *order = order_text(s->order_fail);
  if (s->how & GATHER_STEP)
    str_add(out, " seen = r;");
  else if (s->how & GATHER_CHOOSES)
    str_add(out, " seen = __VERIFIER_nondet_bool();");
  else if (s->how & GATHER_UPDATES)
    str_add(out, " seen = atomic_fetch_or_explicit(&%s, 2, memory_order_%s);",
            at, order);
  else
    str_add(out, " seen = load(&%s, %s);", at, order);
  str_add(out, " got %s seen;",
          s->how & GATHER_LAST   ? "="
          : s->how & GATHER_BITS ? "|="
                                 : "+=");
  if (s->how & GATHER_PUTS)
    str_add(out, " if (seen) n->plain = seen;");
  if (s->how & GATHER_ENDS)
    str_add(out, " if (seen) break;");
}

static void show_gather(const struct step *s, struct str *out) {
  bool is_first = s->how & GATHER_FIRST;
  str_add(out, "{ int seen, got = 0; for (;;) {");
  if (is_first)
    show_gathered(s, out);
  str_add(out, " if (load(&%s, %s) != %u) break;", word_name(s->word),
          order_text(s->order), s->other);
  if (!is_first)
    show_gathered(s, out);
  str_add(out, " } r = got%s; }",
          s->how & GATHER_PUTS ? " + 2 * n->plain" : "");
}

static void show_access(const struct step *s, struct str *out) {
  char value[16];
  const char *at = word_name(s->word), *order = order_text(s->order);
  const char *what = value_text(s->value, "r", value);
  switch ((enum step_kind)s->kind) {
  case STEP_LOAD:
    str_add(out, "r = load(%s&%s, %s);",
            s->how & ACCESS_IS_NARROW ? "(atomic_char *)" : "", at, order);
    break;
  case STEP_STORE:
    str_add(out, "store(%s&%s, %s, %s);",
            s->how & ACCESS_IS_NARROW ? "(atomic_char *)" : "", at, what,
            order);
    break;
  case STEP_ADD:
    str_add(out, "r = add(&%s, %d, %s);", at, s->value - 1, order);
    break;
  case STEP_SWAP:
    str_add(out, "r = swap(&%s, %s, %s);", at, what, order);
    break;
  case STEP_CAS:
    str_add(out, "{ int e = %u; cas(&%s, &e, %s, %s, %s); r = e; }", s->other,
            at, what, order, order_text(s->order_fail));
    break;
  case STEP_WAIT:
    show_wait(s, out);
    break;
  case STEP_ASSUME:
    str_add(out, "r = load(&%s, %s); __VERIFIER_assume(r != %u);", at, order,
            s->other);
    break;
  default:
    str_add(out, "r = load(&%s, %s); assert(r != %u);", at, order, s->other);
  }
}

static void show_bits(const struct step *s, struct str *out) {
  static const char *const names[] = {"and", "or", "xor"};
  char value[16];
  str_add(out, "r = atomic_fetch_%s_explicit(&%s, %s, memory_order_%s);",
          names[s->how], word_name(s->word), value_text(s->value, "r", value),
          order_text(s->order));
}

// C has no such accesses: these names are for the reader.
static void show_linked(const struct step *s, struct str *out) {
  static const char *const between[] = {
      "", " load(beside, relaxed);", " store(beside, 1, relaxed);",
      " atomic_thread_fence(memory_order_seq_cst);"};
  char value[16];
  const char *at = s->word == WORD_BY_R ? "el[0].a" : word_name(s->word);
  str_add(out,
          "r = LOAD_LINKED(&%s, %s);%s if (!STORE_CONDITIONAL(&%s, %s, %s)) "
          "r = 3;",
          at, order_text(s->order), between[s->how], at,
          value_text(s->value, "r", value), order_text(s->order_fail));
}

static void show_sleep(const struct step *s, struct str *out) {
  str_add(out,
          "pthread_mutex_lock(&mutex); while ((r = load(&%s, %s)) == %u)"
          " pthread_cond_wait(&cond, &mutex); pthread_mutex_unlock(&mutex);",
          word_name(s->word), order_text(s->order), s->other);
}

static void show_wake(const struct step *s, struct str *out) {
  char value[16];
  const char *unlock = "pthread_mutex_unlock(&mutex); ";
  bool is_outside = s->how & WAKE_OUTSIDE;
  str_add(out, "pthread_mutex_lock(&mutex); store(&%s, %s, %s); ",
          word_name(s->word), value_text(s->value, "r", value),
          order_text(s->order));
  str_add(out, "%spthread_cond_%s(&cond); %s", is_outside ? unlock : "",
          s->how & WAKE_ALL ? "broadcast" : "signal", is_outside ? "" : unlock);
}

static void show_node(const struct step *s, struct str *out) {
  const char *order = order_text(s->order);
  if (s->kind == STEP_PUBLISH)
    str_add(out, "{ atomic_int *p = malloc(8); %sstore(&node, p, %s); }",
            s->how & NODE_IS_UNINITIALISED ? "" : "*(int *)p = r; ", order);
  else if (s->kind == STEP_LOOK_AT)
    str_add(out, "{ atomic_int *p = load(&node, %s); if (p) r = %s; }", order,
            s->value & 1 ? "*(int *)p" : "load(p, relaxed)");
  else
    str_add(out, "{ atomic_int *p = swap(&node, 0, %s); if (p) %s; }", order,
            s->how & NODE_IS_KEPT ? "(void)0" : "free(p)");
}

static void show_thread_action(const struct sketch *p, const struct step *s,
                               struct str *out) {
  unsigned t = s->other, e = p->element_of[t];
  if (s->kind == STEP_JOIN && p->has_results)
    str_add(out, "{ void *v; pthread_join(id%u, &v); r = (int)(long)v; }", t);
  else if (s->kind == STEP_JOIN)
    str_add(out, "pthread_join(id%u, NULL);", t);
  else if (s->kind == STEP_DETACH)
    str_add(out, "pthread_detach(id%u);", t);
  else if (p->has_numbers)
    str_add(out, "pthread_create(&id%u, NULL, f%u, (void *)%uL);", t,
            p->kind_of[t], e);
  else
    str_add(out, "pthread_create(&id%u, NULL, f%u, &el[%u]);", t, p->kind_of[t],
            e);
}

static void show_select(const struct step *s, struct str *out) {
  str_add(out, "r = %s == %u ? ", s->how & SELECT_ASKS_KEPT ? "kept" : "r",
          s->other);
  if (s->how & SELECT_OF_BOTH)
    str_add(out, "r : kept;");
  else
    str_add(out, "%u : r & 1;", s->value);
  str_add(out, "%s", s->how & SELECT_PICKS ? " // a conditional select" : "");
}

static void show_inside(const struct sketch *p, const struct step *s,
                        unsigned depth, struct str *out) {
  str_add(out, "\n");
  show_steps(p, s + 1, s->inside, depth + 1, out);
  str_add(out, "%*s", 2 * (int)depth, "");
}

static void show_step(const struct sketch *p, const struct step *s,
                      unsigned depth, struct str *out) {
  switch ((enum step_kind)s->kind) {
  case STEP_FENCE:
    str_add(out, "atomic_thread_fence(memory_order_%s);", order_text(s->order));
    break;
  case STEP_GET:
    str_add(out, "r = plain;");
    break;
  case STEP_PUT:
    str_add(out, "plain = r;");
    break;
  case STEP_PEEK:
    str_add(out, "r = el[%u].plain;", s->other);
    break;
  case STEP_OWN:
    str_add(out, "n->plain = r;");
    break;
  case STEP_RETRY:
    show_retry(s, out);
    break;
  case STEP_POLL:
    str_add(out, "for (;;) { ");
    show_enter(p, s, out);
    str_add(out, " r = load(&%s, %s); ", word_name(s->word),
            s->order_fail ? "acquire" : "relaxed");
    show_leave(p, s, out);
    str_add(out, " if (r != %u) break; }", s->other);
    break;
  case STEP_SECTION:
    str_add(out, "{ ");
    show_enter(p, s, out);
    show_inside(p, s, depth, out);
    show_leave(p, s, out);
    str_add(out, " }");
    break;
  case STEP_IF:
    str_add(out, "if (r == %u) {", s->other);
    show_inside(p, s, depth, out);
    str_add(out, "}");
    break;
  case STEP_REPEAT:
    str_add(out, "for (int k = 0; k < %u; k++) {", s->other);
    show_inside(p, s, depth, out);
    str_add(out, "}");
    break;
  case STEP_POST:
    str_add(out, "sem_post(&lock%u);", s->lock);
    break;
  case STEP_FAIL:
    str_add(out, "assert(0);");
    break;
  case STEP_CUT:
    show_cut(s, out);
    break;
  case STEP_MEET:
    str_add(out, "pthread_barrier_wait(&meet);");
    break;
  case STEP_SLEEP:
    show_sleep(s, out);
    break;
  case STEP_WAKE:
    show_wake(s, out);
    break;
  case STEP_CHOOSE:
    str_add(out, "r = __VERIFIER_nondet_bool();");
    break;
  case STEP_PUBLISH:
  case STEP_LOOK_AT:
  case STEP_RETIRE:
    show_node(s, out);
    break;
  case STEP_EXIT:
    str_add(out, "exit(0);");
    break;
  case STEP_CREATE:
  case STEP_JOIN:
  case STEP_DETACH:
    show_thread_action(p, s, out);
    break;
  case STEP_LEAVE:
    str_add(out, "return (void *)(long)r;");
    break;
  case STEP_CHECK:
    str_add(out, "assert(r != %u);", s->other);
    break;
  case STEP_GATHER:
    show_gather(s, out);
    break;
  case STEP_COUNT:
    show_count(s, out);
    break;
  case STEP_BESIDE:
    show_beside(s, out);
    break;
  case STEP_BITS:
    show_bits(s, out);
    break;
  case STEP_LINKED:
    show_linked(s, out);
    break;
  case STEP_SELECT:
    show_select(s, out);
    break;
  case STEP_KEEP:
    str_add(out, "kept = r;");
    break;
  default:
    show_access(s, out);
  }
}

static void show_steps(const struct sketch *p, const struct step *s, unsigned n,
                       unsigned depth, struct str *out) {
  for (unsigned i = 0; i < n; i += 1u + s[i].inside) {
    str_add(out, "%*s", 2 * (int)depth, "");
    show_step(p, &s[i], depth, out);
    str_add(out, "\n");
  }
}

static void show_globals(const struct sketch *p, struct str *out) {
  for (unsigned i = 0; i < SKETCH_LOCKS; i++)
    switch ((enum sketch_lock)p->locks[i]) {
    case LOCK_MUTEX:
      str_add(out,
              "static pthread_mutex_t lock%u = PTHREAD_MUTEX_INITIALIZER;\n",
              i);
      break;
    case LOCK_SEMAPHORE:
      str_add(out, "static sem_t lock%u;\n", i);
      break;
    case LOCK_READ_WRITE:
      str_add(out,
              "static pthread_rwlock_t lock%u = PTHREAD_RWLOCK_INITIALIZER;\n",
              i);
      break;
    default:
      str_add(out, "static atomic_int lock%u, owner%u;\n", i, i);
    }
  if (sketch_has(p, STEP_MEET))
    str_add(out, "static pthread_barrier_t meet;\n");
  if (sketch_has(p, STEP_CUT))
    str_add(out,
            "static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }\n");
}

static void show_outcome(struct str *out) {
  str_add(out, "  unsigned s = 0;\n"
               "  atomic_int *all[] = {&x, &y, &z, &el[0].a, &el[0].told, "
               "&el[1].a,\n                       &el[1].told, &el[2].a, "
               "&el[2].told};\n"
               "  for (int i = 0; i < 9; i++)\n"
               "    s = 5 * s + load(all[i], relaxed);\n");
  str_add(out, "  s %%= %u;\n", SKETCH_OUTCOMES - 3);
  for (unsigned i = 0; i < SKETCH_OUTCOMES - 3; i++)
    str_add(out, "  assert(s != %u);\n", i);
}

void sketch_show(const struct sketch *p, struct str *out) {
  str_add(out, "%s", head);
  show_globals(p, out);
  for (unsigned i = 0; i < p->nkinds; i++)
    str_add(out, "static void *f%u(void *);\n", i);
  for (unsigned i = 0; i < p->nkinds; i++) {
    str_add(out,
            "static void *f%u(void *arg) {\n  struct n *n = %s; int r = 0, "
            "kept = 0;\n",
            i, p->has_numbers ? "&el[(long)arg]" : "arg");
    show_steps(p, p->kinds[i].at, p->kinds[i].len, 1, out);
    if (p->kinds[i].tells)
      str_add(out, "  store(&n->told, r, relaxed);\n");
    str_add(out, "  return (void)n, (void)kept, (void *)(long)%s;\n}\n",
            p->has_results ? "r" : "0");
  }
  str_add(out, "int main(void) {\n  int r = 0, kept = 0;\n"
               "  struct n *n = el;\n");
  for (unsigned i = 0; i < SKETCH_LOCKS; i++)
    if (p->locks[i] == LOCK_SEMAPHORE)
      str_add(out, "  sem_init(&lock%u, 0, %u);\n", i, p->permits);
  if (sketch_has(p, STEP_MEET))
    str_add(out, "  pthread_barrier_init(&meet, NULL, %u);\n", p->meet);
  show_steps(p, p->main.at, p->main.len, 1, out);
  if (p->has_outcome)
    show_outcome(out);
  str_add(out, "  return (void)n, (void)r, (void)kept, 0;\n}\n");
}
