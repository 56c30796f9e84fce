// SPDX-License-Identifier: MIT
// Accesses to shared memory that are made piece by piece. A location is cut
// (vm_cut) when other accesses have some of its bytes in common with it but not
// all: each piece is a location of its own then, which all of them agree on,
// and an access becomes one access per piece. A load puts its value together
// from what the pieces yield; a store, whose registers are dead by then, keeps
// its value here.
//
// An instruction of a machine that is not aligned has an access for each of its
// bytes (HOW_BYTES), and nothing says that these are one.
//
// The halves of an update become reads and writes. The search has to
// see to it that nothing comes between the pieces of an atomic access, which
// are marked (ACCF_PIECE, ACCF_NEXT).
#include "vm/cold.h"

#include <string.h>

bool pieces_are_at(const struct thread *t, uint64_t address, uint32_t size) {
  if (!t->vm->cold->has_cuts)
    return false;
  loc_id l = vm_known_location(t->vm, address, size);
  return l != NO_LOC && t->vm->cold->locations.at[l].cuts;
}

// The bytes of the piece that is next.
static unsigned next_size(const struct pieces *p) {
  uint32_t later = (uint32_t)p->cuts >> p->done >> 1;
  return later ? (unsigned)__builtin_ctz(later) + 1
               : (unsigned)(p->size - p->done);
}

bool pieces_are_bytes(const struct insn *in, uint64_t address) {
  struct imm_access a = imm_access_of(in->imm);
  return (in->op == OP_load || in->op == OP_store) && (a.how & HOW_BYTES) &&
         address % a.size != 0;
}

// Cuts (struct location) before each byte but the first.
static uint16_t every_byte(unsigned size) {
  return (uint16_t)((1u << size) - 2);
}

static bool is_cas(const struct insn *in) {
  return in->op == OP_cas_load;
}

// Stops at the next piece.
static bool stop_at_piece(struct thread *t) {
  const struct pieces *p = &t->pieces;
  struct value part = {0};
  unsigned size = next_size(p);
  if (p->is_store) {
    memcpy(part.v, (const uint8_t *)p->v + p->done, size);
    memcpy(part.undef, (const uint8_t *)p->undef + p->done, size);
  }
  thread_stop(t, p->is_store ? ACC_WRITE : ACC_READ,
              access_pack(t->vm, size, &part), 0);
  t->access.order = p->order;
  bool is_one = p->flags & ACCF_PIECE;
  t->access.flags = p->flags | (is_one && p->done ? ACCF_NEXT : 0u);
  if (p->is_store && is_one)
    t->access.rest =
        (uint8_t)__builtin_popcount((uint32_t)p->cuts >> p->done >> 1);
  t->access.loc = vm_find_location(t->vm, p->address + p->done, size);
  t->track.addr = t->track.target;
  if (p->is_store) {
    t->track.data = t->track.source;
    access_set_undef(t, undef_pack(t->vm, size, &part));
  }
  return false;
}

static uint32_t flags_of(const struct insn *in, const struct imm_access *a) {
  unsigned kind = ACCF_PIECE | (a->how & HOW_ISA ? ACCF_ISA : 0) |
                  (a->how & HOW_LINKED ? ACCF_LINKED : 0);
  unsigned read = kind | (a->how & HOW_NORET ? ACCF_NORET : 0);
  if (a->order == ORD_NA)
    return 0;
  if (in->op == OP_cas_load)
    return read | ACCF_UPDATE;
  if (in->op == OP_rmw_load)
    return read | ACCF_FETCH;
  if (in->op == OP_rmw_store || in->op == OP_cas_store)
    return kind | ACCF_UPDATE | ACCF_NEXT;
  return kind;
}

static bool begin(struct thread *t, const struct insn *in, unsigned pointer,
                  const struct value *value, enum cas_outcome outcome) {
  struct imm_access a = imm_access_of(in->imm);
  uint64_t address = *thread_slot(t, pointer);
  bool in_bytes = pieces_are_bytes(in, address);
  loc_id l = in_bytes ? NO_LOC : vm_known_location(t->vm, address, a.size);
  t->pieces = (struct pieces){
      .address = address,
      .size = a.size,
      .cuts = in_bytes ? every_byte(a.size) : t->vm->cold->locations.at[l].cuts,
      .order = outcome == CAS_FAILS ? a.order_fail : a.order,
      .is_store = value != NULL,
      .outcome = (uint8_t)outcome,
      .flags = in_bytes ? ACCF_ISA : flags_of(in, &a),
  };
  if (value) {
    memcpy(t->pieces.v, value->v, a.size);
    memcpy(t->pieces.undef, value->undef, a.size);
  }
  t->is_pieces = true;
  t->track.target = thread_set(t, pointer);
  t->track.source = value ? value->set : 0;
  return stop_at_piece(t);
}

bool pieces_load(struct thread *t, const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  if (!is_cas(in) || (!a.is_weak && a.order == a.order_fail))
    return begin(t, in, in->b, NULL, CAS_OPEN);
  thread_stop(t, ACC_CHOOSE, CAS_SUCCEEDS, CAS_FAILS);
  t->access.flags = ACCF_WEAK;
  return false;
}

bool pieces_load_chosen(struct thread *t, const struct insn *in,
                        enum cas_outcome chosen) {
  return begin(t, in, in->b, NULL, chosen);
}

bool pieces_store(struct thread *t, const struct insn *in,
                  const struct value *value) {
  return begin(t, in, in->a, value, CAS_OPEN);
}

// All pieces of a load are there.
static bool finish_load(struct thread *t, const struct insn *in) {
  const struct pieces *p = &t->pieces;
  struct value value = {.set = t->track.source};
  memcpy(value.v, p->v, p->size);
  memcpy(value.undef, p->undef, p->size);
  if (is_cas(in) &&
      !access_compare(t, in, &value, (enum cas_outcome)p->outcome))
    return false;
  access_got(t, in, &value);
  return true;
}

bool pieces_resume(struct thread *t, const struct insn *in, uint64_t value,
                   undef_id undef) {
  struct pieces *p = &t->pieces;
  unsigned size = next_size(p);
  if (!p->is_store) {
    struct value part = access_unpack(t, size, value, undef);
    memcpy((uint8_t *)p->v + p->done, part.v, size);
    memcpy((uint8_t *)p->undef + p->done, part.undef, size);
    if (t->track.on)
      track_join(t, &t->track.source, part.set);
  }
  p->done += (uint8_t)size;
  if (p->done < p->size)
    return stop_at_piece(t);
  return p->is_store || finish_load(t, in);
}
