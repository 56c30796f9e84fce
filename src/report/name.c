// SPDX-License-Identifier: MIT
// A location is named from its object (global, heap, stack) and from the type
// that debug information, or its use (shape.c), gives the object.
#include "report/name.h"
#include "base/half.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void name_bytes(const char *bytes, size_t len, struct str *out) {
  str_add(out, "\"");
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\n')
      str_add(out, "\\n");
    else if (c == '\t')
      str_add(out, "\\t");
    else if (c == '"' || c == '\\')
      str_add(out, "\\%c", c);
    else if (c < 32 || c == 127)
      str_add(out, "\\%03o", c);
    else
      str_add_bytes(out, &bytes[i], 1);
  }
  str_add(out, "\"");
}

// -- objects of the execution

const struct source *source_of_event(const struct names *n,
                                     const struct event *e) {
  site_id s = e->pre ? vm_site(n->vm, e->pre) : NO_SITE;
  return s < n->prog->source.len ? &n->prog->source.at[s] : NULL;
}

// "Node" for "struct Node<int>".
static void add_type(const struct names *n, type_id t, struct str *out) {
  const char *name = prog_text(n->prog, n->prog->types.at[t].name);
  const char *blank = strchr(name, ' ');
  if (n->prog->types.at[t].kind == TYPE_STRUCT && blank)
    name = blank + 1;
  str_add(out, "%.*s", (int)strcspn(name, "<"), name);
}

// The function that makes an object; what libstdc++ keeps for itself by its
// class alone: "std::deque" for std::_Deque_base::_M_initialize_map.
static void add_maker(const char *function, struct str *out) {
  const char *last = strrchr(function, ':');
  if (strncmp(function, "std::", 5) != 0 || !last || last[1] != '_') {
    str_add(out, "%s", function);
    return;
  }
  const char *end = last - 1, *class = end;
  while (class[-1] != ':')
    class --;
  static const char base[] = "_base";
  size_t len = (size_t)(end - class), tail = sizeof base - 1;
  if (len > tail && memcmp(end - tail, base, tail) == 0)
    len -= tail;
  size_t bars = strspn(class, "_");
  bars = bars < len ? bars : 0;
  str_add(out, "std::%c%.*s", tolower((unsigned char)class[bars]),
          (int)(len - bars - 1), class + bars + 1);
}

// What std::thread hands over is named after it, also where another function of
// the library makes the thread (std::vector::emplace_back).
static const char *maker_of(const struct names *n, const struct event *e,
                            const char *text) {
  enum { MOST = 32 };
  site_id sites[MOST];
  bool is_std = strncmp(text, "std::", 5) == 0;
  unsigned count =
      is_std && e->pre ? vm_backtrace(n->vm, e->pre, sites, MOST) : 0;
  for (unsigned i = 0; i < count; i++) {
    const char *func = prog_text(n->prog, n->prog->source.at[sites[i]].func);
    if (strcmp(func, "std::thread::thread") == 0)
      return func;
  }
  return *text ? text : "malloc";
}

// A heap object is named after its type where the call says that, else after
// the function that made it; a variable by its name and thread.
static void label_object(struct names *n, const struct event *e,
                         unsigned number) {
  struct object_name *o = &n->objects.at[e->loc];
  const struct source *from = source_of_event(n, e);
  const char *text = from ? prog_text(n->prog, from->text) : "";
  struct str label = {0};
  o->is_variable = e->flags & EVF_STACK;
  o->shape.size = e->value;
  if (!o->is_variable && from && from->made)
    add_type(n, from->made, &label);
  else if (!o->is_variable)
    add_maker(maker_of(n, e, text), &label);
  if (!o->is_variable)
    str_add(&label, "#%u", number);
  else if (e->thread)
    str_add(&label, "%s@T%u", *text ? text : "local", e->thread);
  else
    str_add(&label, "%s", *text ? text : "local");
  if (from && from->made && !o->shape.structs.len)
    array_push(&o->shape.structs, from->made);
  free(o->label);
  o->label = label.at;
}

