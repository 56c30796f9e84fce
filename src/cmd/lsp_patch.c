// SPDX-License-Identifier: MIT
// A patch as an edit for an editor: of each hunk, each run of lines that go or
// come is one change. Lines are counted in the old file, as LSP wants it.
#include "cmd/lsp.h"

#include <stdlib.h>
#include <string.h>

struct patch {
  struct json *j;
  const char *folder;
  unsigned line;    // of the old file, from 0
  unsigned removed; // lines of the run before it
  struct str added;
  bool has_file;
};

static void add_position(struct json *j, const char *name, unsigned line) {
  json_open(j, name, '{');
  json_number(j, "line", line);
  json_number(j, "character", 0);
  json_close(j, '}');
}

static void end_run(struct patch *p) {
  if (p->removed || p->added.len) {
    json_open(p->j, NULL, '{');
    json_open(p->j, "range", '{');
    add_position(p->j, "start", p->line - p->removed);
    add_position(p->j, "end", p->line);
    json_close(p->j, '}');
    json_text(p->j, "newText", str_text(&p->added));
    json_close(p->j, '}');
  }
  p->removed = 0;
  str_clear(&p->added);
}

static void end_file(struct patch *p) {
  end_run(p);
  if (p->has_file)
    json_close(p->j, ']');
  p->has_file = false;
}

static void begin_file(struct patch *p, const char *name, size_t len) {
  struct str file = {0}, uri = {0};
  str_add(&file, "%.*s", (int)len, name);
  lsp_uri(p->folder, file.at, &uri);
  json_open(p->j, uri.at, '[');
  p->has_file = true;
  str_done(&file);
  str_done(&uri);
}

static void read_line(struct patch *p, const char *line, size_t len) {
  if (strncmp(line, "--- ", 4) == 0) {
    end_file(p);
  } else if (strncmp(line, "+++ b/", 6) == 0) {
    begin_file(p, line + 6, len - 6);
  } else if (strncmp(line, "@@ -", 4) == 0) {
    end_run(p);
    p->line = (unsigned)strtoul(line + 4, NULL, 10);
    p->line -= p->line > 0;
  } else if (p->has_file && *line == ' ') {
    end_run(p);
    p->line++;
  } else if (p->has_file && *line == '-') {
    p->line++;
    p->removed++;
  } else if (p->has_file && *line == '+') {
    str_add(&p->added, "%.*s\n", (int)len - 1, line + 1);
  }
}

bool lsp_edit(struct json *j, const char *diff, const char *folder) {
  struct patch p = {.j = j, .folder = folder};
  if (!strstr(diff, "\n@@ -"))
    return false;
  json_open(j, "changes", '{');
  for (const char *line = diff; *line;) {
    size_t len = strcspn(line, "\n");
    read_line(&p, line, len);
    line += len + (line[len] == '\n');
  }
  end_file(&p);
  json_close(j, '}');
  str_done(&p.added);
  return true;
}
