// SPDX-License-Identifier: MIT
// Inline assembly of x86-64 with jumps, comparisons, comments, and notes in
// other sections, as spin locks of packet libraries and headers of kernels
// have them.
// run: sc,tso,rc11,imm,armv8 ok
// run: flags=-DUNLOCKED rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int word, count;

static void take(int *at) {
  int wanted = 1;
  __asm__ volatile("1:\n"
                   "   xchg %[word], %[wanted]\n"
                   "   test %[wanted], %[wanted]\n"
                   "   jz 3f   # it was free\n"
                   "2: pause\n"
                   "   cmpl $0, %[word]\n"
                   "   jnz 2b\n"
                   "   jmp 1b\n"
                   "3:\n"
                   : [word] "+m"(*at), [wanted] "+q"(wanted)
                   :
                   : "memory", "cc");
}

// The place of the prefix is noted for whoever takes it away on machines with
// one processor.
#define LOCK                                                                   \
  ".pushsection .locks,\"a\"\n.balign 4\n.long 9f - "                          \
  ".\n.popsection\n9:\n\tlock; "

static bool drop(int *at) {
  bool is_zero;
  __asm__ volatile(LOCK "decl %0\n\t/* sets the flag z; and more */\n"
                   : "+m"(*at), "=@ccz"(is_zero)
                   :
                   : "memory");
  return is_zero;
}

static void *work(void *unused) {
#ifndef UNLOCKED
  take(&word);
#endif
  count++;
  bool is_zero = drop(&word);
#ifndef UNLOCKED
  assert(is_zero);
#else
  (void)is_zero;
#endif
  return unused;
}

// 1: less, 2: equal, 4: greater, signed; the same times 8, unsigned.
static int compared(int x, int y) {
  int r = 0;
  __asm__("cmpl %2, %1; jge 1f; orl $1, %0; 1:\n"
          "cmpl %2, %1; jne 2f; orl $2, %0; 2:\n"
          "cmpl %2, %1; jle 3f; orl $4, %0; 3:\n"
          "cmpl %2, %1; jae 4f; orl $8, %0; 4:\n"
          "cmpl %2, %1; jnz 5f; orl $16, %0; 5:\n"
          "cmpl %2, %1; jbe 6f; orl $32, %0; 6:"
          : "+r"(r)
          : "r"(x), "r"(y)
          : "cc");
  return r;
}

// What was compared last, by whichever way one comes to the label.
static bool flag_after(int x) {
  bool r;
  __asm__("cmpl $1, %1; je 1f; cmpl $2, %1; 1: setz %0"
          : "=q"(r)
          : "r"(x)
          : "cc");
  return r;
}

int main(void) {
  pthread_t ids[2];
  assert(compared(-1, 1) == 1 + 32 && compared(1, -1) == 4 + 8);
  assert(compared(3, 3) == 2 + 16 && compared(2, 3) == 1 + 8);
  assert(flag_after(1) && flag_after(2) && !flag_after(3));
  for (int i = 0; i < 2; i++)
    pthread_create(&ids[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(ids[i], NULL);
  assert(count == 2 && word == 0);
  return 0;
}