// Does the object begin with a pointer to a virtual table?
static void learn_head(struct names *n, const struct event *e) {
  const struct location *l = vm_location(n->vm, e->loc);
  if (e->kind != EV_WRITE || l->object == NO_OBJECT || l->size != 8 ||
      l->object >= n->objects.len ||
      l->address != vm_object_address(n->vm, l->object))
    return;
  uint32_t i = object_region(pointer_object(e->value))
                   ? UINT32_MAX
                   : prog_global_of_object(n->prog, pointer_object(e->value));
  if (i != UINT32_MAX &&
      strncmp(prog_text(n->prog, n->prog->globals.at[i].name), "vtable for ",
              11) == 0)
    n->objects.at[l->object].shape.has_head = true;
}

static void learn_shape(struct names *n, const struct event *e) {
  const struct location *l = vm_location(n->vm, e->loc);
  site_id site = e->pre ? vm_access_site(n->vm, e->pre) : NO_SITE;
  const struct source *from =
      site < n->prog->source.len ? &n->prog->source.at[site] : NULL;
  if (!from || l->object == NO_OBJECT || l->object >= n->objects.len)
    return;
  struct shape *shape = &n->objects.at[l->object].shape;
  uint64_t offset = l->address - vm_object_address(n->vm, l->object);
  const char *text = prog_text(n->prog, from->text);
  if (from->header)
    shape_learn_head(shape, n->prog, offset, text);
  shape_learn(shape, n->prog, offset, l->size, from->header ? "" : text);
}

static void learn_type(struct names *n, const struct event *e) {
  const struct source *from = source_of_event(n, e);
  type_id t = from ? from->type : 0;
  while (n->accessed.len <= e->loc)
    array_push(&n->accessed, 0);
  type_id *known = &n->accessed.at[e->loc];
  if (t && n->prog->types.at[t].kind == TYPE_SCALAR &&
      n->prog->types.at[t].size == vm_location(n->vm, e->loc)->size)
    *known = !*known || *known == t ? t : SEVERAL_TYPES;
}

static void name_objects(struct names *n) {
  const struct graph *g = n->graph;
  unsigned heap = 0;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (e->kind == EV_ALLOC)
        label_object(n, e, e->flags & EVF_STACK ? 0 : ++heap);
    }
}

void names_done(struct names *n) {
  for (uint32_t i = 0; i < n->objects.len; i++) {
    free(n->objects.at[i].label);
    shape_done(&n->objects.at[i].shape);
  }
  array_done(&n->objects);
  array_done(&n->pointer_fields);
  array_done(&n->accessed);
}

void name_object(const struct names *n, object_no o, struct str *out) {
  if (o < n->objects.len && n->objects.at[o].label)
    str_add(out, "%s", n->objects.at[o].label);
  else
    str_add(out, "object#%u", o);
}

// -- addresses

// The thread-local variable that an object of a thread's region is.
static const struct global *thread_local_of(const struct names *n,
                                            object_id o) {
  uint32_t index = object_index(o);
  if (object_region(o) == 0 || index < INDEX_TLS || index >= INDEX_LOCAL)
    return NULL;
  for (uint32_t i = 0; i < n->prog->globals.len; i++) {
    const struct global *g = &n->prog->globals.at[i];
    if (g->is_thread_local && g->tls_index == index - INDEX_TLS)
      return g;
  }
  return NULL;
}

static void name_inside_object(const struct names *n, object_no no,
                               uint64_t offset, uint64_t size, bool is_pointer,
                               struct str *out) {
  name_object(n, no, out);
  if (no < n->objects.len && !(is_pointer && offset == 0))
    shape_name(&n->objects.at[no].shape, n->prog, offset, size,
               n->objects.at[no].is_variable, out);
}

// Yields false when the address is in no object that has a name.
static bool name_address(const struct names *n, uint64_t address, uint64_t size,
                         bool is_pointer, struct str *out) {
  object_id id = pointer_object(address);
  object_no no = vm_object_of_pointer(n->vm, address);
  if (no != NO_OBJECT) {
    name_inside_object(n, no, address - vm_object_address(n->vm, no), size,
                       is_pointer, out);
    return true;
  }
  const struct global *g = thread_local_of(n, id);
  if (g) {
    str_add(out, "%s", prog_text(n->prog, g->name));
    prog_name_offset(n->prog, g->type, pointer_offset(address), size, out);
    str_add(out, "@T%u", object_region(id) - 1);
    return true;
  }
  if (object_region(id) != 0)
    return false;
  uint32_t global = prog_global_of_object(n->prog, id);
  if (is_pointer && global != UINT32_MAX && pointer_offset(address) == 0) {
    str_add(out, "%s", prog_text(n->prog, n->prog->globals.at[global].name));
    return true;
  }
  return prog_name_address(n->prog, address, size, out);
}

