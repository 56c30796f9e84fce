// SPDX-License-Identifier: MIT
// Explores a C program with many sets of reductions, and compares: each alone,
// and each two together, with none at all.
//
//   sets MODEL FILE [FLAG...]        FLAG is one for clang, or
//     --definition                   what decides by default: the text, too
//     --opt-in                       those that are off by default, on top
//     --sets N                       no more than N sets, chosen by the name
//     --disable KIND                 a check that is off
#include "compare.h"

#include "base/hash.h"
#include "bytecode/prog.h"
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *flags[16];
  struct front_options o = {.files = (const char *const *)&argv[2],
                            .nfiles = 1,
                            .clang_flags = flags,
                            .use_cache = true};
  struct str text = {0};
  struct subject a = {.machine = vm_config_default(),
                      .most = 3000,
                      .seconds = .5,
                      .why = &text};
  a.machine.max_calls = 24; // some calls are deeper: a limit that is hit
  unsigned sets = 0;
  bool by_text = false, opt_in = false;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--definition") == 0)
      by_text = true;
    else if (strcmp(argv[i], "--opt-in") == 0)
      opt_in = true;
    else if (strcmp(argv[i], "--sets") == 0 && i + 1 < argc)
      sets = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--disable") == 0 && i + 1 < argc)
      a.disabled[finding_of_name(argv[++i])] = true;
    else if (o.nflags < 16)
      flags[o.nflags++] = argv[i];
  }
  struct prog *p;
  struct diag why;
  if (argc < 3 || !(a.model = model_find(argv[1])) ||
      !front_load(&o, &p, &why)) {
    printf("%s\n", argc < 3 ? "MODEL FILE" : a.model ? why.text : "no model");
    return 2;
  }
  a.prog = p;
  uint64_t dice = hash_u64(strlen(argv[2]));
  for (const char *c = argv[2]; *c; c++)
    dice = hash_mix(dice, (uint64_t)*c);
  bool ok = (!by_text || subject_agrees_with_text(&a)) &&
            (!opt_in || subject_agrees_opt_in(&a)) &&
            (!sets || subject_agrees_in_pairs(&a, sets, dice));
  const struct found *none = subject_find(&a, 0);
  printf("%s", str_text(&text));
  if (ok)
    printf("%u sets, %llu executions%s%s%s\n", a.len,
           (unsigned long long)none->stands_for,
           none->is_complete ? "" : " or more",
           none->findings.len ? ", errors" : "", none->is_cut ? ", cut" : "");
  subject_done(&a);
  str_done(&text);
  prog_free(p);
  return ok ? 0 : 1;
}
