// SPDX-License-Identifier: MIT
// XMM: programs with which it takes for ever to look for graphs with cycles, or
// all memory, unless it is known before what cannot come of them. The
// executions are those of the reference (xmm.h), and there is an end to it.
#include "compare.h"
#include "tap.h"

#include <unistd.h>

enum { MOST_SECONDS = 240 }; // in the slowest build

static void check_program(const char *text, bool symmetric) {
  struct program p;
  struct diag why;
  alarm(MOST_SECONDS);
  CHECK(program_parse(text, &p, &why), "%s: %s", text, why.text);
  struct compare_run c = {.models = comparable_models("xmm"),
                          .symmetric = symmetric};
  enum agreement a = compare(&p, &c);
  CHECK(a == AGREE, "%s\n%s", text, c.report.at);
  str_done(&c.report);
  alarm(0);
}

// A cycle of po ∪ rf would be one of coherence; but values grow.
TEST(one_location) {
  check_program("main: spawn T1; spawn T2; spawn T3; spawn T4 | "
                "r0=CAS(x,0,3)rel/rlx; r1=FADDrel x r0 or 1 | "
                "r0=FADDsc x 0; r1=XCHGacqrel x 1 | "
                "r0=FADDrlx x 1; r1=FADDrlx x 0 | r0=XCHGrel x 1",
                false);
  check_program("main: spawn T1; spawn T2; spawn T3; spawn T4 | "
                "r0=Rrlx x; FADDacq x r0+1 | r0=Rrlx x; FADDacq x r0+1 | "
                "r0=Rrlx x; FADDacq x r0+1 | r0=Rrlx x; FADDacq x r0+1",
                true);
}

// Who holds a lock waits for a write.
TEST(holders_that_wait) {
  check_program(
      "main: spawn T1; spawn T2; spawn T3; spawn T4 | "
      "r0=lock z; r1=Rrlx y; unlock z; r3=lock z; unlock z | "
      "r0=CAS(z,0,3)acq/rlx; if(r0==0){unlock z}; Wna y 1 | "
      "r0=CAS(w,0,4)acq/rlx; if(r0==0){Wrel y 2}; if(r0==0){unlock w}; "
      "r3=lock w; r4=lock z; r5=Rna x; unlock z; unlock w | ",
      false);
}

// Two chains of updates, the values of each of which come from the other one.
TEST(chains_that_feed_each_other) {
  check_program("main: spawn T1; spawn T2 | "
                "r0=Racq y; r1=Racq x; CAS(x,0,r0)rlx/rlx | "
                "r0=Rrlx x; CAS(y,0,r0+1)rlx/rlx",
                false);
  check_program("main: spawn T1; spawn T2 | "
                "r0=Rrlx x; CAS(y,0,r0^r0+1)rlx/rlx; CAS(x,0,r0+1)rlx/rlx; "
                "r1=Rrlx x | r0=Rrlx x; if(r0==1){CAS(y,0,1)rlx/rlx}; "
                "if(r0!=1){CAS(y,0,1)rlx/rlx}",
                false);
}

// The bounds must not be too narrow: what is read in between takes many values,
// and with the last one alone there is a cycle.
TEST(values_that_count) {
  check_program("r0=Rrlx x; r1=Rrlx z; if(r1==5){Wrlx y 1} | "
                "r0=Rrlx y; Wrlx x 1 | "
                "Wrlx z 1; Wrlx z 2; Wrlx z 3; Wrlx z 4; Wrlx z 5",
                false);
  check_program("r0=Rrlx x; CAS(z,3,9)rlx/rlx; Wrlx y 1 | "
                "r0=Rrlx y; r1=Rrlx z; if(r1==9){Wrlx x 1} | "
                "FADDrlx z 1; FADDrlx z 1; FADDrlx z 1",
                false);
}
