// SPDX-License-Identifier: MIT
// Events in words: "read node->next = NULL (malloc#1->next, acq, from
// T1 line 14)"; or in few words: "read malloc#1->next = NULL (acq, T1:14)".
#pragma once

#include "report/view.h"

// How one report puts things.
struct wording {
  const char *main_file;     // its lines need no file name
  bool is_short;             // few words; names and values of bounded length
  bool has_arrows;           // a picture: arrows say where values come from
  ARRAY(const char *) files; // the others: each has a letter in few words
};

// The words for an execution; the file that most of it is about is the main
// one.
struct wording wording_of(const struct view *v, bool is_short);
void wording_done(struct wording *w);
const char *view_main_file(const struct view *v);
// "b: queue.h, c: lock.h": the letters of the other files, or "".
void wording_legend(const struct wording *w, struct str *out);

// "T1", or "P0" of a litmus test; with the name of what it runs: "T1 writer".
void thread_label(const struct view *v, unsigned thread, struct str *out);
void thread_title(const struct view *v, const struct view_thread *th,
                  struct str *out);

// "14", or "other.c:14" ("b:14" in few words) outside of the main file, or ""
// when unknown.
void place_label(const struct wording *w, struct place p, struct str *out);

// Has the event a row of its own? (view_event.row)
bool event_is_shown(const struct view *v, uint32_t e);
// Is it worth one? The second half of a read-modify-write has one for both
// halves; the start and end of a thread have none.
bool event_has_row(const struct view *v, uint32_t e);
// Is it a read-modify-write's second half, whose row is for both?
bool event_is_second_half(const struct view *v, uint32_t e);
// "pthread_cond_wait(&c, &m)"; in few words "cond_wait(&c, &m)".
const char *call_in_words(const struct wording *w, const char *call);
void event_sentence(const struct wording *w, const struct view *v, uint32_t at,
                    struct str *out);
// "T1 line 14", "initial value".
void event_reference(const struct wording *w, const struct view *v, uint32_t e,
                     struct str *out);
