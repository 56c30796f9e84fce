// SPDX-License-Identifier: MIT
// What ranks tell each other (ranks.c): a line, and a frontier where there is
// more to say.
#pragma once

#include "parallel/frontier.h"

enum message_kind {
  // from rank 0 to all others
  MESSAGE_BEGIN,  // the search begins, or begins again: what is known
  MESSAGE_GATHER, // stand still and tell your state
  MESSAGE_GO_ON,
  MESSAGE_END,
  MESSAGE_ALIVE,
  MESSAGE_THREADS, // the numbers of threads
  // to rank 0
  MESSAGE_STATE, // all that a rank has done, learned, found and left
  MESSAGE_KNOWN, // what it has counted so far
  MESSAGE_HALT,  // something ends the search: a limit, or it begins again
  MESSAGE_CHILD, // which number does this thread have?
  // from any to any
  MESSAGE_ASK, // something to do, please
  MESSAGE_NONE,
  MESSAGE_TASK,
  MESSAGE_ERROR, // the place of one: what comes after it need not be explored
  MESSAGE_TOKEN, // have all ranks run dry?
  MESSAGE_KINDS
};

struct message {
  enum message_kind kind;
  unsigned from;  // for who keeps it; it is not sent
  uint64_t epoch; // how often the search has begun
  uint64_t a, b, c;
  char text[200];
  struct frontier more; // BEGIN, STATE, KNOWN, TASK, ERROR, THREADS
};

void message_write(const struct message *m, struct str *out);
// A rank is of the same build, so a message that makes no sense is a bug.
void message_read(struct message *m, char *bytes, size_t n);
