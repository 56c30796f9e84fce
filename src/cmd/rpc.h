// SPDX-License-Identifier: MIT
// JSON-RPC 2.0 over standard input and output, for editors and agents: messages
// with a header that says how long they are (LSP), or a line each (MCP).
#pragma once

#include "base/json_reader.h"
#include "cmd/cmd.h"
#include "report/json_writer.h"

struct rpc {
  bool has_headers;
  struct str in; // bytes that are not read yet
  bool is_over;  // nothing more will come
};

enum {
  RPC_PARSE_ERROR = -32700,
  RPC_INVALID_REQUEST = -32600,
  RPC_NO_METHOD = -32601,
  RPC_BAD_PARAMS = -32602,
};

// Takes more bytes, waiting for them.
void rpc_fill(struct rpc *r);
// The next message, NULL: there is none yet. One that cannot be read is
// answered with an error and left out.
struct json_value *rpc_next(struct rpc *r);

// A message; what comes between is its members.
void rpc_open(struct json *j, struct str *text);
void rpc_open_reply(struct json *j, struct str *text,
                    const struct json_value *id);
void rpc_send(const struct rpc *r, struct json *j);
// A request of which the answer is ignored, or (id 0) a notification: opens its
// params.
void rpc_open_call(struct json *j, struct str *text, const char *method,
                   uint64_t id);
void rpc_error(const struct rpc *r, const struct json_value *id, int code,
               const char *message);
// "result": null.
void rpc_reply_null(const struct rpc *r, const struct json_value *id);
