// SPDX-License-Identifier: MIT
// What orders cost. The tables of processors follow from how C becomes
// instructions there (cat/mapping.def) and from what each instruction costs
// more than a plain one (price.def). A file has lines `OPERATION ORDER COST`.
#include "optimise/optimise.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// -- the generic table

static uint32_t generic(enum site_kind k, mode m) {
  uint32_t each = k == SITE_FENCE ? 3 : 1;
  if (m & MODE_SC)
    return k == SITE_FENCE ? 16 : 6;
  return (m & MODE_ACQUIRE ? each : 0) + (m & MODE_RELEASE ? each : 0);
}

static void read_generic(struct costs *ret) {
  for (enum site_kind k = 0; k < SITE_C11_KINDS; k++)
    for (mode m = 0; m <= MODE_ALL; m++)
      ret->of[k][m] = generic(k, m);
}

// -- tables of processors

static const struct mapping {
  const char *model, *access, *code;
} mappings[] = {
#define MAPPING(model, access, code) {model, access, code},
#include "cat/mapping.def"
#undef MAPPING
};

static const struct price {
  const char *model, *instruction;
  uint32_t cost;
} prices[] = {
#define PRICE(model, instruction, cost) {model, instruction, cost},
#include "optimise/price.def"
#undef PRICE
};

static uint32_t price_of(const char *model, const char *text, size_t n) {
  for (size_t i = 0; i < LENGTH(prices); i++)
    if (strcmp(prices[i].model, model) == 0 &&
        strlen(prices[i].instruction) == n &&
        memcmp(prices[i].instruction, text, n) == 0)
      return prices[i].cost;
  fatal_internal(__FILE__, __LINE__, "an instruction without a price");
}

// The sum over "this; that (what other options make of it)".
static uint32_t price_of_code(const char *model, const char *code) {
  uint32_t sum = 0;
  size_t all = strcspn(code, "(");
  for (size_t at = 0; at < all;) {
    size_t n = strcspn(code + at, ";"), used = at + n < all ? n : all - at;
    const char *text = code + at;
    at += n + 1;
    for (; used && *text == ' '; used--)
      text++;
    while (used && text[used - 1] == ' ')
      used--;
    sum += used ? price_of(model, text, used) : 0;
  }
  return sum;
}

// Which row of a mapping says what an access of a kind becomes.
static const char *row_of(enum site_kind k) {
  static const char *const name[SITE_C11_KINDS] = {"load", "store", "RMW",
                                                   "RMW",  "load",  "fence"};
  return name[k];
}

static uint32_t mapped_cost(const char *model, enum site_kind k, mode m) {
  char access[32];
  if (k == SITE_FENCE && !m)
    return 0;
  snprintf(access, sizeof access, "%s %s", row_of(k),
           m & MODE_SC ? "sc" : mode_name(k, m));
  for (size_t i = 0; i < LENGTH(mappings); i++)
    if (strcmp(mappings[i].model, model) == 0 &&
        strcmp(mappings[i].access, access) == 0)
      return price_of_code(model, mappings[i].code);
  fatal_internal(__FILE__, __LINE__, "a mapping without a row for an order");
}

static void read_mapping(const char *model, struct costs *ret) {
  for (enum site_kind k = 0; k < SITE_C11_KINDS; k++)
    for (mode m = 0; m <= MODE_ALL; m++)
      if (mode_exists(k, m))
        ret->of[k][m] = mapped_cost(model, k, m);
}

// -- files

struct table_line {
  const char *file;
  unsigned line;
  char kind[40], order[40];
  uint32_t cost;
};

static bool find_kind(const struct table_line *l, enum site_kind *ret,
                      struct diag *why) {
  static const char *const name[SITE_C11_KINDS] = {
      "load", "store", "update", "compare-exchange", "failed-compare-exchange",
      "fence"};
  for (enum site_kind k = 0; k < SITE_C11_KINDS; k++)
    if (strcmp(name[k], l->kind) == 0) {
      *ret = k;
      return true;
    }
  return diag_set(why, l->file, l->line,
                  "there is no operation '%s'; expected load, store, update, "
                  "compare-exchange, failed-compare-exchange or fence",
                  l->kind);
}

static bool find_mode(const struct table_line *l, enum site_kind k, mode *ret,
                      struct diag *why) {
  for (mode m = 0; m <= MODE_ALL; m++)
    if (mode_exists(k, m) && strcmp(mode_name(k, m), l->order) == 0) {
      *ret = m;
      return true;
    }
  return diag_set(why, l->file, l->line,
                  "a %s has no order '%s'; expected relaxed, acquire, release, "
                  "acq_rel or seq_cst, as far as C has it there, or none for a "
                  "fence that is not there",
                  l->kind, l->order);
}

