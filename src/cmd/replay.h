// SPDX-License-Identifier: MIT
// Names of executions as reports print them and --replay reads them: sixteen
// digits for the execution, and after a dash eight more for what it is an
// execution of: the program (four), the model (two), the options (two). The
// latter say why a name means nothing here; names without them are read too.
#pragma once

#include "cmd/cmd.h"

enum { REPLAY_TAG = 9 }; // with NUL

// Digests of what a search under these options is about: the contents of the
// files, the model, the options that say which executions there are.
struct replay_digests {
  uint64_t program, model, options;
};
struct replay_digests replay_digests(const struct options *o,
                                     const struct model *m);
// The same in short.
void replay_tag(const struct options *o, const struct model *m,
                char ret[static REPLAY_TAG]);
// `text` may be NULL: nothing is replayed.
MUST_USE bool replay_read(const char *text, uint64_t *ret, struct diag *why);
// Was the name that is to be replayed given with --all-errors, or --shortest,
// which goes on after errors too? Then the execution goes on, and is only met
// if the search does.
bool replay_goes_on(const struct options *o);
// How the tag of a name (which may have none) differs from another one: "of
// another version of the program and under another model"; nothing if it does
// not.
void replay_differences(const char *name, const char *tag, struct str *out);
