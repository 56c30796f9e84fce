// SPDX-License-Identifier: MIT
// Programs with load buffering and the known numbers of their executions.
#pragma once

struct xmm_row {
  const char *name;
  unsigned rc11, xmm;
  const char *text;
};

static const struct xmm_row xmm_rows[] = {
    {"LB", 3, 4, "a=Rrlx x; Wrlx y 1 | b=Rrlx y; Wrlx x 1"},
    {"LB+CoRR", 13, 14,
     "a=Rrlx x; Wrel z 1; Wrel z 2; Wrlx y 1 |"
     "b=Rrlx y; c=Racq z; d=Racq z; Wrlx x 1"},
    {"LB+LB", 4, 9,
     "a=Rrlx u; b=Rrlx v; Wrlx c 1; Wrlx d 1 | c=Rrlx d; if(c!=0){Wrlx u 1} |"
     "d=Rrlx c; if(d!=0){Wrlx v 1}"},
    {"LB+LB+if", 3, 3,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {Wrlx v 1; b=Rrlx u; Wrlx y b} |"
     "c=Rrlx y; Wrlx x c | d=Rrlx v; Wrlx u d"},
    {"LB+SB", 8, 16,
     "a=Rrlx x; Wrlx z 1; b=Rrlx w; Wrlx y 1 |"
     "c=Rrlx y; Wrlx w 1; d=Rrlx z; Wrlx x 1"},
    // The read that closes the cycle is part of the store buffering.
    {"LB+SB+sc", 18, 21,
     "Wsc z 1; a=Rsc x; Wrlx y 1 | b=Rrlx u; if(b!=0){c=Rrlx y; Wrlx x 1} |"
     "Wsc x 2; d=Rsc z; Wrlx u 1"},
    // Between two cycles, what closes the first is read again.
    {"LB+LB+again", 13, 20,
     "a=Rrlx x; Wrlx y 1; b=Rrlx x; c=Rrlx u; if(b!=0){Wrlx v 1} |"
     "a=Rrlx y; Wrlx x 1; b=Rrlx v; Wrlx u 1"},
    {"LB+W", 10, 12, "a=Rrlx x; Wrlx y 1 | b=Rrlx y; Wrlx x 1 | Wrlx y 2"},
    {"LB+Wd", 4, 6,
     "a=Rrlx x; Wrlx y 1 |"
     "b=Rrlx y; if(b==0){Wrlx x 1} else {c=Rrlx z; Wrlx x 1} | Wrlx z 1"},
    {"LB+acq", 3, 3, "a=Racq x; Wrlx y 1 | b=Racq y; Wrlx x 1"},
    {"LB+acq+rel", 3, 3, "a=Racq x; Wrel y 1 | b=Racq y; Wrel x 1"},
    // Two writes of x on one cycle, and only the first may be known too early.
    {"LB+coh+rel", 5, 6,
     "a=Rrlx y; Wrlx x 1 | b=Rrlx x; if(b==1){Wrel x 2} |"
     "c=Rrlx x; if(c==2){Wrel y 1}"},
    // A write between two of other threads ends the release sequence.
    {"LB+coh+rel+acq", 4, 5,
     "a=Rrlx x; Wrlx x 2 | b=Racq x; if(b==2){Wrlx y 1} |"
     "c=Rrlx y; if(c!=0){Wrel x 1}"},
    // The second read of z has its own write before it, unless u is known too
    // early; then it would read what the first one does.
    {"LB+acq+initial", 3, 3,
     "a=Rrlx x; Wrlx u a |"
     "b=Racq z; c=Rrlx u; if(c==0){Wrlx z 0}; d=Racq z; Wrlx x 1"},
    {"LB+rel", 3, 3, "a=Rrlx x; Wrel y 1 | b=Rrlx y; Wrel x 1"},
    {"LB+cert-rev", 2, 4,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {Wrlx z 1; Wrlx y 1} |"
     "b=Rrlx y; c=Rrlx z; if(b!=0){Wrlx x 1}"},
    {"LB+coh", 4, 4, "a=Rrlx x; Wrlx x 1 | b=Rrlx x; Wrlx x 1"},
    {"LB+coh+RR", 15, 21,
     "a=Rrlx x; Wrlx x 2; Wrlx y 1 | b=Rrlx y; if(b!=0){Wrlx x 1} |"
     "c=Rrlx x; d=Rrlx x"},
    {"LB+coh+RR+cf", 24, 36,
     "Wrlx y 1 | a=Rrlx x; if(a==0){b=Rrlx y}; if(b==1){Wrlx y 2};"
     "if(a!=0){Wrlx y 2} | c=Rrlx y; if(c==2){Wrlx x 1} |"
     "d=Rrlx y; e=Rrlx y"},
    {"LB+coh+cas", 2, 2, "CAS(x,0,1)rlx/rlx | CAS(x,1,0)rlx/rlx"},
    {"LB+coh+fadd", 2, 2, "FADDrlx x 1 | FADDrlx x 1"},
    {"LB+coh-cyc", 5, 8,
     "Wrlx x 2; a=Rrlx x; if(a!=2){Wrlx y 1} |"
     "Wrlx x 1; b=Rrlx x; c=Rrlx y; if(c!=0){Wrlx x 3}"},
    {"LB+ctrl", 3, 3,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {Wrlx y 2} |"
     "b=Rrlx y; if(b==0){Wrlx x 1} else {Wrlx x 2}"},
    {"LB+data", 3, 3, "a=Rrlx x; Wrlx y a+1 | b=Rrlx y; Wrlx x b+1"},
    {"LB+fake-ctrl", 3, 4,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {Wrlx y 1} |"
     "b=Rrlx y; if(b==0){Wrlx x 1} else {Wrlx x 1}"},
    {"LB+fake-data", 3, 4, "a=Rrlx x; Wrlx y a^a+1 | b=Rrlx y; Wrlx x b^b+1"},
    {"LB+porf-suffix", 9, 12,
     "a=Rrlx x; if(a==0){Wrlx a 1; b=Rrlx z; Wrlx y b}"
     "else {Wrlx b 1; b=Rrlx z; Wrlx y b} |"
     "c=Rrlx a; if(c!=0){Wrlx z 1} else {d=Rrlx b}; if(d!=0){Wrlx z 1} |"
     "e=Rrlx y; Wrlx x e"},
    {"LB+porf-views-1", 9, 11,
     "a=Rrlx x; if(a==0){Wrlx x 2; Wrlx x 3; Wrlx x 4; Wrlx y 1}"
     "else {Wrlx y 1; b=Rrlx z} | c=Rrlx y; Wrlx x c; Wrlx z 1"},
    {"LB+seq", 14, 20,
     "a=Rrlx x; if(a==0){Wrlx x 1} | b=Rrlx x; Wrlx y b | c=Rrlx y; Wrlx x c"},
    {"LB-DRF", 3, 3,
     "a=Rrlx z; if(a==0){Wrlx y 1} else {b=Rrlx x}; if(b!=0){Wrlx y 1} |"
     "c=Rrlx y; if(c!=0){Wrlx x 1} | Wrlx z 1"},
    // The 1 of y could be known too early elsewhere, with another w.
    {"LB-DRF-elsewhere", 8, 10,
     "a=Rrlx z; if(a==2){d=Rrlx x; Wrlx y 1} else {Wrlx w 1};"
     "if(a==0){Wrlx y 1}; if(a==1){b=Rrlx x}; if(b!=0){Wrlx y 1} |"
     "e=Racq w; c=Rrlx y; if(c!=0){Wrlx x 1} | Wrlx z 1; Wrlx z 2"},
    {"LB-invis-write+dep", 2, 3,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {b=Rrlx z}; if(b!=0){Wrlx y 1} |"
     "c=Rrlx y; if(c!=0){Wrlx x 1} | Wrlx z 1"},
    {"LB3", 7, 8,
     "a=Rrlx a; Wrlx b 1 | b=Rrlx b; Wrlx c 1 | c=Rrlx c; Wrlx a 1"},
    {"LB3+porf-views-1", 19, 21,
     "a=Rrlx x; if(a==0){Wrlx x 2; Wrlx x 3; Wrlx x 4; Wrlx y 1}"
     "else {Wrlx y 1; b=Rrlx z} | c=Rrlx y; Wrlx w c |"
     "d=Rrlx w; Wrlx x d; Wrlx z 1"},
    {"java-test1", 3, 4, "a=Rrlx x; if(a>=0){Wrlx y 1} | b=Rrlx y; Wrlx x b"},
    {"java-test4", 3, 4, "a=Rrlx x; Wrlx y a | b=Rrlx y; Wrlx x b"},
    {"java-test6", 2, 3,
     "a=Rrlx x; if(a==1){Wrlx y 1} |"
     "b=Rrlx y; if(b==1){Wrlx x 1} else {Wrlx x 1}"},
    {"java-test7", 5, 8,
     "a=Rrlx z; b=Rrlx x; Wrlx y b | c=Rrlx y; Wrlx z c; Wrlx x 1"},
    {"java-test10", 5, 8,
     "a=Rrlx x; if(a==1){Wrlx y a} | b=Rrlx y; if(b==1){Wrlx x b} |"
     "c=Rrlx z; if(c==1){Wrlx x c} | Wrlx z 1"},
    {"java-test13", 1, 1,
     "a=Rrlx x; if(a==1){Wrlx y 1} | b=Rrlx y; if(b==1){Wrlx x 1}"},
    {"java-test14", 1, 1,
     "a=Rrlx x; if(a==0){Wsc y 1} else {Wrlx z 1} |"
     "b=Rsc y; c=Rrlx z; if(b==0){assume(c!=0)}; Wrlx x 1"},
    {"java-test15", 2, 2,
     "a=Rsc x; if(a==1){b=Rrlx a}; if(b==0){Wsc y 1} else {Wrlx b 1} |"
     "c=Rsc y; d=Rrlx b; if(c==0){assume(d!=0)}; Wrlx a 1 | Wsc x 1"},
    {"java-test16", 4, 4, "a=Rrlx x; Wrlx x 1 | b=Rrlx x; Wrlx x 2"},
    {"java-test17", 6, 9,
     "a=Rrlx x; if(a!=42){Wrlx x 42}; b=Rrlx x; Wrlx y b |"
     "c=Rrlx y; Wrlx x c"},
    {"java-test20", 14, 20,
     "a=Rrlx x; if(a==0){Wrlx x 42} | b=Rrlx x; Wrlx y b | c=Rrlx y; Wrlx x c"},
    {"LB+count", 14, 16,
     "FADDrlx z 1 | FADDrlx z 1; b=Rrlx y; Wrlx x b |"
     "c=Rrlx z; a=Rrlx x; if(c==2){Wrlx y 1}"},
    {"riwi", 3, 4, "a=Rrlx y; FADDrlx x 1 | FADDrlx x 1; Wrel y 1"},
    {"szymanski(1)", 32, 36,
     "Wrlx x 1; Fsc; Wrlx x 3; Fsc; a=Rrlx y; if(a==1){Wrlx x 2; Fsc};"
     "Wrlx x 4; Fsc; Wrlx z 1; Fsc; Wrlx x 0 |"
     "Wrlx y 1; Fsc; Wrlx y 3; Fsc; a=Rrlx x; if(a==1){Wrlx y 2; Fsc};"
     "Wrlx y 4; Fsc; Wrlx z 2; Fsc; Wrlx y 0"},
    // Two rounds of it, cut down: a flag is raised, the other one looked at
    // behind a fence, and the flag lowered again.
    {"szymanski(2), cut down", 127, 206,
     "Wrlx x 1; Fsc; a=Rrlx y; if(a==0){Wrlx z 1}; Wrlx x 0;"
     "Wrlx x 1; Fsc; b=Rrlx y; Wrlx x 0 |"
     "Wrlx y 1; Fsc; a=Rrlx x; if(a==0){Wrlx z 2}; Wrlx y 0;"
     "Wrlx y 1; Fsc; b=Rrlx x; Wrlx y 0"},
    // Chase and Lev's deque: a push and a pop (top is x, bottom y, the slot z),
    // and a thief that looks at the bottom only if nothing was taken so far.
    {"chase-lev, a push, a pop and a steal", 7, 7,
     "t=Racq x; Wrlx z 1; Wrel y 1; Wrlx y 0; Fsc; u=Rrlx x;"
     "if(u==0){v=Rrlx z; CAS(x,0,1)acqrel/rlx}; Wrlx y 1 |"
     "t=Rrlx x; Fsc; if(t==0){b=Racq y}; if(b==1){v=Rrlx z;"
     "CAS(x,0,1)rel/rlx}"},
    // The same without the pop's compare-exchange, and with a push after it
    // into the slot that the thief may read.
    {"chase-lev, a push, a pop, a push and a steal", 6, 7,
     "Wrlx z 1; Wrel y 1; Wrlx y 0; Fsc; u=Rrlx x; Wrlx z 2; Wrel y 1 |"
     "t=Rrlx x; Fsc; b=Racq y; if(b==1){v=Rrlx z; CAS(x,0,1)rel/rlx}"},
    // The others of the causality tests for Java, with the numbers that follow
    // from the definition; nobody has published any.
    {"java-test5", 20, 28,
     "a=Rrlx x; Wrlx y a | b=Rrlx y; Wrlx x b | Wrlx z 1 |"
     "c=Rrlx z; Wrlx x c"},
    {"java-test11", 8, 16,
     "a=Rrlx z; Wrlx w a; b=Rrlx x; Wrlx y b |"
     "d=Rrlx w; c=Rrlx y; Wrlx z c; Wrlx x 1"},
    {"java-test12", 3, 4,
     "main: Wrlx u 1; Wrlx v 2; spawn T1; spawn T2 |"
     "a=Rrlx x; Wrlx u/v[a] 0; b=Rrlx u; Wrlx y b | c=Rrlx y; Wrlx x c"},
    {"java-test18", 6, 9,
     "a=Rrlx x; if(a==0){Wrlx x 42}; b=Rrlx x; Wrlx y b |"
     "c=Rrlx y; Wrlx x c"},
    {"java-test19", 6, 8,
     "main: spawn T1; spawn T2; spawn T3 |"
     "join T3; b=Rrlx x; Wrlx y b | c=Rrlx y; Wrlx x c |"
     "a=Rrlx x; if(a!=42){Wrlx x 42}"},
    {"java-test20 with its join", 6, 8,
     "main: spawn T1; spawn T2; spawn T3 |"
     "join T3; b=Rrlx x; Wrlx y b | c=Rrlx y; Wrlx x c |"
     "a=Rrlx x; if(a==0){Wrlx x 42}"},
    // An edge that closes no cycle, but is against the order of the threads.
    {"a supporting edge", 6, 7,
     "Wrlx a 1; r=Rrlx x; if(r!=0){b=Rrlx q} else {Wrlx y 1};"
     "if(b!=0){Wrlx y 1} | p=Rrlx a; if(p!=0){Wrlx q 1} | c=Rrlx y; Wrlx x c"},
    // With the store behind the load it does close one, which no race justifies
    // (docs/manual/xmm.md).
    {"a supporting edge that closes a cycle", 6, 6,
     "r=Rrlx x; Wrlx a 1; if(r!=0){b=Rrlx q} else {Wrlx y 1};"
     "if(b!=0){Wrlx y 1} | p=Rrlx a; if(p!=0){Wrlx q 1} | c=Rrlx y; Wrlx x c"},
    // What is committed need not come after each other in the other execution.
    {"a supporting edge of a store that is always done", 6, 9,
     "Wrlx a 1; r=Rrlx x; if(r!=0){b=Rrlx q}; Wrlx y 1 |"
     "p=Rrlx a; if(p!=0){Wrlx q 1} | c=Rrlx y; Wrlx x c"},
    // A cycle through a join: what is read cannot come from what follows it.
    {"a thread that is joined", 2, 2,
     "main: spawn T1; spawn T2; join T1; Wrlx y 1 |"
     "a=Rrlx x | b=Rrlx y; if(b==1){Wrlx x 1}"},
    {"a thread that is joined, without dependency", 3, 4,
     "main: spawn T1; spawn T2; join T1; Wrlx y 1 |"
     "a=Rrlx x | b=Rrlx y; Wrlx x 1"},
    {"a thread that is created late", 3, 3,
     "main: spawn T1; a=Rrlx x; spawn T2 |"
     "b=Rrlx y; Wrlx x b | Wrlx y 1"},
    // An acquire update writes what a relaxed store writes, and a release
    // update reads what a relaxed load reads: one may be committed as the
    // other.
    {"LB+acquire update", 3, 4,
     "a=Rrlx x; if(a==0){XCHGacq y 1} else {Wrlx y 1} | b=Rrlx y; Wrlx x b"},
    {"LB+release update", 9, 13,
     "e=Rrlx w; c=Rrlx z; if(c==1){Wrlx y 1} else {d=Rrlx u; Wrlx y d} |"
     "p=Rrlx x; if(p==0){Wrlx u 1; b=XCHGrel y 2; Wrlx w b}"
     "else {b=Rrlx y; Wrlx z b} | Wrlx x 1"},
    {"LB+updates and a join", 13, 39,
     "main: spawn T1; spawn T2; spawn T3; join T3; XCHGrlx y 1 |"
     "a=Rrlx y; CAS(x,0,1)acq/rlx; if(a==1){XCHGrlx x 1} |"
     "a=Rrlx y; CAS(x,0,1)acq/rlx; if(a==1){XCHGrlx x 1} |"
     "a=Rrlx y; CAS(x,0,1)acq/rlx; if(a==1){XCHGrlx x 1}"},
    // Two cycles through both threads: the second is justified by an execution
    // that has the first one, where what is later in a thread leads back to
    // what is earlier.
    {"LB+LB+back", 10, 16,
     "a=Rrlx y; Wrlx x a; b=Rrlx v; Wrlx w b |"
     "c=Rrlx x; Wrlx v 1; d=Rrlx w; Wrlx y d"},
    {"LB+else+back", 3, 7,
     "a=Rrlx x; if(a==0){Wrlx y 1} else {Wrlx w 1; r=Rrlx z; Wrlx y 1} |"
     "s=Rrlx w; Wrlx z 1 | b=Rrlx y; Wrlx x b"},
    {"LB+if+back", 3, 7,
     "a=Rrlx x; if(a!=0){Wrlx v 1; r=Rrlx w}; Wrlx y 1 |"
     "b=Rrlx y; Wrlx x b; c=Rrlx v; Wrlx w c"},
    {"LB+if+back, stores first", 6, 10,
     "a=Rrlx x; Wrlx y 1; if(a!=0){b=Rrlx z}; Wrlx w 1 |"
     "c=Rrlx w; Wrlx x c; d=Rrlx y; Wrlx z d"},
    {"LB+else+back, stores first", 12, 16,
     "a=Rrlx x; if(a==0){Wrlx y 1}; Wrlx z 1; b=Rrlx w; if(a!=0){Wrlx y 1} |"
     "c=Rrlx z; Wrlx w 1 | d=Rrlx y; Wrlx x d"},
    // What only one thread writes says what that thread does.
    {"LB behind an own store", 3, 4,
     "Wrlx w 1; Wrlx w 2; r=Rrlx w; a=Rrlx y; if(r==2){Wrlx x 1} |"
     "b=Rrlx x; Wrlx y b"},
    {"LB behind an own update", 3, 4,
     "Wrlx w 1; r=FADDrlx w 1; s=Rrlx w; a=Rrlx y; if(r==1){Wrlx x s} |"
     "b=Rrlx x; Wrlx y b"},
    {"LB behind what main stored", 3, 4,
     "main: Wrlx w 1; spawn T1; spawn T2 |"
     "r=Rrlx w; Wrlx w 2; a=Rrlx y; if(r==1){Wrlx x 1} | b=Rrlx x; Wrlx y b"},
};

enum { XMM_ROWS = sizeof xmm_rows / sizeof *xmm_rows };
