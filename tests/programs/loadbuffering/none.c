// SPDX-License-Identifier: MIT
// Programs from elsewhere (PROGRAM) in which no load buffering can be: XMM has
// the executions of RC11. The numbers are those of the programs themselves.
// run: flags='-DPROGRAM="../counts/ainc.c"' flags=-DN=5 rc11,xmm ok 120
// run: flags='-DPROGRAM="../counts/casrot.c"' flags=-DN=6 rc11,xmm ok 144
// run: flags='-DPROGRAM="../counts/casw.c"' flags=-DN=4 rc11,xmm ok 1200
// run: flags='-DPROGRAM="../mutex/ticketlock.c"' flags=-DN=5 flags=-DHANDOVER=rel rc11,xmm ok 120
// run: flags='-DPROGRAM="../counts/indexer.c"' flags=-DN=12 rc11,xmm ok 8
// run: flags='-DPROGRAM="../counts/indexer.c"' flags=-DN=14 rc11,xmm ok 512
// run: flags='-DPROGRAM="../counts/fib.c"' flags=-DN=3 rc11,xmm ok 2258
// run: flags='-DPROGRAM="../counts/readers.c"' flags=-DN=8 rc11,xmm ok 256
// run: args=--explore-retries flags='-DPROGRAM="../structures/treiber.c"' flags=-DW=2 flags=-DR=2 rc11,xmm ok 220
// run: args=--explore-retries flags='-DPROGRAM="../structures/msqueue.c"' flags=-DW=2 flags=-DR=1 flags=-DB=0 rc11,xmm ok 148
// run: flags='-DPROGRAM="../locks/rw_counter.c"' flags=-DREADERS=2 rc11,xmm ok
// run: flags='-DPROGRAM="../mutex/rwlock.c"' flags=-DW=2 flags=-DR=1 flags=-DB=0 rc11,xmm ok 6
// run: flags='-DPROGRAM="../mutex/rwlock.c"' flags=-DW=2 flags=-DR=2 flags=-DB=0 rc11,xmm ok 48
// run: flags='-DPROGRAM="../locks/semaphore.c"' flags=-DN=3 flags=-DPERMITS=2 rc11,xmm ok 510
// run: flags='-DPROGRAM="../locks/rw_writer.c"' flags=-DREADERS=2 rc11,xmm ok 260
// run: flags='-DPROGRAM="../locks/qspinlock.c"' flags=-DN=3 rc11,xmm ok 486
// run: flags='-DPROGRAM="../mutex/futex.c"' flags=-DN=2 rc11,xmm ok 12
// run: flags='-DPROGRAM="../library/barrier_unequal.c"' flags=-DN=2 flags=-DROUNDS=3 rc11,xmm ok 64
// Chase and Lev's deque has some: their slots are read before they are known to
// be there. The smallest sizes have none.
// run: args=--disable args=race flags='-DPROGRAM="../structures/chaselev.c"' flags=-DA=1 flags=-DB=1 flags=-DC=0 flags=-DT=1 rc11,xmm ok 8
// run: args=--disable args=race flags='-DPROGRAM="../structures/chaselev.c"' flags=-DA=2 flags=-DB=1 flags=-DC=0 flags=-DT=1 rc11,xmm ok 10
#include PROGRAM
