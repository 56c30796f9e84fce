// SPDX-License-Identifier: MIT
// Events in words: "read node->next = NULL (malloc#1->next, acq, from
// T1 line 14)".
#pragma once

#include "report/view.h"

// The file that most of a report is about; its lines need no file name.
const char *view_main_file(const struct view *v);

// "14", or "other.c:14" outside of `main_file`, or "" when unknown.
void place_label(struct place p, const char *main_file, struct str *out);

// Is the event worth a row? The second half of a read-modify-write has one
// for both halves; the start and end of a thread have none.
bool event_is_shown(const struct view *v, uint32_t e);
void event_sentence(const struct view *v, uint32_t at, const char *main_file,
                    struct str *out);
// "T1 line 14", "initial value".
void event_reference(const struct view *v, uint32_t e, const char *main_file,
                     struct str *out);
