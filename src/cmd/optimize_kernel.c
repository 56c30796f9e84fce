// SPDX-License-Identifier: MIT
// The patch of a program that is written in the names of the Linux kernel:
// there the order is a part of the name. An operation gets the name that it has
// with the other order, and its address or its value, whichever that one takes;
// a barrier becomes a weaker one or goes. What has no such name (a test like
// atomic_dec_and_test, say) is left as it is, and said.
#include "cmd/optimize_kernel.h"

#include <stdio.h>
#include <string.h>

// A relaxed operation and the same that acquires or releases: the first takes a
// value where the second takes its address, or both take the same.
static const struct pair {
  enum site_kind kind; // of C11; of a barrier: that of the kernel
  const char *weak, *strong;
  bool takes_address;
} pairs[] = {
    {SITE_LOAD, "READ_ONCE", "smp_load_acquire", true},
    {SITE_LOAD, "rcu_dereference", "smp_load_acquire", true},
    {SITE_LOAD, "atomic_read", "atomic_read_acquire", false},
    {SITE_LOAD, "atomic64_read", "atomic64_read_acquire", false},
    {SITE_LOAD, "atomic_long_read", "atomic_long_read_acquire", false},
    {SITE_STORE, "WRITE_ONCE", "smp_store_release", true},
    {SITE_STORE, "RCU_INIT_POINTER", "rcu_assign_pointer", false},
    {SITE_STORE, "atomic_set", "atomic_set_release", false},
    {SITE_STORE, "atomic64_set", "atomic64_set_release", false},
    {SITE_STORE, "atomic_long_set", "atomic_long_set_release", false},
    {SITE_BARRIER, "smp_cond_load_relaxed", "smp_cond_load_acquire", false},
    {SITE_BARRIER, "atomic_cond_read_relaxed", "atomic_cond_read_acquire",
     false},
};

// The updates that have four names each.
static const char *const updates[] = {
    "fetch_add", "fetch_sub", "fetch_and",  "fetch_andnot", "fetch_or",
    "fetch_xor", "fetch_inc", "fetch_dec",  "add_return",   "sub_return",
    "xchg",      "cmpxchg",   "dec_return", "inc_return",   "try_cmpxchg"};

static const char *const suffixes[MODE_ALL + 1] = {[0] = "_relaxed",
                                                   [MODE_ACQUIRE] = "_acquire",
                                                   [MODE_RELEASE] = "_release",
                                                   [MODE_ALL] = ""};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// Does an update of that name have other orders? `length`: of the name without
// its order.
static bool is_update(const char *name, uint32_t *length, mode *m) {
  static const char *const prefixes[] = {"atomic_long_", "atomic64_",
                                         "atomic_"};
  const char *rest = name;
  for (unsigned i = 0; i < LENGTH(prefixes) && rest == name; i++)
    if (begins(name, prefixes[i]))
      rest = name + strlen(prefixes[i]);
  for (unsigned i = 0; i < LENGTH(updates); i++) {
    size_t n = strlen(updates[i]);
    if (!begins(rest, updates[i]) || (rest == name && !strstr(rest, "xchg")))
      continue;
    for (unsigned k = 0; k <= MODE_ALL; k++)
      if (suffixes[k] && strcmp(rest + n, suffixes[k]) == 0) {
        *length = (uint32_t)(rest - name + (long)n);
        *m = (mode)k;
        return true;
      }
  }
  return false;
}

static void name_of(const struct source_file *f, const struct call *c,
                    char ret[64]) {
  uint32_t n = c->name.end - c->name.start;
  snprintf(ret, 64, "%.*s", (int)(n < 63 ? n : 63), f->text.at + c->name.start);
}

// The barrier that a call is; NULL: it is none, or one that does more.
static bool is_barrier(const char *name, mode *m) {
  static const char *const names[MODE_ALL + 1] = {[MODE_ACQUIRE] = "smp_rmb",
                                                  [MODE_RELEASE] = "smp_wmb",
                                                  [MODE_ALL] = "smp_mb"};
  *m = MODE_ACQUIRE;
  if (strcmp(name, "smp_acquire__after_ctrl_dep") == 0)
    return true;
  for (unsigned k = 0; k <= MODE_ALL; k++)
    if (names[k] && strcmp(name, names[k]) == 0) {
      *m = (mode)k;
      return true;
    }
  return false;
}

// What the site is called in the table of pairs.
static enum site_kind kind_of(const struct order_site *site) {
  return site->kind == SITE_BARRIER ? SITE_BARRIER : site_c11_kind(site->kind);
}

static const struct pair *pair_of(enum site_kind k, const char *name) {
  for (unsigned i = 0; i < LENGTH(pairs); i++)
    if (pairs[i].kind == k && (strcmp(name, pairs[i].weak) == 0 ||
                               strcmp(name, pairs[i].strong) == 0))
      return &pairs[i];
  return NULL;
}

