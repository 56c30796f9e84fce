// SPDX-License-Identifier: MIT
// The sites of a program. An instruction is named by its place, its kind, and
// how many of that kind are before it there (a macro can have several), so that
// it is found again in other clients. Functions that choose by an argument what
// order they have are wrappers: the order is written where they are called, and
// the front end has made a copy of them there.
#include "optimise/optimise.h"
#include "optimise/source/source.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

struct finder {
  struct sites *s;
  struct prog *p;
  const word_list *patterns;
  bool *is_reached, *is_wrapper; // by function of the program
  source_files files;
};

static enum site_kind kind_of_fence(const struct sites *s,
                                    struct imm_access a) {
  switch ((enum fence_kind)a.fence) {
  case FENCE_C11:
    return s->is_kernel && a.order == ORD_NA ? SITE_BARRIER : SITE_FENCE;
  case FENCE_MB:
  case FENCE_RMB:
  case FENCE_WMB:
    return s->is_kernel ? SITE_BARRIER : SITE_KINDS;
  case FENCE_BEFORE_ATOMIC:
  case FENCE_AFTER_ATOMIC:
  case FENCE_AFTER_SPINLOCK:
  case FENCE_AFTER_UNLOCK_LOCK:
  case FENCE_AFTER_SRCU_READ_UNLOCK:
    return s->is_kernel ? SITE_OWN_BARRIER : SITE_KINDS;
  default:
    return SITE_KINDS;
  }
}

// SITE_KINDS: the instruction is none that has an order.
static enum site_kind c11_kind_of(const struct sites *s,
                                  const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  if (in->op == OP_fence)
    return kind_of_fence(s, a);
  if (op_info(in->op)->imm != IMM_ACCESS || a.order == ORD_NA ||
      (a.how & ~(s->is_kernel ? HOW_PICK | HOW_UNLESS : 0)))
    return SITE_KINDS;
  switch ((int)in->op) {
  case OP_load:
    return SITE_LOAD;
  case OP_store:
    return SITE_STORE;
  case OP_rmw_load:
  case OP_rmw_store:
    return SITE_UPDATE;
  case OP_cas_load:
  case OP_cas_store:
    return SITE_CAS;
  default:
    return SITE_KINDS;
  }
}

// An operation with an order that the kernel does not have is one of C11.
static enum site_kind kind_of(const struct sites *s, const struct insn *in) {
  enum site_kind k = c11_kind_of(s, in);
  enum order o = (enum order)imm_access_of(in->imm).order;
  if (!s->is_kernel)
    return k;
  switch (k) {
  case SITE_LOAD:
    return o == ORD_SC ? k : SITE_KERNEL_LOAD;
  case SITE_STORE:
    return o == ORD_SC ? k : SITE_KERNEL_STORE;
  case SITE_UPDATE:
    return o == ORD_ACQREL ? k : SITE_KERNEL_UPDATE;
  case SITE_CAS:
    return imm_access_of(in->imm).how & HOW_PICK ? SITE_KERNEL_UPDATE : k;
  default:
    return k;
  }
}

// -- what can run

static void reach(struct finder *f, uint32_t func);

static void reach_address(struct finder *f, uint64_t value) {
  uint32_t func = prog_func_of_address(f->p, value);
  if (func != UINT32_MAX)
    reach(f, func);
}

// What is merged into all its callers stays in the program, and never runs.
static void reach(struct finder *f, uint32_t func) {
  const struct prog *p = f->p;
  const struct func *fn = &p->funcs.at[func];
  if (f->is_reached[func])
    return;
  f->is_reached[func] = true;
  for (uint32_t pc = fn->first; pc < fn->end; pc++) {
    const struct insn *in = &p->code.at[pc];
    if (op_info(in->op)->imm == IMM_FUNC)
      reach(f, (uint32_t)in->imm);
    else if (op_info(in->op)->imm == IMM_RAW)
      reach_address(f, in->imm);
  }
  for (uint32_t i = 0; i < fn->nconsts; i++)
    reach_address(f, p->consts.at[fn->first_const + i]);
}

static void reach_all(struct finder *f) {
  const struct prog *p = f->p;
  reach(f, p->main_func);
  if (p->on_return != UINT32_MAX)
    reach(f, p->on_return);
  for (uint32_t i = 0; i < p->globals.len; i++)
    for (uint64_t at = 0; at + 8 <= p->globals.at[i].size; at += 8) {
      uint64_t value;
      memcpy(&value, p->globals.at[i].bytes + at, 8);
      reach_address(f, value);
    }
}

