// SPDX-License-Identifier: MIT
// Messages between ranks by MPI. This is a shared object of its own, which
// Heddle loads for --mpi: the library of MPI would cost every start 30 ms.
// Nothing here waits but `compare` and `leave`, so all goes on in one thread.
#include "parallel/ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

// A message that is on its way.
struct sending {
  MPI_Request request;
  char *bytes;
};

// One that has been announced. A rank that has sent only its beginning, and
// hangs, must not keep others waiting.
struct arriving {
  MPI_Request request;
  int from;
  char *bytes;
  size_t n;
};

static ARRAY(struct sending) sendings;
static ARRAY(struct arriving) arriving; // in the order in which they were sent

// (The object is linked with nothing of Heddle's.)
static void *room(void *at, size_t n) {
  void *ret = realloc(at, n);
  if (!ret) {
    fprintf(stderr, "heddle: out of memory for messages\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_INCOMPLETE);
  }
  return ret;
}

static void forget_sent(void) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sendings.len; i++) {
    int is_done = 0;
    MPI_Test(&sendings.at[i].request, &is_done, MPI_STATUS_IGNORE);
    if (is_done)
      free(sendings.at[i].bytes);
    else
      sendings.at[kept++] = sendings.at[i];
  }
  sendings.len = kept;
}

static void on_send(struct carrier *c, unsigned to, const char *bytes,
                    size_t n) {
  (void)c;
  if (n > INT32_MAX) { // thousands of times what a search has
    fprintf(stderr, "heddle: a message between ranks is too long\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_INCOMPLETE);
  }
  if (sendings.len == sendings.cap) {
    sendings.cap = 2 * sendings.cap + 16;
    sendings.at = room(sendings.at, sendings.cap * sizeof *sendings.at);
  }
  struct sending *s = &sendings.at[sendings.len++];
  s->bytes = room(NULL, n ? n : 1);
  memcpy(s->bytes, bytes, n);
  MPI_Isend(s->bytes, (int)n, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD,
            &s->request);
}

// Begins to receive what has been sent here.
static void look_for_messages(void) {
  int is_there, length;
  MPI_Message message;
  MPI_Status s;
  for (;;) {
    MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &message, &s);
    if (!is_there)
      return;
    if (arriving.len == arriving.cap) {
      arriving.cap = 2 * arriving.cap + 16;
      arriving.at = room(arriving.at, arriving.cap * sizeof *arriving.at);
    }
    MPI_Get_count(&s, MPI_BYTE, &length);
    struct arriving *a = &arriving.at[arriving.len++];
    *a = (struct arriving){.from = s.MPI_SOURCE,
                           .bytes = room(NULL, (size_t)length + 1),
                           .n = (size_t)length};
    a->bytes[length] = 0;
    MPI_Imrecv(a->bytes, length, MPI_BYTE, &message, &a->request);
  }
}

// Has all of a message arrived, and what its rank sent before it?
static bool is_here(uint32_t nth) {
  int is_done = 0;
  for (uint32_t i = 0; i < nth; i++)
    if (arriving.at[i].from == arriving.at[nth].from)
      return false;
  MPI_Test(&arriving.at[nth].request, &is_done, MPI_STATUS_IGNORE);
  return is_done;
}

static bool on_receive(struct carrier *c, unsigned *from, char **bytes,
                       size_t *n) {
  (void)c;
  forget_sent();
  look_for_messages();
  for (uint32_t i = 0; i < arriving.len; i++) {
    if (!is_here(i))
      continue;
    struct arriving a = arriving.at[i];
    arriving.len--;
    memmove(&arriving.at[i], &arriving.at[i + 1],
            (arriving.len - i) * sizeof a);
    *from = (unsigned)a.from;
    *bytes = a.bytes;
    *n = a.n;
    return true;
  }
  return false;
}

static void on_compare(struct carrier *c, const void *mine, size_t n,
                       void *all) {
  (void)c;
  MPI_Allgather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, MPI_COMM_WORLD);
}

static void receive_and_forget(struct carrier *c) {
  unsigned from;
  char *bytes;
  size_t n;
  if (on_receive(c, &from, &bytes, &n))
    free(bytes);
}

// What others have sent is received, or they would wait for that.
static void on_leave(struct carrier *c, double patience, int code) {
  double end = MPI_Wtime() + patience;
  MPI_Request all;
  int is_done = 0;
  while (sendings.len && MPI_Wtime() < end)
    receive_and_forget(c);
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  while (!is_done && MPI_Wtime() < end) {
    receive_and_forget(c);
    MPI_Test(&all, &is_done, MPI_STATUS_IGNORE);
  }
  if (!is_done)
    MPI_Abort(MPI_COMM_WORLD, code);
  free(sendings.at);
  free(arriving.at);
  MPI_Finalize();
}

static void on_abandon(struct carrier *c, int code) {
  (void)c;
  MPI_Abort(MPI_COMM_WORLD, code);
}

__attribute__((visibility("default"))) carrier_begin heddle_carrier_begin;

struct carrier *heddle_carrier_begin(char *why, size_t size) {
  static struct carrier c = {.send = on_send,
                             .receive = on_receive,
                             .compare = on_compare,
                             .leave = on_leave,
                             .abandon = on_abandon};
  int provided, rank, ranks;
  // Workers are threads, which call nothing of MPI.
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
          MPI_SUCCESS ||
      provided < MPI_THREAD_FUNNELED) {
    snprintf(why, size, "MPI does not start, or not with threads");
    return NULL;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  c.rank = (unsigned)rank;
  c.ranks = (unsigned)ranks;
  return &c;
}
