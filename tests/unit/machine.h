// SPDX-License-Identifier: MIT
// A vm under test: a test builds a program (program.h), starts the vm, steps
// it by hand as the search would, and looks at the accesses it stops at.
#pragma once

#include "tap.h"
#include "unit/program.h"
#include "vm/vm.h"

static struct vm *V;

static inline void start_with(struct vm_config config) {
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
  V = vm_new(P, &config);
}

static inline void start(void) {
  start_with(vm_config_default());
}

static inline void finish(void) {
  vm_free(V);
  prog_free(P);
}

static inline const struct access *at(state_id s) {
  return vm_access(V, s);
}

// Is `s` at a finding of that kind whose message contains `text`?
static inline bool is_error(state_id s, enum finding_kind kind,
                            const char *text) {
  bool ok = at(s)->kind == ACC_ERROR && at(s)->value == kind &&
            strstr(vm_text(V, at(s)->value2), text);
  if (!ok)
    printf("# access %u, value %llu: %s\n", at(s)->kind,
           (unsigned long long)at(s)->value,
           at(s)->kind == ACC_ERROR ? vm_text(V, at(s)->value2) : "");
  return ok;
}

// The result of main, which must not stop before its end.
static inline uint64_t result(void) {
  start();
  state_id s = vm_main(V);
  if (at(s)->kind == ACC_ERROR)
    printf("# %s\n", vm_text(V, at(s)->value2));
  CHECK_EQ(at(s)->kind, ACC_END, "main stops");
  uint64_t value = at(s)->value;
  finish();
  return value;
}

// Expects that main stops at once with a finding.
#define FINDS(kind, text)                                                      \
  do {                                                                         \
    start();                                                                   \
    CHECK(is_error(vm_main(V), FIND_##kind, text), "no %s", #kind);            \
    finish();                                                                  \
  } while (0)

// Expects that main is cut at once: a limit, or a finding that is off.
#define CUTS(text)                                                             \
  do {                                                                         \
    start();                                                                   \
    state_id cut = vm_main(V);                                                 \
    CHECK(at(cut)->kind == ACC_CUT, "not cut: %s", text);                      \
    CHECK(strstr(vm_text(V, at(cut)->value), text), "%s",                      \
          vm_text(V, at(cut)->value));                                         \
    finish();                                                                  \
  } while (0)

static inline void begin_main(void) {
  begin();
  func("main", 0, 1);
}

static inline void local_of(unsigned slot, uint64_t size) {
  emit(OP_local, slot, k(size), 0, 8);
}

static inline void put(unsigned pointer, unsigned from, unsigned size) {
  emit(OP_store, pointer, from, 0, access_imm(size, ORD_NA));
}

static inline void get(unsigned to, unsigned pointer, unsigned size) {
  emit(OP_load, to, pointer, 0, access_imm(size, ORD_NA));
}

static inline uint64_t bits(double d) {
  uint64_t v;
  memcpy(&v, &d, 8);
  return v;
}

static inline uint64_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}