void name_location(const struct names *n, loc_id l, struct str *out) {
  const struct location *where = vm_location(n->vm, l);
  if (!name_address(n, where->address, where->size, /*is_pointer=*/false, out))
    str_add(out, "0x%llx", (unsigned long long)where->address);
}

// A string literal is shown by its text.
static bool name_literal(const struct names *n, uint64_t pointer,
                         struct str *out) {
  object_id id = pointer_object(pointer);
  uint32_t i =
      object_region(id) ? UINT32_MAX : prog_global_of_object(n->prog, id);
  if (i == UINT32_MAX || !n->prog->globals.at[i].is_anonymous)
    return false;
  const struct global *g = &n->prog->globals.at[i];
  uint32_t offset = pointer_offset(pointer);
  if (offset >= g->size || !g->bytes)
    return false;
  const char *text = (const char *)g->bytes + offset;
  size_t len = strnlen(text, (size_t)g->size - offset);
  if (len == g->size - offset)
    return false;
  name_bytes(text, len, out);
  return true;
}

// False when the number does not point into anything that exists.
// A part of a global variable that is as large as what is pointed to:
// "slots[1]" rather than its first member.
static bool name_part(const struct names *n, uint64_t pointer, uint64_t pointee,
                      struct str *out) {
  object_id id = pointer_object(pointer);
  uint32_t i =
      object_region(id) ? UINT32_MAX : prog_global_of_object(n->prog, id);
  if (i == UINT32_MAX || !pointee)
    return false;
  const struct global *g = &n->prog->globals.at[i];
  struct str path = {0};
  bool known =
      prog_name_part(n->prog, g->type,
                     pointer - prog_global_address(n->prog, i), pointee, &path);
  if (known)
    str_add(out, "%s%s", prog_text(n->prog, g->name), str_text(&path));
  str_done(&path);
  return known;
}

// `pointee` is the size of what it points to, 0 if that is unknown.
static bool name_pointer_to(const struct names *n, uint64_t pointer,
                            uint64_t pointee, struct str *out) {
  if (!pointer_canonical(pointer) || pointer_object(pointer) == INDEX_NULL)
    return false;
  if (name_literal(n, pointer, out))
    return true;
  uint32_t func = prog_func_of_address(n->prog, pointer);
  if (func != UINT32_MAX) {
    str_add(out, "%s", prog_text(n->prog, n->prog->funcs.at[func].name));
    return true;
  }
  struct str name = {0};
  bool known = name_part(n, pointer, pointee, &name) ||
               name_address(n, pointer, 0, /*is_pointer=*/true, &name);
  if (known)
    str_add(out, "&%s", str_text(&name));
  str_done(&name);
  return known;
}

static bool name_pointer_if_any(const struct names *n, uint64_t pointer,
                                struct str *out) {
  return name_pointer_to(n, pointer, 0, out);
}

static void name_typed_pointer(const struct names *n, uint64_t pointer,
                               uint64_t pointee, struct str *out) {
  if (pointer == 0)
    str_add(out, "NULL");
  else if (!name_pointer_to(n, pointer, pointee, out))
    str_add(out, "0x%llx", (unsigned long long)pointer);
}

void name_pointer(const struct names *n, uint64_t pointer, struct str *out) {
  name_typed_pointer(n, pointer, 0, out);
}

// -- values

// The global or thread-local variable at an address, and the offset in it.
static const struct global *global_at(const struct names *n, uint64_t address,
                                      uint64_t *offset) {
  const struct global *g = thread_local_of(n, pointer_object(address));
  *offset = pointer_offset(address);
  if (g)
    return g;
  uint32_t i = prog_global_of_object(n->prog, pointer_object(address));
  if (i == UINT32_MAX)
    return NULL;
  *offset = address - prog_global_address(n->prog, i);
  return &n->prog->globals.at[i];
}

