// SPDX-License-Identifier: MIT
// Between which orders heddle optimize looks: what is written, what may become
// stronger (--from sc, --repair), and what stays (--keep, --weaken-only).
#include "cmd/optimize.h"

#include <string.h>

// Is it the file, by its whole path or by the last parts of it?
static bool is_file(const char *path, const char *name, size_t n) {
  size_t all = strlen(path);
  return n && all >= n && memcmp(path + all - n, name, n) == 0 &&
         (all == n || path[all - n - 1] == '/');
}

// FILE:LINE or FILE:LINE:COLUMN.
struct place {
  size_t file; // length of the name
  unsigned long line, column;
};

static bool read_place(const char *text, struct place *ret, struct diag *why) {
  const char *at = text + strlen(text);
  unsigned long numbers[2] = {0};
  unsigned n = 0;
  while (n < 2) {
    const char *end = at;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
      at--;
    if (at == end || at - text < 2 || at[-1] != ':')
      break;
    numbers[n++] = strtoul(at, NULL, 10);
    at--;
    if (n == 2)
      break;
    end = at;
  }
  if (!n)
    return diag_set(why, NULL, 0,
                    "--keep expects FILE:LINE or FILE:LINE:COLUMN, such as "
                    "lock.c:31:7, not '%s'",
                    text);
  *ret = (struct place){.file = (size_t)(at - text),
                        .line = numbers[n - 1],
                        .column = n == 2 ? numbers[0] : 0};
  return true;
}

static void hint_sites(const struct sites *s, struct diag *why) {
  struct str all = {0};
  for (uint32_t i = 0; i < s->at.len && all.len < 300; i++)
    if (!s->at.at[i].is_place)
      str_add(&all, "%s%s:%u:%u (%s)", all.len ? ", " : "", s->at.at[i].file,
              s->at.at[i].line, s->at.at[i].column, s->at.at[i].func);
  diag_hint(why, "there are: %s%s", str_text(&all),
            all.len < 300 ? "" : ", and more");
  str_done(&all);
}

static void stay(struct optimizing *z, uint32_t i) {
  z->search.low[i] = z->search.top[i] = z->source[i];
}

static bool keep(struct optimizing *z, const char *text, struct diag *why) {
  const struct sites *s = &z->search.sites;
  struct place p = {0};
  bool found = false;
  if (!read_place(text, &p, why))
    return false;
  for (uint32_t i = 0; i < s->at.len; i++) {
    const struct order_site *site = &s->at.at[i];
    if (site->is_place || site->line != p.line ||
        (p.column && site->column != p.column) ||
        !is_file(site->file, text, p.file))
      continue;
    stay(z, i);
    found = true;
  }
  if (!found) {
    diag_set(why, NULL, 0, "--keep: no order is written at %s", text);
    hint_sites(s, why);
  }
  return found;
}

// FILE, FUNCTION or FILE/FUNCTION.
static bool is_in(const struct order_site *site, const char *text) {
  const char *slash = strrchr(text, '/'), *func = slash ? slash + 1 : text;
  if (is_file(site->file, text, strlen(text)))
    return true;
  return strcmp(site->func, func) == 0 &&
         (!slash || is_file(site->file, text, (size_t)(slash - text)));
}

static bool weaken_only(struct optimizing *z, struct diag *why) {
  const struct sites *s = &z->search.sites;
  const word_list *words = &z->options->weaken_only;
  bool *found = xcalloc(words->len + 1, sizeof *found);
  for (uint32_t i = 0; i < s->at.len; i++) {
    bool may = !words->len;
    for (uint32_t k = 0; k < words->len; k++)
      if (is_in(&s->at.at[i], words->at[k]))
        may = found[k] = true;
    if (!may)
      stay(z, i);
  }
  bool ok = true;
  for (uint32_t k = 0; k < words->len && ok; k++)
    if (!found[k]) {
      ok = diag_set(why, NULL, 0, "--weaken-only: no order is written in '%s'",
                    words->at[k]);
      hint_sites(s, why);
    }
  free(found);
  return ok;
}

bool optimize_bounds(struct optimizing *z, struct diag *why) {
  struct search *s = &z->search;
  uint32_t n = s->sites.at.len;
  s->low = xcalloc(n + 1, 1);
  s->top = xcalloc(n + 1, 1);
  z->source = xcalloc(n + 1, 1);
  bool is_strong = z->options->repair || z->options->from == FROM_SC;
  for (uint32_t i = 0; i < n; i++) {
    const struct order_site *site = &s->sites.at.at[i];
    z->source[i] = site->source;
    s->top[i] =
        is_strong || site->is_place ? mode_full(site->kind) : site->source;
    s->low[i] = z->options->repair ? site->source : 0;
  }
  bool ok = weaken_only(z, why);
  for (uint32_t k = 0; k < z->options->keep_sites.len && ok; k++)
    ok = keep(z, z->options->keep_sites.at[k], why);
  return ok;
}
