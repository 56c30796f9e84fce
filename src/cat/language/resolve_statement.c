// SPDX-License-Identifier: MIT
// The statements of a text, in their order: definitions, tests, other files,
// and procedures where they are called.
#include "cat/language/resolver.h"

#include <string.h>

static bool run(struct resolver *r, uint32_t first);

static bool run_test(struct resolver *r, const struct statement s) {
  node_id x = NO_NODE;
  enum node_type wanted = s.test == TEST_EMPTY ? TYPE_ANY : TYPE_RELATION;
  if (!resolver_expect(r, s.a, wanted, &x))
    return false;
  x = node_as(r->nodes, x, TYPE_RELATION);
  array_push(&r->l->cat->axioms,
             (struct cat_axiom){.name = strings_get(&r->tree->names, s.name),
                                .at = s.at,
                                .test = s.test,
                                .mode = s.mode,
                                .is_negated = s.is_negated,
                                .node = x});
  return true;
}

static bool is_arm(const char *name) {
  return strncmp(name, "DMB.", 4) == 0 || strncmp(name, "DSB.", 4) == 0 ||
         strcmp(name, "DMB") == 0 || strcmp(name, "DSB") == 0;
}

// Some names mean something else in texts about Arm (models/arm.cat): those
// that call themselves so, or speak of its fences.
static bool choose_names(struct resolver *r) {
  const char *title = r->l->cat->title;
  bool found =
      r->arm && (strcasestr(title, "AArch64") || strcasestr(title, "ARMv8"));
  for (; r->arm && !found && r->seen < r->tree->exprs.len; r->seen++) {
    const struct expr *e = &r->tree->exprs.at[r->seen];
    found = e->kind == EX_NAME && is_arm(strings_get(&r->tree->names, e->name));
  }
  if (!found)
    return true;
  uint32_t first = r->arm;
  r->arm = 0;
  return run(r, first);
}

static bool run_include(struct resolver *r, const struct statement s) {
  uint32_t first;
  bool is_given;
  if (!loader_include(r->l, &s, &first, &is_given))
    return false;
  if (is_given)
    return true;
  bool ok = choose_names(r) && run(r, first);
  loader_close(r->l);
  return ok;
}

static bool run_given(struct resolver *r, const struct statement s) {
  const char *name = strings_get(&r->tree->names, s.name);
  if (strcmp(name, "co") == 0)
    return true;
  cat_fail(r->tree, s.at, r->why, "'with %s from': only co can be given", name);
  diag_hint(r->why, "Heddle enumerates coherence orders and where reads read "
                    "from, nothing else");
  return false;
}

static bool run_call(struct resolver *r, const struct statement s) {
  const struct bound *f = resolver_look_up(r, s.name);
  struct value argument;
  if (!f)
    return resolver_unknown_name(r, s.at, s.name);
  if (f->value.kind != VAL_PROCEDURE)
    return cat_fail(r->tree, s.at, r->why, "'%s' is not a procedure",
                    strings_get(&r->tree->names, s.name));
  const struct value procedure = f->value;
  const struct statement p = r->tree->statements.at[procedure.function];
  if (!resolver_resolve(r, s.a, &argument))
    return false;
  uint32_t scope = r->scope;
  r->scope = procedure.scope;
  bool ok = resolver_bind_arguments(r, s.at, r->tree->bindings.at[p.binding],
                                    argument) &&
            run(r, p.body);
  r->scope = scope;
  return ok;
}

static bool run_one(struct resolver *r, uint32_t id) {
  const struct statement s = r->tree->statements.at[id];
  switch ((enum statement_kind)s.kind) {
  case ST_LET:
    return resolver_bind_all(r, s, true);
  case ST_REC:
    return resolver_bind_rec(r, s, true);
  case ST_TEST:
    return run_test(r, s);
  case ST_INCLUDE:
    return run_include(r, s);
  case ST_GIVEN:
    return run_given(r, s);
  case ST_IF:
    return run(r, resolver_is_chosen(r, s.a) ? s.body : s.other);
  case ST_PROCEDURE:
    resolver_bind(r, r->tree->bindings.at[s.binding].name,
                  (struct value){.kind = VAL_PROCEDURE,
                                 .function = id,
                                 .scope = r->scope});
    return true;
  case ST_CALL:
    return run_call(r, s);
  case ST_NONE:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "no statement");
}

static bool run(struct resolver *r, uint32_t first) {
  if (r->depth > MAX_DEPTH)
    return resolver_too_much(r, r->tree->statements.at[first].at);
  r->depth++;
  for (uint32_t s = first; s; s = r->tree->statements.at[s].next)
    if (r->steps++ > MAX_STEPS)
      return resolver_too_much(r, r->tree->statements.at[s].at);
    else if (!run_one(r, s))
      return false;
  r->depth--;
  return true;
}

static void bind_base(struct resolver *r) {
  static const struct {
    const char *name;
    enum node_kind kind;
  } builtins[] = {{"domain", NODE_DOMAIN}, {"range", NODE_RANGE}};
  // Some names of fences are base names too: those count, so they come later.
  for (uint32_t k = FENCE_C11 + 1; k < FENCE_COUNT; k++)
    resolver_bind(r,
                  strings_add(&r->tree->names, fence_set((enum fence_kind)k)),
                  of_node(node_make(r->nodes, NODE_BASE, TYPE_SET, CAT_BASE + k,
                                    NO_NODE)));
  for (uint32_t i = 0; i < CAT_BASE; i++) {
    const struct cat_base_name *b = &cat_base_names[i];
    node_id x = node_make(r->nodes, NODE_BASE,
                          b->is_set ? TYPE_SET : TYPE_RELATION, i, NO_NODE);
    resolver_bind(r, strings_add(&r->tree->names, b->name), of_node(x));
  }
  for (unsigned i = 0; i < LENGTH(builtins); i++)
    resolver_bind(
        r, strings_add(&r->tree->names, builtins[i].name),
        (struct value){.kind = VAL_BUILTIN, .node = builtins[i].kind});
}

bool cat_resolve(struct loader *l, const struct cat_preludes *prelude,
                 uint32_t first) {
  struct resolver r = {.l = l,
                       .tree = &l->cat->tree,
                       .nodes = &l->cat->nodes,
                       .arm = prelude->arm,
                       .seen = prelude->exprs,
                       .rec = NO_GROUP,
                       .why = l->why};
  (void)array_extend(&r.bounds, 1);
  bind_base(&r);
  bool ok = run(&r, prelude->all) && choose_names(&r);
  l->cat->names.len = 0; // those of the prelude are no news
  ok = ok && run(&r, first);
  array_done(&r.bounds);
  array_done(&r.tuples);
  return ok;
}
