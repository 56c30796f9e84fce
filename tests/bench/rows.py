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
    # Long threads: the number of executions hardly grows.
    Family("par_length", "counts/par_length.c", "-DN={n}",
           {5: 4, 100: 4, 400: 4, 1600: 4}, None, "the length of a thread"),
    Family("volatiles", "counts/volatiles.c", "-DN=8 -DM={n}",
           {2: 255, 4: 255, 8: 255}, None, "seq_cst accesses a thread"),
    Family("sharedptr", "counts/sharedptr.c", "-DN={n}",
           {0: 10, 10: 50, 100: 410, 400: 1610}, None, "the length of a thread"),
]
