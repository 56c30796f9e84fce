// SPDX-License-Identifier: MIT
// Classes and their bases: what dynamic_cast and handlers ask for.
//
// A subobject is a class and an address. `walk` visits all of them in an
// object, bases below the classes that have them, and says whether all steps
// that led there are public.
#include "rtti.h"

#include <string.h>

#define KIND(name) const void *const name[8] = {0}
KIND(_ZTVN10__cxxabiv117__class_type_infoE);
KIND(_ZTVN10__cxxabiv120__si_class_type_infoE);
KIND(_ZTVN10__cxxabiv121__vmi_class_type_infoE);
KIND(_ZTVN10__cxxabiv119__pointer_type_infoE);
KIND(_ZTVN10__cxxabiv129__pointer_to_member_type_infoE);
KIND(_ZTVN10__cxxabiv123__fundamental_type_infoE);
KIND(_ZTVN10__cxxabiv117__array_type_infoE);
KIND(_ZTVN10__cxxabiv120__function_type_infoE);
KIND(_ZTVN10__cxxabiv116__enum_type_infoE);
KIND(_ZTVSt9type_info);

struct pointer_type {
  struct type_info base;
  unsigned flags; // const 1, volatile 2, restrict 4
  const struct type_info *pointee;
};

// -- the types that the language has
#define PLAIN(code)                                                            \
  const struct type_info _ZTI##code = {                                        \
      _ZTVN10__cxxabiv123__fundamental_type_infoE + 2, #code};                 \
  const struct pointer_type _ZTIP##code = {                                    \
      {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "P" #code},                \
      0,                                                                       \
      &_ZTI##code};                                                            \
  const struct pointer_type _ZTIPK##code = {                                   \
      {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "PK" #code},               \
      1,                                                                       \
      &_ZTI##code};
PLAIN(v)
PLAIN(b)
PLAIN(w)
PLAIN(c)
PLAIN(a)
PLAIN(h)
PLAIN(s)
PLAIN(t)
PLAIN(i)
PLAIN(j)
PLAIN(l)
PLAIN(m)
PLAIN(x)
PLAIN(y)
PLAIN(n)
PLAIN(o)
PLAIN(f)
PLAIN(d)
PLAIN(e)
PLAIN(g)
PLAIN(Dn)
PLAIN(Di)
PLAIN(Ds)
PLAIN(Du)

// Exceptions that are none of C++: nothing throws them here.
#define CLASS(code)                                                            \
  const struct type_info _ZTI##code = {                                        \
      _ZTVN10__cxxabiv117__class_type_infoE + 2, #code};
CLASS(N10__cxxabiv115__forced_unwindE)
CLASS(N10__cxxabiv119__foreign_exceptionE)

static int is_kind(const struct type_info *t, const void *const *table) {
  return t->kind == table + 2;
}

// Names that begin with a star are those of one file.
int type_equal(const struct type_info *x, const struct type_info *y) {
  return x == y || x->name == y->name ||
         (x->name[0] != '*' && strcmp(x->name, y->name) == 0);
}

// -- subobjects

struct base {
  const struct type_info *type;
  long offset_flags; // the offset above 8 bits; 1: virtual, 2: public
};

struct class_with_base { // one public base without offset
  struct type_info type;
  const struct type_info *base;
};

struct class_with_bases {
  struct type_info type;
  unsigned flags, count;
  struct base bases[];
};

static char *base_address(char *object, const struct base *b) {
  long offset = b->offset_flags >> 8;
  if (!(b->offset_flags & 1))
    return object + offset;
  return object + *(const long *)(*(char *const *)object + offset);
}

// What is looked for, and what was found: bases of type `type`. Without an
// object (`address` is null) virtual bases have no address.
struct search {
  const struct type_info *type;
  char *only;  // if not null: nothing but the one at that address counts
  char *found; // address of the last one
  int publicly, otherwise; // how many there are
};

static void note(struct search *s, char *address, int is_public) {
  if (s->only && s->only != address)
    return;
  if (s->publicly + s->otherwise && s->found == address) { // virtual base again
    if (is_public && !s->publicly) {
      s->publicly = 1;
      s->otherwise = 0;
    }
    return;
  }
  s->found = address;
  if (is_public)
    s->publicly++;
  else
    s->otherwise++;
}

static void walk(const struct type_info *t, char *address, int is_public,
                 struct search *s) {
  if (type_equal(t, s->type)) {
    note(s, address, is_public);
    return;
  }
  if (is_kind(t, _ZTVN10__cxxabiv120__si_class_type_infoE)) {
    walk(((const struct class_with_base *)t)->base, address, is_public, s);
  } else if (is_kind(t, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) {
    const struct class_with_bases *c = (const struct class_with_bases *)t;
    for (unsigned i = 0; i < c->count; i++)
      walk(c->bases[i].type, base_address(address, &c->bases[i]),
           is_public && c->bases[i].offset_flags & 2, s);
  }
}

// The one public base of that type, or null.
static void *public_base(const struct type_info *from, void *object,
                         const struct type_info *to) {
  struct search s = {.type = to};
  walk(from, object, 1, &s);
  return s.publicly == 1 && !s.otherwise ? s.found : NULL;
}

// -- dynamic_cast

// All subobjects of type `to` of which the one at `from` is a public base.
struct down {
  const struct type_info *from_type, *to;
  char *from, *found;
  int count;
};

static void walk_down(const struct type_info *t, char *address,
                      struct down *d) {
  if (type_equal(t, d->to)) {
    struct search s = {.type = d->from_type, .only = d->from};
    walk(t, address, 1, &s);
    if (s.publicly && !(d->count && d->found == address)) {
      d->found = address;
      d->count++;
    }
    return;
  }
  if (is_kind(t, _ZTVN10__cxxabiv120__si_class_type_infoE)) {
    walk_down(((const struct class_with_base *)t)->base, address, d);
  } else if (is_kind(t, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) {
    const struct class_with_bases *c = (const struct class_with_bases *)t;
    for (unsigned i = 0; i < c->count; i++)
      walk_down(c->bases[i].type, base_address(address, &c->bases[i]), d);
  }
}

void *__dynamic_cast(const void *object, const struct type_info *from,
                     const struct type_info *to, long hint);
void *__dynamic_cast(const void *object, const struct type_info *from,
                     const struct type_info *to, long hint) {
  const long *table = *(const long *const *)object;
  char *whole = (char *)object + table[-2];
  const struct type_info *type = (const struct type_info *)table[-1];
  (void)hint;
  struct down d = {.from_type = from, .to = to, .from = (char *)object};
  walk_down(type, whole, &d);
  if (d.count == 1)
    return d.found;
  if (d.count > 1)
    return NULL;
  struct search own = {.type = from, .only = (char *)object};
  walk(type, whole, 1, &own);
  return own.publicly ? public_base(type, whole, to) : NULL;
}

// -- handlers

static int is_pointer(const struct type_info *t) {
  return is_kind(t, _ZTVN10__cxxabiv119__pointer_type_infoE);
}

static int is_class(const struct type_info *t) {
  return is_kind(t, _ZTVN10__cxxabiv117__class_type_infoE) ||
         is_kind(t, _ZTVN10__cxxabiv120__si_class_type_infoE) ||
         is_kind(t, _ZTVN10__cxxabiv121__vmi_class_type_infoE);
}

static int is_derived(const struct type_info *handler,
                      const struct type_info *thrown, void **object) {
  if (!is_class(handler) || !is_class(thrown))
    return 0;
  if (!*object) // a null pointer; virtual bases are not asked for their place
    return 1;
  void *base = public_base(thrown, *object, handler);
  if (base)
    *object = base;
  return base != NULL;
}

// Pointers: what is pointed to may become const or volatile, any object void,
// a class its base; what pointers point to that are pointed to must be const on
// the way there (and is not converted to void or a base).
static int pointer_catches(const struct pointer_type *handler,
                           const struct pointer_type *thrown, void **object,
                           int outermost) {
  if (thrown->flags & 7 & ~handler->flags)
    return 0;
  const struct type_info *h = handler->pointee, *t = thrown->pointee;
  if (type_equal(h, t))
    return 1;
  if (outermost && type_equal(h, &_ZTIv))
    return !is_kind(t, _ZTVN10__cxxabiv120__function_type_infoE);
  if (outermost && is_derived(h, t, object))
    return 1;
  return is_pointer(h) && is_pointer(t) && handler->flags & 1 &&
         pointer_catches((const struct pointer_type *)h,
                         (const struct pointer_type *)t, object, 0);
}

int type_catches(const struct type_info *handler,
                 const struct type_info *thrown, void **object) {
  if (is_pointer(thrown))
    *object = *(void **)*object;
  if (!handler || type_equal(handler, thrown))
    return 1;
  if (is_pointer(handler) && is_pointer(thrown))
    return pointer_catches((const struct pointer_type *)handler,
                           (const struct pointer_type *)thrown, object, 1);
  if (is_pointer(handler) && type_equal(thrown, (const void *)&_ZTIDn)) {
    *object = NULL;
    return 1;
  }
  return is_derived(handler, thrown, object);
}
