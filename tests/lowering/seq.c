// SPDX-License-Identifier: MIT
// Runs a C program through the front end and the vm, one thread after the
// other, with a plain byte memory: no graph, no model. differential.py compares
// what it prints and its exit code with the same program run natively.
#include "base/hash.h"
#include "bytecode/prog.h"
#include "front/front.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FOUND = 99 }; // the vm reported an error

struct byte {
  uint64_t address; // + 1; 0: free
  uint8_t value;
  uint8_t undef; // bits that nobody has set
};

struct memory {
  struct byte *bytes;
  uint32_t len, size;
};

static struct byte *memory_slot(struct memory *m, uint64_t address) {
  uint32_t i = (uint32_t)hash_u64(address) & (m->size - 1);
  while (m->bytes[i].address && m->bytes[i].address != address + 1)
    i = (i + 1) & (m->size - 1);
  return &m->bytes[i];
}

static void memory_set(struct memory *m, uint64_t address, uint8_t value,
                       uint8_t undef) {
  if (m->len * 2 >= m->size) {
    struct memory old = *m;
    m->size = old.size ? old.size * 2 : 1024;
    m->bytes = xcalloc(m->size, sizeof *m->bytes);
    for (uint32_t i = 0; i < old.size; i++)
      if (old.bytes[i].address)
        *memory_slot(m, old.bytes[i].address - 1) = old.bytes[i];
    free(old.bytes);
  }
  struct byte *b = memory_slot(m, address);
  m->len += !b->address;
  *b = (struct byte){address + 1, value, undef};
}

struct machine {
  struct vm *vm;
  struct memory memory;
  thread_id threads;
  uint64_t results[64]; // of finished threads
  struct object {
    uint64_t size;
    bool is_zeroed;
  } * objects; // by their numbers
  uint32_t nobjects;
};

// The name of a mask (vm.h).
static undef_id undef_name(struct machine *m, uint32_t size,
                           const uint8_t *mask) {
  uint64_t words[2] = {0};
  uint32_t all = 0;
  memcpy(words, mask, size);
  for (uint32_t i = 0; i < size; i++)
    all += mask[i] == 0xff;
  return all == size ? UNDEF_ALL
                     : (undef_id)vm_wide_make(m->vm, words[0], words[1]);
}

// The value at a location and its undefined bits.
static undef_id read_location(struct machine *m, loc_id loc, uint64_t *ret) {
  const struct location l = *vm_location(m->vm, loc);
  uint64_t words[2] = {0};
  if (l.is_initialized && l.size == 16)
    vm_wide_get(m->vm, l.initial, &words[0], &words[1]);
  else if (l.is_initialized)
    words[0] = l.initial;
  bool zeroed = l.object < m->nobjects && m->objects[l.object].is_zeroed;
  uint8_t undef[16] = {0};
  for (uint32_t i = 0; i < l.size; i++) {
    const struct byte *b =
        m->memory.size ? memory_slot(&m->memory, l.address + i) : NULL;
    if (b && b->address) {
      ((uint8_t *)words)[i] = b->value;
      undef[i] = b->undef;
    } else if (!l.is_initialized && !zeroed) {
      undef[i] = 0xff;
    }
  }
  *ret = l.size == 16 ? vm_wide_make(m->vm, words[0], words[1]) : words[0];
  return undef_name(m, l.size, undef);
}

static void write_location(struct machine *m, const struct access *a) {
  const struct location l = *vm_location(m->vm, a->loc);
  uint64_t words[2] = {a->value, 0};
  if (l.size == 16)
    vm_wide_get(m->vm, a->value, &words[0], &words[1]);
  uint64_t mask[2] = {0};
  if (a->flags & ACCF_UNINIT)
    vm_wide_get(m->vm, a->value2, &mask[0], &mask[1]);
  for (uint32_t i = 0; i < l.size; i++)
    memory_set(&m->memory, l.address + i, ((uint8_t *)words)[i],
               ((uint8_t *)mask)[i]);
}

static void note_alloc(struct machine *m, const struct access *a) {
  if (a->object >= m->nobjects) {
    uint32_t n = a->object + 1;
    m->objects = xrealloc(m->objects, n * sizeof *m->objects);
    memset(m->objects + m->nobjects, 0, (n - m->nobjects) * sizeof *m->objects);
    m->nobjects = n;
  }
  m->objects[a->object] =
      (struct object){a->value, (a->flags & ACCF_ZEROED) != 0};
}

static void run_thread(struct machine *m, state_id s, thread_id self);

static void found(struct machine *m, const struct access *a, state_id s) {
  site_id site = vm_site(m->vm, s);
  const struct prog *p = m->vm->prog;
  printf("%s: %s (line %u)\n", finding_name((enum finding_kind)a->value),
         vm_text(m->vm, a->value2),
         site == NO_SITE ? 0 : p->source.at[site].line);
  fflush(stdout);
  exit(EXIT_FOUND);
}

// What the access yields; threads run to their end as soon as they start.
static uint64_t perform(struct machine *m, state_id s, const struct access *a,
                        undef_id *ret_undef) {
  uint64_t value = 0;
  switch ((enum access_kind)a->kind) {
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
    *ret_undef = read_location(m, a->loc, &value);
    return value;
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
    write_location(m, a);
    return 0;
  case ACC_ALLOC:
    note_alloc(m, a);
    return 0;
  case ACC_SPAWN:
    value = ++m->threads;
    run_thread(m, vm_spawned(m->vm, s, (thread_id)value), (thread_id)value);
    return value;
  case ACC_JOIN:
    return m->results[a->value];
  case ACC_CHOOSE:
    return a->value;
  case ACC_OUTPUT:
    fputs(vm_text(m->vm, a->value), stdout);
    return 0;
  case ACC_EXIT:
    fflush(stdout);
    exit((int)(a->value & 0xff));
  case ACC_ERROR:
    found(m, a, s);
    return 0;
  case ACC_BLOCK:
  case ACC_CUT:
    printf("blocked\n");
    fflush(stdout);
    exit(EXIT_FOUND);
  case ACC_FENCE:
  case ACC_FREE:
  case ACC_DETACH:
  case ACC_CLOCK:
    return a->value + a->value2;
  case ACC_CELL_SIZE:
  case ACC_END:
    return 0;
  case ACC_OBJECT_SIZE:
    return m->objects[a->object].size;
  }
  return 0;
}

static void run_thread(struct machine *m, state_id s, thread_id self) {
  for (;;) {
    struct access a = *vm_access(m->vm, s);
    if (a.kind == ACC_END) {
      m->results[self] = a.value;
      return;
    }
    undef_id undef = UNDEF_NONE;
    uint64_t value = perform(m, s, &a, &undef);
    s = a.kind == ACC_READ ? vm_step_undef(m->vm, s, value, undef)
                           : vm_step(m->vm, s, value);
  }
}

int main(int argc, char **argv) {
  struct front_options o = {.files = (const char *const *)(argv + 1),
                            .nfiles = (unsigned)argc - 1,
                            .use_cache = true};
  struct prog *p;
  struct diag why = {0};
  if (argc < 2 || !front_load(&o, &p, &why)) {
    printf("%s:%u: %s\n", why.file, why.line, why.text);
    return EXIT_BAD_INPUT;
  }
  struct vm_config config = vm_config_default();
  struct machine m = {.vm = vm_new(p, &config)};
  run_thread(&m, vm_main(m.vm), 0);
  fflush(stdout);
  int status = (int)(m.results[0] & 0xff);
  vm_free(m.vm);
  prog_free(p);
  free(m.memory.bytes);
  free(m.objects);
  return status;
}
