// SPDX-License-Identifier: MIT
// A rank, for ranks.c and the files that do its work: steal.c moves tasks,
// still.c has the search while it stands still, silent.c sees to ranks that do
// not answer.
#pragma once

#include "parallel/message.h"
#include "parallel/ranks.h"
#include "parallel/workers.h"

struct rank_state { // of a rank, as it has told it
  struct frontier f;
  uint64_t sent, received;
  bool is_in, has_halted, begins_again;
  char limit[200];
};

struct asker {
  unsigned rank;
  double since;
};

struct ranks {
  struct parallel *p;
  struct carrier *carrier;
  uint64_t epoch, gathering;   // number of the gathering
  bool is_gathering, is_still; // one goes on; and this rank has told its state
  bool is_over, is_lost;
  ARRAY(struct message) later; // of the next epoch
  uint64_t sent, received;     // tasks

  // Whom to ask, and who has asked.
  bool has_asked;
  double next_ask, pause;
  uint64_t random;
  ARRAY(struct asker) askers;

  bool has_token, is_black, is_token_black; // black: may be wrong
  uint64_t token;                           // sent - received, on the way

  pthread_mutex_t lock; // of `wanted`
  pthread_cond_t agreed;
  thread_list wanted; // threads that have no number yet

  bool has_told_halt, has_told_error;
  struct explore_place told_error;
  double told_known, looked; // when it did

  double patience;    // with a rank that says nothing
  double *heard;      // when each was heard last
  double turned;      // when this one last looked for messages
  double interrupted; // when it was, or 0

  // Rank 0 alone.
  struct rank_state *states;
  struct explore_result *known; // of each rank
  const char *late;             // the limit that ends the search
  bool wants_gathering;
  double gathering_since, gathering_took;
};

static inline unsigned ranks_others(const struct ranks *r) {
  return r->carrier->ranks - 1;
}
static inline bool ranks_is_root(const struct ranks *r) {
  return r->carrier->rank == 0;
}

// ranks.c
void ranks_send(struct ranks *r, unsigned to, struct message *m);
void ranks_send_kind(struct ranks *r, unsigned to, enum message_kind kind);
void ranks_send_all(struct ranks *r, struct message *m);
void ranks_send_kind_to_all(struct ranks *r, enum message_kind kind);
// Strings last as long as the search: one, and those of a frontier.
const char *ranks_keep_text(struct ranks *r, const char *text);
void ranks_keep_texts(struct ranks *r, struct frontier *f);
void ranks_serve_workers(struct ranks *r);
// How often each rank says something, at least.
static inline double ranks_word_every(const struct ranks *r) {
  return r->patience < 8 ? r->patience / 8 : 1;
}
void ranks_begin(struct ranks *r); // an epoch; rank 0
void ranks_end_workers(struct ranks *r);

// steal.c. Has this rank nothing to do?
bool ranks_is_dry(struct ranks *r);
void ranks_take(struct ranks *r, struct message *task);
void ranks_note_refusal(struct ranks *r);
// Each of these is called now and then. True: something has happened.
bool ranks_serve(struct ranks *r);
bool ranks_ask(struct ranks *r);
bool ranks_pass_token(struct ranks *r);

// still.c
bool ranks_tell_state(struct ranks *r);
void ranks_note_state(struct ranks *r, unsigned from, struct message *m);
// Rank 0 has all stand still; do they, with no task on the way; what is to
// come of it?
void ranks_gather(struct ranks *r);
bool ranks_all_still(struct ranks *r);
void ranks_decide(struct ranks *r);

// silent.c. Each of these is called now and then.
void ranks_heard(struct ranks *r, unsigned from);
void ranks_note_time(struct ranks *r);
void ranks_tell_life(struct ranks *r);        // rank 0
void ranks_look_for_silence(struct ranks *r); // rank 0
void ranks_look_for_root(struct ranks *r);    // the others
