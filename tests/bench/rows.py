# SPDX-License-Identifier: MIT
"""The programs of the benchmark: families that grow with a number n.

Each family is a program of tests/programs under rc11. `sizes` says for each n
how many executions there are; the smallest one is only run to take its costs
(loading, first steps) off the others. `peer` is what an execution of the
largest size took the best other checker that we measured on this kind of
machine, in microseconds of CPU time.
"""
import dataclasses


@dataclasses.dataclass
class Family:
    name: str
    program: str
    flags: str  # for clang; {n} is the size
    sizes: dict  # n -> executions
    peer: float = None
    grows: str = "n"  # what n stands for


FAMILIES = [
    # One location, one access a thread.
    Family("ainc", "counts/ainc.c", "-DN={n}",
           {2: 2, 6: 720, 7: 5040, 8: 40320}, 41),
    Family("nwrites", "counts/writers.c", "-DREADER=0 -DW={n}",
           {2: 2, 7: 5040, 8: 40320, 9: 362880}, 5.4),
    Family("readers", "counts/readers.c", "-DN={n}",
           {2: 4, 9: 512, 12: 4096, 15: 32768}, 57),
    Family("lb-ring", "counts/ring.c", "-DLB -DN={n}",
           {2: 3, 8: 255, 12: 4095, 16: 65535}, 19),
    Family("sb-ring", "counts/ring.c", "-DSB -DN={n}",
           {2: 4, 8: 256, 12: 4096, 16: 65536}, 13),
    Family("writers+reader", "counts/writers.c", "-DREADER=1 -DW={n}",
           {2: 6, 6: 5040, 7: 40320, 8: 362880}, 10),
    # Several accesses a thread.
    Family("binc", "counts/incs.c", "-DM=2 -DN={n}",
           {2: 4, 3: 36, 4: 576, 5: 14400}, 61),
    Family("cinc", "counts/incs.c", "-DM=3 -DN={n}",
           {2: 8, 3: 216, 4: 13824}, 61),
    Family("fib", "counts/fib.c", "-DN={n}",
           {1: 11, 3: 2258, 4: 34205, 5: 525630}, 11),
    Family("sums", "counts/sums.c", "-DN={n}",
           {2: 20, 3: 175, 4: 1764, 5: 19404}),
    Family("indexer", "counts/indexer.c", "-DN={n}",
           {11: 1, 13: 64, 14: 512, 15: 4096}, 720),
    Family("eratosthenes", "counts/eratosthenes.c", "-DN={n}",
           {5: 1512, 7: 17064, 9: 414738}),
    Family("coa", "counts/coa.c", "-DK={n}", {2: 144, 3: 2304, 4: 57600}),
    Family("big", "counts/big.c", "-DK={n}", {1: 320, 2: 8112, 3: 82472}),
    Family("lastzero", "counts/lastzero.c", "-DN={n}",
           {8: 704, 10: 3328, 15: 147456}),
    # The same without orders: what models with dependencies pay for these.
    Family("fib-relaxed", "counts/fib.c", "-DALL_RELAXED -DBOUND=1000 -DN={n}",
           {1: 12, 3: 2800, 4: 44100}),
    Family("eratosthenes-relaxed", "counts/eratosthenes.c",
           "-DALL_RELAXED -DN={n}", {5: 2112, 7: 33792}),
    Family("big-relaxed", "counts/big.c", "-DALL_RELAXED -DK={n}",
           {1: 432, 2: 17496}),
    Family("casw-relaxed", "counts/casw.c", "-DALL_RELAXED -DN={n}",
           {2: 6, 4: 1200, 5: 32880}),
    # Compare-exchange.
    Family("casw", "counts/casw.c", "-DN={n}", {2: 6, 3: 66, 4: 1200,
                                                5: 32880}),
    Family("casrot", "counts/casrot.c", "-DN={n}", {5: 43, 7: 523, 8: 2048,
                                                    9: 8597}),
    # Mutual exclusion and data structures.
    Family("lamport", "mutex/lamport.c", "-DN={n}", {2: 16, 3: 9216}, 140),
    Family("szymanski", "mutex/szymanski.c", "-DROUNDS={n}",
           {1: 6, 2: 78, 3: 1068}, 1050, "the number of rounds"),
    Family("chase-lev", "structures/chaselev.c",
           "-DA=5 -DB=3 -DC=2 -DT={n}", {1: 65, 2: 3639, 3: 306706}, 27,
           "the number of thieves"),
    Family("buf-ring", "structures/bufring.c", "-DN={n}", {2: 20, 3: 1218}),
    # Long threads: the number of executions hardly grows.
    Family("par_length", "counts/par_length.c", "-DN={n}",
           {5: 4, 100: 4, 400: 4, 1600: 4}, None, "the length of a thread"),
    Family("volatiles", "counts/volatiles.c", "-DN=8 -DM={n}",
           {2: 255, 4: 255, 8: 255}, None, "seq_cst accesses a thread"),
    Family("sharedptr", "counts/sharedptr.c", "-DN={n}",
           {0: 10, 10: 50, 100: 410, 400: 1610}, None, "the length of a thread"),
]

# Programs that some model finds, or found, hard: a name, the program, and
# flags for clang. They are checked as they are, with races.
HARD = [
    ("first load", "awaits/first_load.c", ""),
    ("ttas lock, 3", "locks/ttas.c", "-DN=3"),
    ("clh lock, 3", "locks/clh.c", "-DN=3"),
    ("mcs lock, 4", "locks/mcs.c", "-DN=4"),
    ("twa lock, 3", "locks/twa.c", "-DN=3"),
    ("cohort lock, 3", "locks/cohort.c", "-DN=3"),
    ("qspinlock, 3", "locks/qspinlock.c", "-DN=3"),
    ("qspinlock in bytes", "real/clients/kern_qspin.c", ""),
    ("peterson, relaxed", "mutex/peterson.c", "-DW=rlx -DR=rlx"),
    ("rwlock 2R3W", "locks/rw_undo.c", "-DREADERS=2 -DWRITERS=3"),
    ("rwlock 2R3W, initialised", "locks/rw_undo.c",
     "-DREADERS=2 -DWRITERS=3 -DINIT"),
    ("slim mutex, 3", "loadbuffering/signalled.c", "-DN=3 -DSLIM"),
    ("tri-state mutex, 2", "loadbuffering/signalled.c", "-DN=2 -DTRISTATE"),
    ("seqlock, 2 writers", "locks/seqlock.c", "-DWRITERS=2"),
    ("push in place, 3", "structures/push_in_place.c", "-DN=3"),
    ("Treiber, push and pop, 3", "structures/stack_twice.c", "-DN=3"),
    ("Treiber, 3 + 1", "structures/treiber.c", "-DW=3 -DR=1"),
    ("msqueue, 2 + 1", "structures/msqueue.c", "-DW=2 -DR=1 -DB=0"),
    ("mpmc, 2 + 2", "structures/mpmc.c", "-DW=2 -DR=2"),
    ("cells with numbers", "real/clients/vs_mpmc.c", ""),
    ("DPDK ring, heads and tails", "real/clients/dpdk_ring_hts.c", ""),
    ("counted tries, strong", "counts/tries.c",
     "-DN=3 -DTRIES=5 -DTRY=strong"),
    ("counted tries, weak", "counts/tries.c", "-DN=2 -DTRIES=3 -DTRY=weak"),
    ("barrier, 4", "library/barrier.c", "-DN=4 -DROUNDS=1"),
]
