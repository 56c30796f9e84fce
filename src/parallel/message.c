// SPDX-License-Identifier: MIT
// See message.h: messages as text, written and read by the same functions.
#include "parallel/message.h"

#include "parallel/archive.h"

#include <string.h>

static void line(struct archive *a, struct message *m) {
  uint32_t kind = m->kind;
  archive_tag(a, "rank");
  ARCHIVE(a, kind);
  m->kind = (enum message_kind)kind;
  ARCHIVE(a, m->epoch);
  ARCHIVE(a, m->a);
  ARCHIVE(a, m->b);
  ARCHIVE(a, m->c);
  archive_buffer(a, m->text, sizeof m->text);
}

static bool has_more(enum message_kind kind) {
  return kind == MESSAGE_BEGIN || kind == MESSAGE_STATE ||
         kind == MESSAGE_KNOWN || kind == MESSAGE_TASK ||
         kind == MESSAGE_ERROR || kind == MESSAGE_THREADS;
}

void message_write(const struct message *m, struct str *out) {
  check(m->kind < MESSAGE_KINDS);
  struct archive a = {.out = out};
  line(&a, (struct message *)m); // it is only read
  str_add(out, "\n");
  if (!has_more(m->kind))
    return;
  struct str more = {0};
  frontier_write(&m->more, &more);
  str_add_bytes(out, more.at, more.len);
  str_done(&more);
}

void message_read(struct message *m, char *bytes, size_t n) {
  struct diag why;
  *m = (struct message){0};
  char *end = memchr(bytes, '\n', n);
  check(end);
  struct archive a = {
      .name = "a message", .at = bytes, .end = end, .line = 1, .why = &why};
  line(&a, m);
  check(!a.failed && m->kind < MESSAGE_KINDS);
  size_t left = n - (size_t)(end + 1 - bytes);
  check(!has_more(m->kind) ||
        frontier_read(&m->more, "a message", end + 1, left, &why));
}