// -- wrappers

static bool is_same_place(const struct source *a, const struct source *b) {
  return a->file == b->file && a->func == b->func && a->line == b->line &&
         a->column == b->column && a->call == b->call;
}

// Has the function two operations of one kind at one place that differ in their
// orders? That is what the compiler makes of an order that is no constant.
static bool chooses_order(const struct finder *f, const struct func *fn) {
  const struct prog *p = f->p;
  for (uint32_t pc = fn->first; pc < fn->end; pc++) {
    enum site_kind k = kind_of(f->s, &p->code.at[pc]);
    for (uint32_t other = fn->first; other < pc && k != SITE_KINDS; other++)
      if (kind_of(f->s, &p->code.at[other]) == k &&
          imm_access_of(p->code.at[other].imm).order !=
              imm_access_of(p->code.at[pc].imm).order &&
          is_same_place(&p->source.at[pc], &p->source.at[other]))
        return true;
  }
  return false;
}

static void find_wrappers(struct finder *f) {
  for (uint32_t i = 0; i < f->p->funcs.len; i++) {
    const struct func *fn = &f->p->funcs.at[i];
    if (fn->is_library)
      continue;
    f->is_wrapper[i] = chooses_order(f, fn);
    for (uint32_t k = 0; k < f->patterns->len; k++)
      f->is_wrapper[i] |=
          fnmatch(f->patterns->at[k], prog_text(f->p, fn->name), 0) == 0;
  }
}

static bool is_in_wrapper(const struct finder *f, const struct source *at) {
  for (uint32_t i = 0; i < f->p->funcs.len; i++)
    if (f->p->funcs.at[i].name == at->func)
      return f->is_wrapper[i];
  return false;
}

// -- sites

static void add_key(const struct prog *p, const struct source *at,
                    struct str *key) {
  str_add(key, "%s:%u:%u:%u %s\n", prog_text(p, at->file), at->line, at->column,
          at->nth, prog_text(p, at->func));
}

// Where the instruction is written: out of the wrappers that it is in, and of
// headers of the library. Makes the key of its site.
static struct source outermost(const struct finder *f, uint32_t pc,
                               struct str *key) {
  struct source at = f->p->source.at[pc];
  add_key(f->p, &at, key);
  while (at.call && (at.header == NO_HEADER ? is_in_wrapper(f, &at)
                                            : at.header == IN_HEADER)) {
    at = f->p->calls.at[at.call - 1];
    add_key(f->p, &at, key);
  }
  return at;
}

// Does a function of C++'s library take an order, which is the user's to
// choose? The name is as the source says it ("store") or with its scope.
static bool takes_order(const char *name) {
  static const char *const members[] = {
      "load", "store", "exchange", "test", "clear", "test_and_set", NULL};
  const char *last = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
  if (strncmp(last, "atomic_", 7) == 0)
    return true;
  if (last != name && !strstr(name, "atomic"))
    return false;
  for (unsigned i = 0; members[i]; i++)
    if (strcmp(last, members[i]) == 0)
      return true;
  return strncmp(last, "fetch_", 6) == 0 || strncmp(last, "operator", 8) == 0 ||
         strncmp(last, "compare_exchange", 16) == 0;
}

// What clang itself has merged (FROM_HEADER) has no name but that in the text.
static bool is_call_for_order(struct finder *f, const struct source *at) {
  struct source_file *file = source_of(&f->files, prog_text(f->p, at->file));
  uint32_t from = source_offset(&file->text, at->line, at->column);
  struct call c;
  char name[64] = "";
  if (from < file->text.len && source_call(file, from, &c))
    snprintf(name, sizeof name, "%.*s", (int)(c.name.end - c.name.start),
             file->text.at + c.name.start);
  // Inside of a macro of the user it cannot be known.
  return !*name || takes_order(name) || !c.is_member;
}

