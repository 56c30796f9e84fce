// SPDX-License-Identifier: MIT
// Bytes are read as they come; a message is taken when all of it is there.
#include "cmd/rpc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rpc_fill(struct rpc *r) {
  char part[65536];
  ssize_t n = read(STDIN_FILENO, part, sizeof part);
  if (n > 0)
    str_add_bytes(&r->in, part, (size_t)n);
  else if (n == 0 || errno != EINTR)
    r->is_over = true;
}

static void drop(struct rpc *r, size_t n) {
  memmove(r->in.at, r->in.at + n, r->in.len - n + 1);
  r->in.len -= (uint32_t)n;
}

// Where the next message is in what is there; false: not all of it is. A header
// without a length ends the conversation: there is no telling where the next
// begins.
static bool find_message(struct rpc *r, size_t *start, size_t *len) {
  const char *text = str_text(&r->in);
  if (!r->has_headers) {
    const char *end = memchr(text, '\n', r->in.len);
    *start = 0;
    *len = end ? (size_t)(end - text) : 0;
    return end;
  }
  static const char name[] = "Content-Length:";
  const char *end = strstr(text, "\r\n\r\n");
  if (!end)
    return false;
  const char *length = strcasestr(text, name);
  char *rest = NULL;
  unsigned long n =
      length && length < end ? strtoul(length + sizeof name - 1, &rest, 10) : 0;
  if (!n || n > 1U << 30) {
    r->is_over = true;
    return false;
  }
  *start = (size_t)(end + 4 - text);
  *len = n;
  return r->in.len - *start >= n;
}

struct json_value *rpc_next(struct rpc *r) {
  size_t start, len;
  while (find_message(r, &start, &len)) {
    struct diag why;
    const char *text = r->in.at + start;
    bool is_blank = strspn(text, " \t\r") >= len;
    struct json_value *v = is_blank ? NULL : json_read(text, len, &why);
    drop(r, start + len + !r->has_headers);
    if (v)
      return v;
    if (!is_blank)
      rpc_error(r, NULL, RPC_PARSE_ERROR, why.text);
  }
  return NULL;
}

// -- writing

void rpc_open(struct json *j, struct str *text) {
  *j = (struct json){.out = text, .is_line = true};
  json_open(j, NULL, '{');
  json_text(j, "jsonrpc", "2.0");
}

static void add_id(struct json *j, const struct json_value *id) {
  if (id && id->kind == JSON_STRING)
    json_text(j, "id", id->text);
  else if (id && id->kind == JSON_NUMBER)
    json_signed(j, "id", (int64_t)id->number);
  else
    json_null(j, "id");
}

void rpc_open_reply(struct json *j, struct str *text,
                    const struct json_value *id) {
  rpc_open(j, text);
  add_id(j, id);
}

void rpc_open_call(struct json *j, struct str *text, const char *method,
                   uint64_t id) {
  rpc_open(j, text);
  if (id)
    json_number(j, "id", id);
  json_text(j, "method", method);
  json_open(j, "params", '{');
}

// If the other end is closed, SIGPIPE or the end of the input ends us.
void rpc_send(const struct rpc *r, struct json *j) {
  while (j->depth)
    json_close(j, '}');
  if (r->has_headers)
    printf("Content-Length: %u\r\n\r\n", j->out->len);
  fwrite(j->out->at, 1, j->out->len, stdout);
  if (!r->has_headers)
    putchar('\n');
  fflush(stdout);
  str_done(j->out);
}

void rpc_error(const struct rpc *r, const struct json_value *id, int code,
               const char *message) {
  struct json j;
  struct str text = {0};
  rpc_open_reply(&j, &text, id);
  json_open(&j, "error", '{');
  json_signed(&j, "code", code);
  json_text(&j, "message", message);
  rpc_send(r, &j);
}

void rpc_reply_null(const struct rpc *r, const struct json_value *id) {
  struct json j;
  struct str text = {0};
  rpc_open_reply(&j, &text, id);
  json_null(&j, "result");
  rpc_send(r, &j);
}
