// SPDX-License-Identifier: MIT
// With -DALL_RELAXED, what only acquires or releases does not. (In a file of
// its own: heddle optimize --diff looks for the one meaning of a name.)
#undef acq
#undef rel
#define acq memory_order_relaxed
#define rel memory_order_relaxed