// Is the order the user's to choose? Those that the library has for itself are
// not (counts of std::shared_ptr, the table behind std::atomic::notify_one).
static bool is_users(struct finder *f, uint32_t pc) {
  struct str key = {0};
  const struct source *own = &f->p->source.at[pc];
  struct source at = outermost(f, pc, &key);
  bool is_lock = strstr(str_text(&key), "_Sp_atomic");
  str_done(&key);
  if (at.header == IN_HEADER || is_lock)
    return false;
  if (own->header == IN_HEADER)
    return takes_order(prog_text(f->p, at.text));
  return at.header != FROM_HEADER || is_call_for_order(f, &at);
}

// What is written.
static mode mode_of(enum site_kind k, struct imm_access a) {
  if (k == SITE_OWN_BARRIER)
    return mode_full(k);
  if (k != SITE_BARRIER)
    return mode_of_order(k, a.order);
  return a.fence == FENCE_MB    ? MODE_ALL
         : a.fence == FENCE_RMB ? MODE_ACQUIRE
         : a.fence == FENCE_WMB ? MODE_RELEASE
                                : 0;
}

static uint32_t site_of(struct sites *s, const struct order_site *wanted) {
  for (uint32_t i = 0; i < s->at.len; i++)
    if (s->at.at[i].kind == wanted->kind &&
        s->at.at[i].source == wanted->source &&
        strcmp(s->at.at[i].key, wanted->key) == 0)
      return i;
  return s->at.len;
}

static void add_site(struct sites *s, struct order_site site) {
  size_t size = strlen(site.key) + 1;
  site.key = memcpy(xmalloc(size), site.key, size);
  array_push(&s->at, site);
}

// The site of an instruction. Both halves of an update are at the same place.
static uint32_t find_site(struct finder *f, uint32_t pc) {
  const struct prog *p = f->p;
  struct imm_access a = imm_access_of(p->code.at[pc].imm);
  enum site_kind k = kind_of(f->s, &p->code.at[pc]);
  struct str key = {0};
  struct source at = outermost(f, pc, &key);
  bool is_place = site_is_fence(k) && a.how & HOW_PLACE;
  if (is_place)
    str_add(&key, "place");
  bool is_own = strncmp(prog_text(p, at.text), "__heddle_", 9) == 0;
  bool is_wrapped = at.func != p->source.at[pc].func;
  struct order_site site = {.kind = k,
                            .file = prog_text(p, at.file),
                            .func = prog_text(p, at.func),
                            .text = at.header || is_own ? ""
                                                        : prog_text(p, at.text),
                            .wrapper = is_wrapped ? prog_text(p, at.text) : "",
                            .line = at.line,
                            .column = at.column,
                            .key = key.at,
                            .is_place = is_place,
                            .fence = a.fence,
                            .source = mode_of(k, a)};
  uint32_t i = site_of(f->s, &site);
  mode fail = mode_of_order(SITE_CAS_FAIL, a.order_fail);
  if (i == f->s->at.len) {
    add_site(f->s, site);
    site.kind = SITE_CAS_FAIL;
    site.source = fail;
    if (k == SITE_CAS)
      add_site(f->s, site);
  } else if (k == SITE_CAS) {
    check(i + 1 < f->s->at.len && f->s->at.at[i + 1].kind == SITE_CAS_FAIL &&
          strcmp(f->s->at.at[i + 1].key, site.key) == 0);
    f->s->at.at[i + 1].source |= fail;
  }
  str_done(&key);
  return i;
}

void sites_add_client(struct sites *s, const char *name, struct prog *p,
                      const word_list *wrappers) {
  struct client c = {.name = name, .prog = p};
  struct finder f = {.s = s, .p = p, .patterns = wrappers};
  f.is_reached = xcalloc(p->funcs.len + 1, sizeof *f.is_reached);
  f.is_wrapper = xcalloc(p->funcs.len + 1, sizeof *f.is_wrapper);
  c.of_pc = xcalloc(p->code.len + 1, sizeof *c.of_pc);
  reach_all(&f);
  find_wrappers(&f);
  for (uint32_t i = 0; i < p->funcs.len; i++) {
    const struct func *fn = &p->funcs.at[i];
    bool counts = f.is_reached[i] && !fn->is_library;
    for (uint32_t pc = fn->first; counts && pc < fn->end; pc++)
      if (kind_of(s, &p->code.at[pc]) != SITE_KINDS && is_users(&f, pc))
        c.of_pc[pc] = find_site(&f, pc) + 1;
  }
  sources_done(&f.files);
  free(f.is_reached);
  free(f.is_wrapper);
  array_push(&s->clients, c);
}
