// SPDX-License-Identifier: MIT
// What the files of heddle lsp share.
#pragma once

#include "cmd/rpc.h"
#include "cmd/self.h"
#include "report/report.h"

struct document {
  char *uri, *path, *folder; // the folder of the file
  const char *name;          // the file in it
  bool has_error;            // of the last check
  struct json_value *reads;  // what `heddle explore --reads` said, or NULL
  text_list published;       // URIs of files that have diagnostics of it
};

struct lsp {
  struct rpc rpc;
  ARRAY(struct document *) documents;
  struct self check;        // that runs
  struct document *checked; // by it
  text_list options;        // that the editor gave
  char *root;               // folder of the project, or NULL
  char *pages;              // folder of pages, once there is one
  uint64_t calls;           // to the editor
  bool is_shut;
};

// -- lsp_answer.c

// Publishes what a check that is over said.
void lsp_publish(struct lsp *l, struct document *d, const struct self *check);
void lsp_publish_nothing(struct lsp *l, struct document *d);
// What hovering over a line (from 1) says, from d->reads; false: nothing.
MUST_USE bool lsp_hover(const struct document *d, unsigned line,
                        struct str *out);

// -- lsp_patch.c

// The members of a WorkspaceEdit from a unified diff of files of a folder;
// false: it changes nothing.
MUST_USE bool lsp_edit(struct json *j, const char *diff, const char *folder);

// -- both

// The URI of a file, as seen from a folder.
void lsp_uri(const char *folder, const char *file, struct str *out);
