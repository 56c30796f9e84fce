// SPDX-License-Identifier: MIT
// What the operations of a small program mean, and how they are printed.
#include "program.h"

const struct action *program_next(const struct program *p, unsigned t,
                                  struct runner *r) {
  while (r->next < p->len[t]) {
    const struct action *a = &p->ops[t][r->next];
    if (condition_holds(a->guard, r))
      return a;
    r->next++;
  }
  return NULL;
}

void program_advance(const struct action *a, struct runner *r, uint64_t value) {
  if (a->dst != NO_REGISTER)
    r->regs[a->dst] = value;
  r->next++;
}

bool condition_holds(struct condition c, const struct runner *r) {
  switch ((enum comparison)c.comparison) {
  case CMP_ALWAYS:
    return true;
  case CMP_EQ:
    return r->regs[c.reg] == c.than;
  case CMP_NE:
    return r->regs[c.reg] != c.than;
  case CMP_LT:
    return r->regs[c.reg] < c.than;
  case CMP_GE:
    return r->regs[c.reg] >= c.than;
  }
  fatal_internal(__FILE__, __LINE__, "unknown comparison");
}

uint64_t operand_value(struct operand o, const struct runner *r) {
  uint64_t value = o.reg == NO_REGISTER ? 0 : r->regs[o.reg];
  switch ((enum computation)o.computation) {
  case COMPUTE_SUM:
    return value + o.plus;
  case COMPUTE_ZERO:
    return o.plus;
  case COMPUTE_OR:
    return value | o.plus;
  case COMPUTE_PICK:
    return value ? o.plus : 0;
  }
  fatal_internal(__FILE__, __LINE__, "unknown computation");
}

// Is `a` a compare-exchange that is assumed to succeed? One that fails only
// reads.
static bool must_succeed(const struct action *a,
                         const struct condition *assumed) {
  return a->kind == DO_CAS && assumed->comparison == CMP_EQ &&
         a->expected.reg == NO_REGISTER && a->expected.plus == assumed->than;
}

static bool uses(const struct action *a, uint8_t reg) {
  return a->index.reg == reg || a->value.reg == reg || a->expected.reg == reg ||
         (a->kind == DO_ASSUME && a->assumed.reg == reg);
}

// Would a second round of actions first to last do something else than the
// first, as one of them uses what it, or one behind it, has read?
static bool round_changes(const struct program *p, unsigned t, unsigned first,
                          unsigned last) {
  for (unsigned i = first; i <= last; i++)
    for (unsigned k = i; k <= last; k++)
      if (p->ops[t][k].dst != NO_REGISTER &&
          uses(&p->ops[t][i], p->ops[t][k].dst))
        return true;
  return false;
}

static int find_awaited(const struct program *p, unsigned t, unsigned i) {
  const struct action *a = &p->ops[t][i];
  if (a->kind != DO_ASSUME || a->guard.comparison != CMP_ALWAYS)
    return -1;
  while (i-- > 0) {
    const struct action *d = &p->ops[t][i];
    if (d->guard.comparison == CMP_ALWAYS && d->dst == a->assumed.reg &&
        must_succeed(d, &a->assumed))
      return (int)i;
    if (d->guard.comparison != CMP_ALWAYS ||
        (d->kind != DO_LOAD && d->kind != DO_FENCE && d->kind != DO_ASSUME))
      return -1;
    if (d->kind == DO_LOAD && d->dst == a->assumed.reg)
      return (int)i;
  }
  return -1;
}

int program_awaited(const struct program *p, unsigned t, unsigned i) {
  int first = find_awaited(p, t, i);
  return first < 0 || round_changes(p, t, (unsigned)first, i) ? -1 : first;
}

unsigned program_allocates(const struct program *p, unsigned loc) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_ALLOC && p->ops[t][i].loc == loc)
        return t;
  return PROGRAM_THREADS;
}

struct action action_new(enum action_kind kind) {
  return (struct action){.kind = (uint8_t)kind,
                         .dst = NO_REGISTER,
                         .index.reg = NO_REGISTER,
                         .value.reg = NO_REGISTER,
                         .expected.reg = NO_REGISTER};
}

const char *const kernel_fence_names[KERNEL_FENCES] = {
    [KERNEL_RMB] = "smp.rmb",
    [KERNEL_WMB] = "smp.wmb",
    [KERNEL_BEFORE_ATOMIC] = "before.atomic",
    [KERNEL_AFTER_ATOMIC] = "after.atomic",
    [KERNEL_RCU_LOCK] = "rcu.lock",
    [KERNEL_RCU_UNLOCK] = "rcu.unlock",
    [KERNEL_SYNC_RCU] = "sync.rcu",
};

bool action_is_access(const struct action *a) {
  return action_reads(a) || action_may_write(a);
}

bool action_is_fence(const struct action *a) {
  return a->kind == DO_FENCE || a->kind == DO_ISB || a->kind == DO_STORES ||
         a->kind == DO_KERNEL;
}

bool action_is_indexed(const struct action *a) {
  return a->index.reg != NO_REGISTER;
}

bool action_may_access(const struct action *a, unsigned loc) {
  return action_is_access(a) &&
         (a->loc == loc || (action_is_indexed(a) && a->other == loc));
}

uint8_t action_location(const struct action *a, const struct runner *r) {
  bool is_other = action_is_indexed(a) && operand_value(a->index, r) % 2;
  return is_other ? a->other : a->loc;
}

bool action_reads(const struct action *a) {
  return a->kind == DO_LOAD || a->kind == DO_ADD || a->kind == DO_EXCHANGE ||
         a->kind == DO_CAS || a->kind == DO_LOCK;
}