// False at a line that is empty or a comment; `why` is about others.
static bool split(char *text, struct table_line *l, bool *ok,
                  struct diag *why) {
  char rest[2] = "", number[40] = "", *end = NULL;
  text[strcspn(text, "#\n")] = 0;
  int n = sscanf(text, "%39s %39s %39s %1s", l->kind, l->order, number, rest);
  if (n <= 0)
    return false;
  unsigned long cost = strtoul(number, &end, 10);
  *ok = n == 3 && isdigit((unsigned char)*number) && !*end && cost <= 1000000;
  if (!*ok)
    diag_set(why, l->file, l->line,
             "expected 'OPERATION ORDER COST', such as 'load acquire 2', with "
             "a cost of at most 1000000");
  l->cost = (uint32_t)cost;
  return true;
}

// Orders that the file does not name cost what weaker ones cost. False: a
// stronger order is said to be cheaper than a weaker one.
static bool complete(const char *file, const bool said[][MODE_ALL + 1],
                     struct costs *c, struct diag *why) {
  for (enum site_kind k = 0; k < SITE_C11_KINDS; k++)
    for (mode m = 0; m <= MODE_ALL; m++)
      for (mode weaker = 0; mode_exists(k, m) && weaker < m; weaker++) {
        if ((weaker & ~m) || !mode_exists(k, weaker) ||
            c->of[k][weaker] <= c->of[k][m])
          continue;
        if (said[k][m])
          return diag_set(
              why, file, 0, "%s %s costs less than %s, which is weaker",
              site_kind_name(k), mode_name(k, m), mode_name(k, weaker));
        c->of[k][m] = c->of[k][weaker];
      }
  return true;
}

static bool read_lines(FILE *in, const char *file, struct costs *ret,
                       struct diag *why) {
  char text[400];
  bool said[SITE_KINDS][MODE_ALL + 1] = {0}, ok = true;
  struct table_line l = {.file = file};
  while (ok && fgets(text, sizeof text, in)) {
    enum site_kind k = 0;
    mode m = 0;
    l.line++;
    if (!split(text, &l, &ok, why))
      continue;
    ok = ok && find_kind(&l, &k, why) && find_mode(&l, k, &m, why);
    if (ok) {
      said[k][m] = true;
      ret->of[k][m] = l.cost;
    }
  }
  return ok && complete(file, said, ret, why);
}

static bool read_file(const char *file, struct costs *ret, struct diag *why) {
  FILE *in = fopen(file, "r");
  if (!in) {
    diag_set(why, NULL, 0, "--cost: '%s' is no table and no file", file);
    diag_hint(why, "the tables are: generic, x86, armv8, riscv, power; a file "
                   "has lines such as 'load acquire 2'");
    return false;
  }
  bool ok = read_lines(in, file, ret, why);
  fclose(in);
  return ok;
}

bool costs_read(const char *name, struct costs *ret, struct diag *why) {
  static const char *const processors[][2] = {{"x86", "tso"},
                                              {"armv8", "armv8"},
                                              {"riscv", "riscv"},
                                              {"power", "power"}};
  memset(ret, 0, sizeof *ret);
  for (size_t i = 0; i < LENGTH(processors); i++)
    if (strcmp(processors[i][0], name) == 0) {
      read_mapping(processors[i][1], ret);
      return true;
    }
  if (strcmp(name, "generic") != 0)
    return read_file(name, ret, why);
  read_generic(ret);
  return true;
}

// -- sums

static uint32_t cost_of(const struct costs *c, enum site_kind k, mode m) {
  enum site_kind c11 = site_c11_kind(k);
  return c->of[c11][m & MODE_SC ? mode_full(c11) : m];
}

uint64_t mode_weight(const struct costs *c, enum site_kind k, mode m) {
  return ((uint64_t)cost_of(c, k, m) << 20) + generic(site_c11_kind(k), m);
}

uint64_t modes_weight(const struct costs *c, const struct sites *s,
                      const mode *x) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->at.len; i++)
    sum += mode_weight(c, s->at.at[i].kind, x[i]);
  return sum;
}

uint64_t modes_cost(const struct costs *c, const struct sites *s,
                    const mode *x) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->at.len; i++)
    sum += cost_of(c, s->at.at[i].kind, x[i]);
  return sum;
}
