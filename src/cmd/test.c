// SPDX-License-Identifier: MIT
// heddle test: the concurrency tests of a project, from `// heddle:` lines.
#include "cmd/suite.h"

enum exit_code cmd_test(const struct options *o) {
  struct suite s = {0};
  struct diag why;
  bool ok = true;
  for (uint32_t i = 0; ok && i < o->files.len; i++)
    ok = suite_add_path(&s, o, o->files.at[i], &why);
  enum exit_code code = ok ? suite_run(&s, o) : bad_input(&why);
  suite_done(&s);
  return code;
}