bool action_may_write(const struct action *a) {
  return a->kind == DO_STORE || a->kind == DO_ADD || a->kind == DO_EXCHANGE ||
         a->kind == DO_CAS || a->kind == DO_LOCK || a->kind == DO_UNLOCK;
}

bool action_writes(const struct action *a, const struct runner *r,
                   uint64_t read) {
  if (a->kind == DO_CAS)
    return read == operand_value(a->expected, r);
  if (a->kind == DO_LOCK)
    return read == 0;
  return action_may_write(a);
}

uint64_t action_result(const struct action *a, unsigned thread,
                       const struct runner *r, uint64_t read) {
  if (a->kind == DO_LOCK)
    return thread + 1;
  if (a->kind == DO_UNLOCK)
    return 0;
  return operand_value(a->value, r) + (a->kind == DO_ADD ? read : 0);
}

enum order order_of_read(enum order o) {
  if (o == ORD_NA || o == ORD_SC)
    return o;
  return order_acquires(o) ? ORD_ACQ : ORD_RLX;
}

enum order order_of_write(enum order o) {
  if (o == ORD_NA || o == ORD_SC)
    return o;
  return order_releases(o) ? ORD_REL : ORD_RLX;
}

// The names that program_parse knows orders by.
static const char *order_text(enum order o) {
  return o == ORD_ACQREL ? "acqrel" : order_name(o);
}

static char loc_name(unsigned loc) {
  return "xyzwvu"[loc];
}

static void print_condition(struct condition c, struct str *out) {
  static const char *const text[] = {"", "==", "!=", "<", ">="};
  str_add(out, "(r%u%s%u)", c.reg, text[c.comparison], c.than);
}

static void print_operand(struct operand o, struct str *out) {
  if (o.reg == NO_REGISTER) {
    str_add(out, "%u", o.plus);
    return;
  }
  str_add(out, "r%u", o.reg);
  if (o.computation == COMPUTE_ZERO)
    str_add(out, "^r%u", o.reg);
  if (o.computation == COMPUTE_OR)
    str_add(out, " or %u", o.plus);
  else if (o.computation == COMPUTE_PICK)
    str_add(out, "?%u", o.plus);
  else if (o.plus)
    str_add(out, "+%u", o.plus);
}

static void print_location(const struct action *a, struct str *out) {
  str_add(out, "%c", loc_name(a->loc));
  if (!action_is_indexed(a))
    return;
  if (a->other != a->loc)
    str_add(out, "/%c", loc_name(a->other));
  str_add(out, "[");
  print_operand(a->index, out);
  str_add(out, "]");
}

static void print_update(const struct action *a, const char *verb,
                         struct str *out) {
  str_add(out, "%s%s ", verb, order_text(a->order));
  print_location(a, out);
  str_add(out, " ");
  print_operand(a->value, out);
}

static void print_cas(const struct action *a, struct str *out) {
  str_add(out, a->is_pick ? "PICK(" : "CAS(");
  print_location(a, out);
  str_add(out, ",");
  print_operand(a->expected, out);
  str_add(out, ",");
  print_operand(a->value, out);
  str_add(out, ")%s/%s", order_text(a->order), order_text(a->order_fail));
}

static void print_action(const struct action *a, struct str *out) {
  if (a->dst != NO_REGISTER)
    str_add(out, "r%u=", a->dst);
  switch ((enum action_kind)a->kind) {
  case DO_LOAD:
    str_add(out, "R%s ", order_text(a->order));
    print_location(a, out);
    break;
  case DO_STORE:
    print_update(a, "W", out);
    break;
  case DO_ADD:
    print_update(a, "FADD", out);
    break;
  case DO_EXCHANGE:
    print_update(a, "XCHG", out);
    break;
  case DO_CAS:
    print_cas(a, out);
    break;
  case DO_LOCK:
    str_add(out, "lock %c", loc_name(a->loc));
    break;
  case DO_UNLOCK:
    str_add(out, "unlock %c", loc_name(a->loc));
    break;
  case DO_FENCE:
    str_add(out, "F%s", order_text(a->order));
    break;
  case DO_CHOOSE:
    str_add(out, "choose(%u)", a->value.plus);
    break;
  case DO_ISB:
    str_add(out, "isb");
    break;
  case DO_STORES:
    str_add(out, "dmb.st");
    break;
  case DO_KERNEL:
    str_add(out, "%s", kernel_fence_names[a->value.plus]);
    break;
  case DO_ASSUME:
    str_add(out, "assume");
    print_condition(a->assumed, out);
    break;
  case DO_ASSERT:
    str_add(out, "assert");
    print_condition(a->assumed, out);
    break;
  case DO_ALLOC:
    str_add(out, "alloc %c", loc_name(a->loc));
    break;
  case DO_FREE:
    str_add(out, "free %c", loc_name(a->loc));
    break;
  case DO_SPAWN:
    str_add(out, "spawn T%u", a->thread);
    break;
  case DO_JOIN:
    str_add(out, "join T%u", a->thread);
    break;
  }
}

void program_print(const struct program *p, struct str *out) {
  str_add(out, "main: ");
  for (unsigned t = 0; t < p->nthreads; t++) {
    if (t)
      str_add(out, " | ");
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *a = &p->ops[t][i];
      if (i)
        str_add(out, "; ");
      if (a->guard.comparison == CMP_ALWAYS) {
        print_action(a, out);
        continue;
      }
      str_add(out, "if");
      print_condition(a->guard, out);
      str_add(out, "{");
      print_action(a, out);
      str_add(out, "}");
    }
  }
}
