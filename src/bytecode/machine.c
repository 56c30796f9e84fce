// SPDX-License-Identifier: MIT
// Barriers of the Linux kernel are calls that only its own model knows. For a
// model of a machine they become what the kernel's headers make of them there.
#include "bytecode/prog.h"

#include <string.h>

static const struct {
  const char *model;
  enum fence_kind barrier;
  enum order order;
  enum fence_kind instruction;
} machines[] = {
#define MACHINE(model, barrier, order, instruction)                            \
  {model, FENCE_##barrier, order, FENCE_##instruction},
#include "bytecode/machine.def"
#undef MACHINE
};

// Is it that model, maybe with variants? (A file is none.)
static bool is_called(const char *model, const char *machine) {
  size_t n = strlen(machine);
  return strncmp(model, machine, n) == 0 && (!model[n] || model[n] == ' ');
}

void prog_compile_barriers(struct prog *p, const char *model) {
  for (uint32_t pc = 0; pc < p->code.len; pc++) {
    struct insn *in = &p->code.at[pc];
    if (in->op != OP_fence)
      continue;
    struct imm_access how = imm_access_of(in->imm);
    for (unsigned i = 0; i < LENGTH(machines); i++)
      if (machines[i].barrier == how.fence &&
          is_called(model, machines[i].model)) {
        how.order = (uint8_t)machines[i].order;
        how.fence = (uint8_t)machines[i].instruction;
        in->imm = imm_access(how);
        break;
      }
  }
}
