// SPDX-License-Identifier: MIT
// What final states mean to a question, and how both are printed.
#include "litmus/internal.h"

uint64_t litmus_resolve(const struct litmus *t, const struct litmus_value *v) {
  if (!v->location)
    return v->number;
  check(v->location <= t->locations.len);
  const struct litmus_location *l = &t->locations.at[v->location - 1];
  check(l->global != UINT32_MAX); // else no value is its address
  return prog_global_address(t->prog, l->global) + v->number;
}

uint64_t litmus_cut(uint64_t value, struct litmus_type type) {
  if (!type.size || type.size >= 8)
    return value;
  unsigned rest = 64 - 8u * type.size;
  return type.is_unsigned ? value << rest >> rest
                          : (uint64_t)((int64_t)(value << rest) >> rest);
}

static bool fits_32_bits(uint64_t v) {
  return v <= UINT32_MAX || v >= (uint64_t)INT32_MIN;
}

// Most tests do not say whether a word is signed: -1 is 0xffffffff.
static bool same_value(uint64_t a, uint64_t b, struct litmus_type type) {
  if (type.size)
    return litmus_cut(a, type) == litmus_cut(b, type);
  return a == b ||
         (fits_32_bits(a) && fits_32_bits(b) && (uint32_t)a == (uint32_t)b);
}

bool litmus_holds(const struct litmus *t, uint32_t prop,
                  const uint64_t *values) {
  check(prop < t->props.len);
  const struct prop *p = &t->props.at[prop];
  switch (p->op) {
  case PROP_TRUE:
    return true;
  case PROP_FALSE:
    return false;
  case PROP_ATOM:
    check(p->var < t->vars.len && (!p->is_var || p->other < t->vars.len));
    return same_value(values[p->var],
                      p->is_var ? values[p->other]
                                : litmus_resolve(t, &p->value),
                      t->vars.at[p->var].type) != p->is_not;
  case PROP_NOT:
    return !litmus_holds(t, p->left, values);
  case PROP_AND:
    return litmus_holds(t, p->left, values) &&
           litmus_holds(t, p->right, values);
  case PROP_OR:
    return litmus_holds(t, p->left, values) ||
           litmus_holds(t, p->right, values);
  case PROP_IMPLIES:
    return !litmus_holds(t, p->left, values) ||
           litmus_holds(t, p->right, values);
  case PROP_ARRAY:
    for (uint32_t i = 0; i < p->right; i++)
      if (!litmus_holds(t, p->left + i, values))
        return false;
    return true;
  }
  fatal_internal(__FILE__, __LINE__, "not a proposition");
}

// -- printing

void litmus_print_value(const struct litmus *t, uint64_t value,
                        struct litmus_type type, struct str *out) {
  for (uint32_t i = 0; value >= POINTER_WINDOW && i < t->locations.len; i++) {
    const struct litmus_location *l = &t->locations.at[i];
    uint64_t offset = value - prog_global_address(t->prog, l->global);
    const char *name = strings_get(&t->strings, l->name);
    if (offset >= (l->count ? l->count * l->element : 8))
      continue;
    if (!l->count && offset)
      str_add(out, "%s+%llu", name, (unsigned long long)offset);
    else if (l->count)
      str_add(out, "%s[%llu]", name, (unsigned long long)offset / l->element);
    else
      str_add(out, "%s", name);
    return;
  }
  if (type.size && type.is_unsigned)
    str_add(out, "%llu", (unsigned long long)litmus_cut(value, type));
  else if (type.size)
    str_add(out, "%lld", (long long)litmus_cut(value, type));
  else
    str_add(out, "%lld",
            fits_32_bits(value) ? (long long)(int32_t)(uint32_t)value
                                : (long long)value);
}

// What a condition calls it: an element, also of an array that is shown whole.
static void print_cell(const struct litmus *t, const struct litmus_var *v,
                       struct str *out) {
  if (v->is_register) {
    str_add(out, "%u:%s", v->thread, strings_get(&t->strings, v->name));
    return;
  }
  const struct litmus_location *l = &t->locations.at[v->location];
  const char *name = strings_get(&t->strings, l->name);
  if (!l->count)
    str_add(out, "[%s]", name);
  else
    str_add(out, "%s[%u]", name, v->element);
}

void litmus_print_var(const struct litmus *t, const struct litmus_var *v,
                      struct str *out) {
  if (v->is_whole)
    str_add(out, "%s",
            strings_get(&t->strings, t->locations.at[v->location].name));
  else
    print_cell(t, v, out);
}

static void print_array(const struct litmus *t, const struct prop *p,
                        struct str *out) {
  const struct prop *atoms = &t->props.at[p->left];
  const struct litmus_var *v = &t->vars.at[atoms->var];
  str_add(out, "%s={",
          strings_get(&t->strings, t->locations.at[v->location].name));
  for (uint32_t i = 0; i < p->right; i++) {
    str_add(out, i ? "," : "");
    litmus_print_value(t, litmus_resolve(t, &atoms[i].value), v->type, out);
  }
  str_add(out, "}");
}

static void print_atom(const struct litmus *t, const struct prop *p,
                       struct str *out) {
  print_cell(t, &t->vars.at[p->var], out);
  str_add(out, p->is_not ? "!=" : "=");
  if (p->is_var)
    print_cell(t, &t->vars.at[p->other], out);
  else
    litmus_print_value(t, litmus_resolve(t, &p->value), t->vars.at[p->var].type,
                       out);
}

// How tightly an operator binds.
static unsigned level(enum prop_op op) {
  return op == PROP_OR ? 0 : op == PROP_AND ? 1 : op == PROP_IMPLIES ? 2 : 3;
}

static void print_prop(const struct litmus *t, uint32_t prop, unsigned outer,
                       struct str *out) {
  const struct prop *p = &t->props.at[prop];
  bool has_parens = level(p->op) < outer;
  str_add(out, has_parens ? "(" : "");
  switch (p->op) {
  case PROP_TRUE:
  case PROP_FALSE:
    str_add(out, p->op == PROP_TRUE ? "true" : "false");
    break;
  case PROP_ATOM:
    print_atom(t, p, out);
    break;
  case PROP_ARRAY:
    print_array(t, p, out);
    break;
  case PROP_NOT:
    str_add(out, "not (");
    print_prop(t, p->left, 0, out);
    str_add(out, ")");
    break;
  case PROP_AND:
  case PROP_OR:
  case PROP_IMPLIES:
    print_prop(t, p->left, level(p->op) + (p->op == PROP_IMPLIES), out);
    str_add(out, p->op == PROP_AND  ? " /\\ "
                 : p->op == PROP_OR ? " \\/ "
                                    : " => ");
    print_prop(t, p->right, level(p->op), out);
    break;
  }
  str_add(out, has_parens ? ")" : "");
}

void litmus_print_condition(const struct litmus *t, struct str *out) {
  str_add(out, t->ask == ASK_EXISTS   ? "exists ("
               : t->ask == ASK_FORALL ? "forall ("
                                      : "~exists (");
  print_prop(t, t->condition, 0, out);
  str_add(out, ")");
}
