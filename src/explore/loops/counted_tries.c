// SPDX-License-Identifier: MIT
// Weak compare-exchanges in loops that count their tries, as in
//
//   for (n = 0; n < 5; n++)
//     if (compare_exchange_weak(&x, &old, old + 1))
//       break;
//
// One that fails although it reads what it expects changes n, so each number of
// such failures is another execution, and so is each place of them between
// others. But all that can be seen of n is whether the tries are used up. So
// another program is explored instead, P', in which such a failure gives up: it
// leads to where the loop is left if all further tries fail like that, too
// (vm/tries.c makes P' of the program P). As with rollback.c, that is done
// before anything is explored, and all that the search and other reductions do
// they do with P'.
//
// P' has no execution that P has not, up to reads: behind the failure, repeat
// its read until the loop is left. A copy t of a read r that comes right behind
// it in po, of the same kind, order, location and source, has no way in or out
// that r has not: what is ordered before t by po, by the source, by happens-
// before or by an sc axiom is r or ordered before r, and what t is ordered
// before, by po or from-read, r is as well. So a cycle through t is one through
// r. (With dependencies that is not so clear, see below.)
//
// P' has all that matters of P. Let G be an execution of P, the whole or what
// there is of it at an error. In each thread, take the states s of G along with
// states s' of an execution G' of P', with this invariant: s = s', or s is in
// the chain of s', the states that s' goes through if it fails for no reason
// again and again (so both are about to make the same try).
//
//   - s fails for no reason. If the next state is one of the chain, G' does
//     nothing: the read is left out. If it is the end of the chain, G' makes
//     the failure, with the same source, and P' leads there as well.
//   - s succeeds, or fails since it reads another value: so does s', with the
//     same source. vm/tries.c has asked, when P' took this step for the first
//     time, that s and s' lead to the same state (behind the write, where only
//     the same thread's code has run), or that s leads to a state of the chain
//     of where s' leads. If that is the chain's end, where G gives up since its
//     last try failed, G' repeats this read until it is there, too: for no
//     reason if the value is now the one that is expected (then once, in P'),
//     else as failures that are what they are.
//
// G' is allowed: it lacks some reads, and what is left has no relation that it
// had not before (as with awaits); and has some copies of reads right behind
// these. Writes, what they overwrite and who reads them are the same, and so
// are all states that are in no chain. So assertions, ends, and what threads
// wait for are the same.
//
// A race (a use after a free, ...) of G with a read r that was left out: with a
// write w. Its thread's next try is t. If r is before w by po and rf, so is t,
// and t races with w: w is not ordered before t, which comes before it, nor
// after t, as r would be before w as well. Else cut G off before r and w: there
// r is the last event of its thread, and G' may make it as the failure that
// gives up. (Here po and rf have no cycle.)
//
// Which G' there are is what the search finds out of P', by itself; so each
// step of G' has been taken, and asked about. If tries differ in more than
// their number, the search begins again with P.
//
// Where it is not used:
//   - Models in which dependencies count: `old` depends on the failure that was
//     left out in G and on what was read before that in G', which may be the
//     same value of another write. An address that is computed from it then
//     orders in G' what it does not in G: with p published by T2 and again by
//     T3, `q = load(x); try(&x, &q, ...); load(q)` may miss in G, where the
//     failure reads T3's and the load depends on that, what it must not in G',
//     where it depends on T2's. And a store of it can be promised before the
//     load in G only.
//   - xmm: an execution without a read may justify less (as in detours.c).
//   - Clocks, as far as code that looks at one is linked: a failure may be all
//     that brings time (round_races.c).
//   - Options that count rounds.
#include "explore/loops/loops.h"

static bool has_weak_tries(const struct prog *p) {
  for (uint32_t pc = 0; pc < p->code.len; pc++)
    if (p->code.at[pc].op == OP_cas_load &&
        imm_access_of(p->code.at[pc].imm).is_weak)
      return true;
  return false;
}

static bool knows_model(const struct model *m) {
  return m->chains_order && !m->tracks_dependencies && !m->justifier;
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  if (!has_weak_tries(x->prog))
    return "no compare-exchange may fail for no reason";
  if (!knows_model(c->model))
    return "it is not proved of the model";
  if (x->prog->has_clocks)
    return "a failure may bring time";
  if (c->unrolls || c->yield_bound || c->read_bound || explore_is_bounded(c))
    return "rounds are counted by an option";
  if (x->observer.on_execution && !x->observer.on_begin_again && !x->team)
    return "what was told of executions cannot be taken back";
  return NULL;
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  (void)known;
  vm_give_up(x->vm, explore_reduces(x, REDUCE_COUNTED_TRIES));
}

static bool is_refuted(struct explorer *x) {
  if (!vm_tries_differ(x->vm))
    return false;
  vm_give_up(x->vm, false);
  hooks_refute(x, REDUCE_COUNTED_TRIES);
  x->restart |= RESTART | RESTART_STATES;
  return true;
}

static bool refutes(struct explorer *x, thread_id t) {
  (void)t;
  return is_refuted(x);
}

const struct mechanism counted_tries_hooks = {
    .why_not = why_not,
    .prepare = prepare,
    .refutes = refutes,
    .is_refuted = is_refuted,
};