static bool fits(const struct source_file *f, const struct call *c,
                 const void *arg) {
  const struct order_site *site = arg;
  char name[64];
  uint32_t length;
  mode m;
  name_of(f, c, name);
  if (site->kind == SITE_OWN_BARRIER)
    return strcmp(name, site->text) == 0;
  if (site_c11_kind(site->kind) == SITE_UPDATE)
    return is_update(name, &length, &m);
  return pair_of(kind_of(site), name) ||
         (site->kind == SITE_BARRIER &&
          (is_barrier(name, &m) || strcmp(name, "smp_store_mb") == 0));
}

bool kernel_is_file(const struct source_file *f) {
  const char *text = str_text(&f->text);
  return strstr(text, "lkmm.h>") || strstr(text, "<linux/") ||
         strstr(text, "<asm/barrier.h>");
}

// -- edits

// Is it a name, with members, elements and calls behind it? Then `*` and `&`
// can stand before it.
static bool is_postfix(const struct str *s, struct span at) {
  uint32_t depth = 0;
  for (uint32_t i = at.start; i < at.end; i = source_skip(s, i)) {
    char c = s->at[i];
    bool is_arrow = c == '-' && i + 1 < at.end && s->at[i + 1] == '>';
    bool is_head = c == '>' && i > at.start && s->at[i - 1] == '-';
    depth -= c == ')' || c == ']';
    if (!depth && !source_is_word(c) && c != '.' && !is_arrow && !is_head &&
        !strchr("()[]", c))
      return false;
    depth += c == '(' || c == '[';
  }
  return at.end > at.start;
}

// Replaces an argument by its address, or by what is at that address: `mark` is
// what has to be before it then, and goes before what `other` begins.
static void edit_argument(struct source_file *f, struct span arg, char mark,
                          char other) {
  const struct str *s = &f->text;
  struct span rest = source_trimmed(s, arg.start + 1, arg.end);
  char before[3] = {mark, '(', 0};
  if (s->at[arg.start] == other && is_postfix(s, rest)) {
    patch_edit(f, arg.start, rest.start, "");
  } else if (is_postfix(s, arg)) {
    before[1] = 0;
    patch_edit(f, arg.start, arg.start, before);
  } else {
    patch_edit(f, arg.start, arg.start, before);
    patch_edit(f, arg.end, arg.end, ")");
  }
}

static void rename_call(struct source_file *f, const struct call *c,
                        const char *name) {
  patch_edit(f, c->name.start, c->name.end, name);
}

static bool is_edited(const struct source_file *f, const struct call *c) {
  for (uint32_t k = 0; k < f->edits.len; k++)
    if (f->edits.at[k].start <= c->name.start &&
        f->edits.at[k].end >= c->name.end)
      return true;
  return false;
}

// Has the pair a name for that mode?
static const char *name_in(const struct pair *p, mode m) {
  mode strong = p->kind == SITE_STORE ? MODE_RELEASE : MODE_ACQUIRE;
  return !m ? p->weak : m == strong ? p->strong : NULL;
}

static bool edit_pair(struct source_file *f, const struct pair *p,
                      const struct call *c, mode from, mode to) {
  const char *was = name_in(p, from), *now = name_in(p, to);
  char name[64];
  name_of(f, c, name);
  if (!was || !now || strcmp(was, name) != 0)
    return false;
  rename_call(f, c, now);
  struct span first = c->args[c->nargs == 1];
  if (p->takes_address && to)
    edit_argument(f, first, '&', '*');
  else if (p->takes_address)
    edit_argument(f, first, '*', '&');
  return true;
}

static bool edit_update(struct source_file *f, const struct call *c, mode from,
                        mode to) {
  char name[64], now[96];
  uint32_t length;
  mode written;
  name_of(f, c, name);
  if (!is_update(name, &length, &written) || written != from || !suffixes[to])
    return false;
  snprintf(now, sizeof now, "%.*s%s", (int)length, name, suffixes[to]);
  rename_call(f, c, now);
  return true;
}

static bool edit_barrier(struct source_file *f, const struct call *c, mode from,
                         mode to) {
  char name[64];
  mode written;
  name_of(f, c, name);
  if (strcmp(name, "smp_store_mb") == 0 && from == MODE_ALL && !to) {
    rename_call(f, c, "WRITE_ONCE");
    return true;
  }
  if (!is_barrier(name, &written) || written != from)
    return false;
  if (!to)
    return patch_remove_statement(f, c);
  rename_call(f, c, mode_name(SITE_BARRIER, to));
  return true;
}

bool kernel_edit(struct source_file *f, const struct order_site *site,
                 mode to) {
  struct call c;
  if (!source_find_call(f, site->line, site->column, &c, fits, site) ||
      is_edited(f, &c))
    return false;
  if (site->kind == SITE_OWN_BARRIER)
    return patch_remove_statement(f, &c);
  if (site_c11_kind(site->kind) == SITE_UPDATE)
    return edit_update(f, &c, site->source, to);
  char name[64];
  name_of(f, &c, name);
  const struct pair *p = pair_of(kind_of(site), name);
  return p ? edit_pair(f, p, &c, site->source, to)
           : edit_barrier(f, &c, site->source, to);
}
