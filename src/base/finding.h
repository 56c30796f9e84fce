// SPDX-License-Identifier: MIT
// The kinds of error that a checked program can have; finding.def lists them.
#pragma once

#include <stdbool.h>

enum finding_kind {
#define FINDING(id, ...) FIND_##id,
#include "base/finding.def"
#undef FINDING
  FIND_COUNT
};

// The name in text and JSON output, such as "use-after-free".
const char *finding_name(enum finding_kind k);
const char *finding_meaning(enum finding_kind k);
// What to do about it, in sentences.
const char *finding_advice(enum finding_kind k);
// Is it only a warning unless the user says otherwise?
bool finding_is_warning(enum finding_kind k);
// Is nothing defined after it? Then nothing that follows is explored, whether
// it counts as an error or not.
bool finding_is_final(enum finding_kind k);
// Does it depend on what happens before what, so that an execution alone does
// not tell whether it is there?
bool finding_is_by_search(enum finding_kind k);
// The kind of that name, or FIND_COUNT.
enum finding_kind finding_of_name(const char *name);
struct str;
// docs/manual/kinds.md: a heading for each kind.
void finding_markdown(struct str *out);