static type_id scalar_of_global(const struct names *n, uint64_t address,
                                uint64_t size) {
  uint64_t offset;
  const struct global *g = global_at(n, address, &offset);
  return g ? prog_scalar_at(n->prog, g->type, offset, size) : 0;
}

static bool name_bits(const struct names *n, const struct location *l,
                      uint64_t value, struct str *out) {
  uint64_t offset;
  if (l->object != NO_OBJECT)
    return l->object < n->objects.len &&
           shape_name_bits(&n->objects.at[l->object].shape, n->prog,
                           l->address - vm_object_address(n->vm, l->object),
                           l->size, value, out);
  const struct global *g = global_at(n, l->address, &offset);
  return g && prog_name_bits(n->prog, g->type, offset, l->size, value, out);
}

// Is it a part of a scalar that is accessed in several?
static bool is_half(const struct names *n, const struct location *l) {
  uint64_t offset;
  const struct global *g =
      l->object == NO_OBJECT ? global_at(n, l->address, &offset) : NULL;
  return g && l->size <= 8 &&
         prog_scalar_around(n->prog, g->type, offset) > l->size;
}

// How the value of a location is to be printed; NULL if unknown.
static const struct type *type_of_location(const struct names *n,
                                           const struct location *l) {
  type_id t = 0;
  if (l->object == NO_OBJECT)
    t = scalar_of_global(n, l->address, l->size);
  else if (l->object < n->objects.len)
    t = shape_scalar_at(&n->objects.at[l->object].shape, n->prog,
                        l->address - vm_object_address(n->vm, l->object),
                        l->size);
  const struct type *type = t ? &n->prog->types.at[t] : NULL;
  return type && type->size == l->size ? type : NULL;
}

static const char *field_of(const struct names *n, const struct location *l) {
  if (l->object == NO_OBJECT || l->object >= n->objects.len)
    return NULL;
  return shape_field(&n->objects.at[l->object].shape,
                     l->address - vm_object_address(n->vm, l->object));
}

static bool is_pointer_field(const struct names *n, const char *field) {
  for (uint32_t i = 0; field && i < n->pointer_fields.len; i++)
    if (strcmp(n->pointer_fields.at[i], field) == 0)
      return true;
  return false;
}

static void learn_pointers(struct names *n) {
  const struct graph *g = n->graph;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (e->kind != EV_WRITE || vm_location(n->vm, e->loc)->size != 8)
        continue;
      const char *field = field_of(n, vm_location(n->vm, e->loc));
      struct str name = {0};
      if (field && !is_pointer_field(n, field) &&
          name_pointer_if_any(n, e->value, &name))
        array_push(&n->pointer_fields, field);
      str_done(&name);
    }
}

static int64_t signed_value(uint64_t value, uint32_t size) {
  unsigned unused = 64 - 8 * size;
  return (int64_t)(value << unused) >> unused;
}

static void name_float(uint64_t bits, uint32_t size, struct str *out) {
  double d;
  if (size == 2) {
    d = half_of((uint16_t)bits);
  } else if (size == 4) {
    float f;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, 4);
    d = (double)f;
  } else {
    memcpy(&d, &bits, 8);
  }
  char text[40];
  for (int digits = 1; digits <= 17; digits++) { // the fewest that say it
    snprintf(text, sizeof text, "%.*g", digits, d);
    bool is_said = size == 2   ? half_of(half_bits(strtod(text, NULL))) == d
                   : size == 4 ? strtof(text, NULL) == (float)d
                               : strtod(text, NULL) == d;
    if (is_said || d != d)
      break;
  }
  str_add(out, "%s", text);
}

static bool name_enumerator(const struct names *n, const struct type *t,
                            uint64_t value, struct str *out) {
  uint64_t mask = t->size < 8 ? (UINT64_C(1) << 8 * t->size) - 1 : UINT64_MAX;
  for (uint32_t i = 0; i < t->members; i++) {
    const struct member *m = &n->prog->members.at[t->first_member + i];
    if (((m->offset ^ value) & mask) == 0) {
      str_add(out, "%s", prog_text(n->prog, m->name));
      return true;
    }
  }
  return false;
}

