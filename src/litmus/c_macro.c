// SPDX-License-Identifier: MIT
// What herd defines the primitives of the Linux kernel by, __xchg{acquire}: a
// name and an annotation in braces. Each is another way to write one of those
// primitives, so the tokens are replaced before anything else looks at them.
#include "litmus/internal.h"

#include <string.h>
#include <strings.h>

static const struct macro {
  const char *name, *annotation;
  const char *primitive; // of a fence with parentheses, which it has not
} macros[] = {
    {"__load", "once", "READ_ONCE"},
    {"__load", "acquire", "READ_ONCE_acquire"},
    {"__store", "once", "WRITE_ONCE"},
    {"__store", "release", "WRITE_ONCE_release"},
    {"__xchg", "mb", "xchg"},
    {"__xchg", "once", "xchg_relaxed"},
    {"__xchg", "acquire", "xchg_acquire"},
    {"__xchg", "release", "xchg_release"},
    {"__cmpxchg", "mb", "cmpxchg"},
    {"__cmpxchg", "once", "cmpxchg_relaxed"},
    {"__cmpxchg", "acquire", "cmpxchg_acquire"},
    {"__cmpxchg", "release", "cmpxchg_release"},
    {"__atomic_add_unless", "mb", "atomic_add_unless"},
    {"__srcu", "srcu-lock", "srcu_read_lock"},
    {"__srcu", "srcu-unlock", "srcu_read_unlock"},
    {"__srcu", "sync-srcu", "synchronize_srcu"},
    {"__fence", "mb", "smp_mb"},
    {"__fence", "rmb", "smp_rmb"},
    {"__fence", "wmb", "smp_wmb"},
    {"__fence", "before-atomic", "smp_mb__before_atomic"},
    {"__fence", "after-atomic", "smp_mb__after_atomic"},
    {"__fence", "after-spinlock", "smp_mb__after_spinlock"},
    {"__fence", "after-unlock-lock", "smp_mb__after_unlock_lock"},
    {"__fence", "after-srcu-read-unlock", "smp_mb__after_srcu_read_unlock"},
    {"__fence", "rcu-lock", "rcu_read_lock"},
    {"__fence", "rcu-unlock", "rcu_read_unlock"},
    {"__fence", "sync-rcu", "synchronize_rcu"},
};

enum { MOST_TOKENS = 10 }; // of an annotation, with its braces

// The macro at token i, whose last token is *last; NULL: there is none.
static const struct macro *macro_at(const struct litmus_thread *t, uint32_t i,
                                    uint32_t *last) {
  const struct token *at = t->code.at;
  uint32_t end = i + 2;
  if (end >= t->code.len || at[i].kind != TOK_NAME || !scan_is(&at[i + 1], "{"))
    return NULL;
  while (end + 1 < t->code.len && end < i + MOST_TOKENS &&
         !scan_is(&at[end], "}"))
    end++;
  if (!scan_is(&at[end], "}"))
    return NULL;
  const char *text = at[i + 1].at + 1;
  size_t len = (size_t)(at[end].at - text);
  *last = end;
  for (unsigned m = 0; m < LENGTH(macros); m++)
    if (scan_is(&at[i], macros[m].name) &&
        strlen(macros[m].annotation) == len &&
        strncasecmp(text, macros[m].annotation, len) == 0)
      return &macros[m];
  return NULL;
}

static struct token token_of(enum token_kind kind, const char *text,
                             unsigned line) {
  return (struct token){
      .kind = kind, .at = text, .len = (uint32_t)strlen(text), .line = line};
}

void c_replace_macros(struct litmus_thread *t) {
  uint32_t kept = 0, last;
  for (uint32_t i = 0; i < t->code.len; i++) {
    const struct macro *m = macro_at(t, i, &last);
    unsigned line = t->code.at[i].line;
    if (!m) {
      t->code.at[kept++] = t->code.at[i];
      continue;
    }
    // (What is replaced has four tokens or more.)
    t->code.at[kept++] = token_of(TOK_NAME, m->primitive, line);
    if (strcmp(m->name, "__fence") == 0) {
      t->code.at[kept++] = token_of(TOK_PUNCT, "(", line);
      t->code.at[kept++] = token_of(TOK_PUNCT, ")", line);
    }
    i = last;
  }
  t->code.len = kept;
}
