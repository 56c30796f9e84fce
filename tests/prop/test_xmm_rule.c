// SPDX-License-Identifier: MIT
// The reference of XMM (xmm.h) has as many executions as are known; and a
// program without load-buffering races has those of RC11 (LBRF).
#include "oracle.h"
#include "tap.h"
#include "xmm_rows.h"

static void count(void *arg, unsigned models, const struct picture *x) {
  (void)x;
  unsigned *n = arg;
  n[0] += models >> ORACLE_RC11 & 1;
  n[1] += models >> ORACLE_XMM & 1;
}

TEST(rows) {
  bool all = true;
  for (unsigned i = 0; i < XMM_ROWS; i++) {
    const struct xmm_row *row = &xmm_rows[i];
    struct program p;
    struct diag why;
    CHECK(program_parse(row->text, &p, &why), "%s: %s", row->name, why.text);
    unsigned n[2] = {0};
    struct oracle_query q = {.models = 1u << ORACLE_RC11 | 1u << ORACLE_XMM,
                             .found = count,
                             .arg = n};
    CHECK(oracle_run(&p, &q), "%s is too large", row->name);
    bool same = n[0] == row->rc11 && n[1] == row->xmm;
    if (!same)
      printf("# %s: rc11 %u, expected %u; xmm %u, expected %u\n", row->name,
             n[0], row->rc11, n[1], row->xmm);
    all &= same;
  }
  CHECK(all, "other numbers");
}

// The same executions, each once, where no read races with what follows it.
TEST(lbrf) {
  unsigned compared = 0, weaker = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    struct program p;
    program_random_dependent(seed, 7, &p);
    unsigned n[2] = {0};
    bool has_race = false;
    struct oracle_query q = {.models = 1u << ORACLE_RC11 | 1u << ORACLE_XMM,
                             .max_work = 20000,
                             .found = count,
                             .arg = n,
                             .has_lb_race = &has_race};
    if (!oracle_run(&p, &q))
      continue;
    CHECK(n[1] >= n[0], "seed %u has fewer executions than rc11",
          (unsigned)seed);
    CHECK(has_race || n[0] == n[1], "seed %u has no races, rc11 %u, xmm %u",
          (unsigned)seed, n[0], n[1]);
    compared += !has_race;
    weaker += n[1] > n[0];
  }
  CHECK(compared > 100, "only %u programs have no races", compared);
  CHECK(weaker > 20, "only %u programs are weaker than rc11", weaker);
}