// A char as a literal: 'x'.
static bool name_char(const struct names *n, const struct type *t,
                      uint64_t value, struct str *out) {
  if (strcmp(prog_text(n->prog, t->name), "char") != 0 || t->size != 1)
    return false;
  unsigned char c = (unsigned char)value;
  if (c == 0)
    str_add(out, "'\\0'");
  else if (c == '\n' || c == '\t')
    str_add(out, "'\\%c'", c == '\n' ? 'n' : 't');
  else if (c >= ' ' && c < 127)
    str_add(out, c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
  else
    return false;
  return true;
}

// The type with which all accesses of a location access it; NULL: none, or
// several.
static const struct type *accessed_as(const struct names *n, loc_id l) {
  type_id t = l < n->accessed.len ? n->accessed.at[l] : 0;
  return t && t != SEVERAL_TYPES ? &n->prog->types.at[t] : NULL;
}

void name_value(const struct names *n, loc_id l, uint64_t value,
                struct str *out) {
  name_value_as(n, l, value, 0, out);
}

void name_value_as(const struct names *n, loc_id l, uint64_t value, type_id as,
                   struct str *out) {
  const struct location *where = vm_location(n->vm, l);
  const struct type *type = as ? &n->prog->types.at[as] : NULL;
  if (!type || type->kind != TYPE_SCALAR || type->size != where->size)
    type = accessed_as(n, l);
  if (!type || type->size != where->size)
    type = type_of_location(n, where);
  bool is_struct = as && n->prog->types.at[as].kind == TYPE_STRUCT;
  if (name_bits(n, where, value, out) ||
      (is_struct && prog_name_bits(n->prog, as, 0, where->size, value, out)))
    return;
  if (!type && is_half(n, where)) {
    str_add(out, "0x%llx", (unsigned long long)value);
  } else if (where->size > 8) {
    uint64_t half[2];
    vm_wide_get(n->vm, value, &half[0], &half[1]);
    if (type) { // one number
      if (half[1])
        str_add(out, "0x%llx%016llx", (unsigned long long)half[1],
                (unsigned long long)half[0]);
      else
        str_add(out, "%llu", (unsigned long long)half[0]);
      return;
    }
    for (unsigned i = 0; i < 2; i++) {
      str_add(out, i ? ", " : "{");
      if (!name_pointer_if_any(n, half[i], out))
        str_add(out, "%lld", (long long)half[i]);
    }
    str_add(out, "}");
  } else if (type ? type->is_pointer
                  : value == 0 && where->size == 8 &&
                        is_pointer_field(n, field_of(n, where))) {
    name_typed_pointer(n, value, type ? type->pointee : 0, out);
  } else if (type && (name_enumerator(n, type, value, out) ||
                      name_char(n, type, value, out))) {
    return;
  } else if (type && type->is_float) {
    name_float(value, where->size, out);
  } else if (type && !type->is_signed) {
    str_add(out, "%llu", (unsigned long long)value);
  } else if (type || where->size < 8 || !name_pointer_if_any(n, value, out)) {
    // Without a type a large number that points at something is a pointer,
    // and any other number is read as most C variables are: signed.
    str_add(out, "%lld", (long long)signed_value(value, where->size));
  }
}

bool name_initial(const struct names *n, loc_id l, struct str *out) {
  const struct location *where = vm_location(n->vm, l);
  bool is_object = where->object != NO_OBJECT;
  bool is_known = where->is_initialized;
  if (is_object) {
    event_id alloc = n->graph->objects.at[where->object].alloc;
    is_known = alloc != NO_EVENT &&
               (graph_event(n->graph, alloc)->flags & EVF_ZEROED) != 0;
  }
  if (is_known)
    name_value(n, l, is_object ? 0 : where->initial, out);
  return is_known;
}

// -- the names of an execution

void names_init(struct names *n, const struct prog *p, struct vm *vm,
                const struct graph *g) {
  *n = (struct names){.prog = p, .vm = vm, .graph = g};
  if (g->objects.len)
    (void)array_extend(&n->objects, g->objects.len);
  name_objects(n);
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++)
      if (is_access(graph_event(g, graph_at(g, t, i))))
        learn_head(n, graph_event(g, graph_at(g, t, i)));
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (is_access(e)) {
        learn_shape(n, e);
        learn_type(n, e);
      }
    }
  learn_pointers(n);
}
