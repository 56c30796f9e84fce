// SPDX-License-Identifier: MIT
// heddle mcp: Heddle's commands as tools for agents (Model Context Protocol).
// Arguments of a tool are options of its command, so their schemas come from
// options.def (mcp.def says which), and what they say is parsed by the command
// itself, in a process of its own.
#include "cmd/rpc.h"
#include "cmd/self.h"

#include <stdlib.h>
#include <string.h>

enum tool {
#define TOOL(id, ...) TOOL_##id,
#include "cmd/mcp.def"
  TOOLS
};

static const struct {
  const char *name;
  enum command command;
  const char *options, *help;
} tools[TOOLS] = {
#define TOOL(id, name, command, options, help)                                 \
  {name, COMMAND_##command, options, help},
#include "cmd/mcp.def"
};

// In seconds: an agent does not wait for ever.
static const char usual_wall[] = "60";

// -- schemas

static const struct option_info *option_of(enum tool t, const char *name,
                                           size_t len) {
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if ((i->commands >> tools[t].command & 1) && strlen(i->name) == len &&
        strncmp(i->name, name, len) == 0)
      return i;
  }
  return NULL;
}

static bool is_list(const struct option_info *i) {
  return i->kind == OPT_WORDS || i->kind == OPT_CLANG ||
         i->kind == OPT_ROUNDS || i->kind == OPT_CHECKS;
}

static void add_type(struct json *j, const struct option_info *i) {
  static const char *const types[] = {
      [OPT_FLAG] = "boolean",   [OPT_NUMBER] = "integer",
      [OPT_SECONDS] = "number", [OPT_TEXT] = "string",
      [OPT_CHOICE] = "string",  [OPT_CHECKS] = "array",
      [OPT_CLANG] = "array",    [OPT_ROUNDS] = "array",
      [OPT_WORDS] = "array"};
  json_text(j, "type", types[i->kind]);
  if (is_list(i)) {
    json_open(j, "items", '{');
    json_text(j, "type", "string");
    json_close(j, '}');
  }
  if (i->kind != OPT_CHOICE)
    return;
  json_open(j, "enum", '[');
  for (const char *p = i->argument; *p;) {
    char word[64];
    size_t n = strcspn(p, "|");
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    json_text(j, NULL, word);
    p += n + (p[n] == '|');
  }
  json_close(j, ']');
}

static void add_property(struct json *j, const char *name, const char *type,
                         const char *help) {
  json_open(j, name, '{');
  json_text(j, "type", type);
  if (strcmp(type, "array") == 0) {
    json_open(j, "items", '{');
    json_text(j, "type", "string");
    json_close(j, '}');
  }
  json_text(j, "description", help);
  json_close(j, '}');
}

// The options of a tool, one after the other; NULL at the end.
static const struct option_info *next_option(enum tool t, const char **at) {
  *at += strspn(*at, " ");
  size_t n = strcspn(*at, " ");
  if (!n)
    return NULL;
  const struct option_info *i = option_of(t, *at, n);
  check(i); // mcp.def names an option that the command does not have
  *at += n;
  return i;
}

static void add_options(struct json *j, enum tool t) {
  const struct option_info *i;
  for (const char *at = tools[t].options; (i = next_option(t, &at));) {
    struct str help = {0};
    bool is_wall = strcmp(i->name, "max-wall") == 0;
    str_add(&help, "%s", i->help);
    if (*i->initial || is_wall)
      str_add(&help, " Default: %s.", is_wall ? usual_wall : i->initial);
    json_open(j, i->name, '{');
    add_type(j, i);
    json_text(j, "description", str_text(&help));
    json_close(j, '}');
    str_done(&help);
  }
}

static void add_tool(struct json *j, enum tool t) {
  json_open(j, NULL, '{');
  json_text(j, "name", tools[t].name);
  json_text(j, "description", tools[t].help);
  json_open(j, "inputSchema", '{');
  json_text(j, "type", "object");
  json_open(j, "properties", '{');
  add_property(j, "files", "array",
               "The C files of the program, which has a main.");
  add_property(j, "source", "string",
               "The text of the program, instead of files.");
  if (t == TOOL_WHY)
    add_property(j, "condition", "string",
                 "What is asked, such as r1 == 1 && r2 == 0.");
  if (t == TOOL_REPLAY)
    add_property(j, "execution", "string",
                 "The name of the execution, from a report.");
  add_property(j, "json", "boolean",
               "Answer with the data of --json instead of a text.");
  add_options(j, t);
  json_close(j, '}');
  json_open(j, "required", '[');
  if (t == TOOL_WHY)
    json_text(j, NULL, "condition");
  if (t == TOOL_REPLAY)
    json_text(j, NULL, "execution");
  json_close(j, ']');
  json_bool(j, "additionalProperties", false);
  json_close(j, '}');
  json_close(j, '}');
}

// -- calls

struct call {
  enum tool tool;
  const struct json_value *arguments;
  const char *source;
  bool is_json;
  word_list words;
  text_list own;
};

static void add_word(struct call *c, const char *flag, const char *value) {
  struct str text = {0};
  str_add(&text, "%s%s", flag, value);
  array_push(&c->own, text.at);
  array_push(&c->words, text.at);
}

// --name=value, so that a value cannot be taken for an option.
static bool add_value(struct call *c, const struct option_info *i,
                      const struct json_value *v, struct diag *why) {
  struct str text = {0};
  bool ok = true;
  str_add(&text, "--%s", i->name);
  if (v->kind == JSON_STRING && i->kind != OPT_FLAG)
    str_add(&text, "=%s", v->text);
  else if (v->kind == JSON_NUMBER &&
           (i->kind == OPT_NUMBER || i->kind == OPT_SECONDS))
    str_add(&text, "=%.15g", v->number);
  else if (v->kind != JSON_BOOL || i->kind != OPT_FLAG)
    ok = diag_set(why, NULL, 0, "'%s' is of another type", i->name);
  if (ok && (v->kind != JSON_BOOL || v->truth))
    add_word(c, text.at, "");
  str_done(&text);
  return ok;
}

static bool add_option(struct call *c, const char *name,
                       const struct json_value *v, struct diag *why) {
  const struct option_info *i;
  const char *at = tools[c->tool].options;
  while ((i = next_option(c->tool, &at)) && strcmp(i->name, name) != 0)
    continue;
  if (!i)
    return diag_set(why, NULL, 0, "the tool '%s' has no argument '%s'",
                    tools[c->tool].name, name);
  if (v->kind != JSON_ARRAY || !is_list(i))
    return add_value(c, i, v, why);
  for (uint32_t k = 0; k < v->count; k++)
    if (!add_value(c, i, &v->items[k], why))
      return false;
  return true;
}

// Arguments that are no options.
static bool is_special(const char *name) {
  return strcmp(name, "files") == 0 || strcmp(name, "source") == 0 ||
         strcmp(name, "condition") == 0 || strcmp(name, "execution") == 0 ||
         strcmp(name, "json") == 0;
}

static bool add_files(struct call *c, struct diag *why) {
  const struct json_value *files = json_member(c->arguments, "files");
  if (!files == !c->source)
    return diag_set(why, NULL, 0, "give either 'files' or 'source'");
  if (c->source)
    add_word(c, "-", "");
  for (uint32_t i = 0; files && i < files->count; i++) {
    const char *file = files->items[i].text;
    if (!file || !*file)
      return diag_set(why, NULL, 0, "'files' is a list of paths");
    add_word(c, *file == '-' ? "./" : "", file);
  }
  return !files || files->count || diag_set(why, NULL, 0, "'files' is empty");
}

static bool make_words(struct call *c, struct diag *why) {
  const struct json_value *a = c->arguments;
  const char *condition = json_string(a, "condition");
  const char *execution = json_string(a, "execution");
  const struct json_value *json = json_member(a, "json");
  c->source = json_string(a, "source");
  c->is_json = json && json->truth;
  add_word(c, command_table[tools[c->tool].command].name, "");
  if (c->tool != TOOL_REPLAY)
    add_word(c, "--max-wall=", usual_wall);
  if (c->is_json)
    add_word(c, "--json", "");
  if (c->tool == TOOL_REPLAY)
    add_word(c, "--replay=", execution ? execution : "");
  for (uint32_t i = 0; a && i < a->count; i++)
    if (!is_special(a->names[i]) &&
        !add_option(c, a->names[i], &a->items[i], why))
      return false;
  if (c->tool == TOOL_WHY && !condition)
    return diag_set(why, NULL, 0, "'condition' is missing");
  if (c->tool == TOOL_WHY)
    add_word(c, condition, "");
  return add_files(c, why);
}

// 0, 1 and 3 are answers; the text says which. 2 and 70 are none.
static void reply(const struct rpc *r, const struct json_value *id,
                  const struct call *c, const struct self *s) {
  struct json j;
  struct str text = {0}, all = {0};
  bool is_error = s->code != EXIT_OK && s->code != EXIT_FINDING &&
                  s->code != EXIT_INCOMPLETE;
  bool has_data = c->is_json && !is_error && s->printed.len;
  str_add(&all, "%s%s", str_text(&s->printed), str_text(&s->complaints));
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '{');
  json_open(&j, "content", '[');
  json_open(&j, NULL, '{');
  json_text(&j, "type", "text");
  json_text(&j, "text", has_data ? str_text(&s->printed) : str_text(&all));
  json_close(&j, '}');
  json_close(&j, ']');
  if (has_data)
    json_raw(&j, "structuredContent", str_text(&s->printed));
  json_bool(&j, "isError", is_error);
  rpc_send(r, &j);
  str_done(&all);
}

static void call_tool(const struct rpc *r, const struct json_value *id,
                      const struct json_value *params) {
  const char *name = json_string(params, "name");
  struct call c = {.arguments = json_member(params, "arguments")};
  struct self s = {0};
  struct diag why;
  while (c.tool < TOOLS && (!name || strcmp(tools[c.tool].name, name) != 0))
    c.tool++;
  if (c.tool == TOOLS)
    rpc_error(r, id, RPC_BAD_PARAMS, "there is no such tool");
  else if (!make_words(&c, &why) ||
           !self_run(&s, &c.words, NULL, c.source, &why))
    rpc_error(r, id, RPC_BAD_PARAMS, why.text);
  else
    reply(r, id, &c, &s);
  self_done(&s);
  texts_done(&c.own);
  array_done(&c.words);
}

// -- the conversation

static void initialize(const struct rpc *r, const struct json_value *id,
                       const struct json_value *params) {
  static const char newest[] = "2025-06-18";
  static const char *const known[] = {newest, "2025-03-26", "2024-11-05"};
  const char *wanted = json_string(params, "protocolVersion");
  const char *version = newest;
  for (unsigned i = 0; wanted && i < LENGTH(known); i++)
    if (strcmp(known[i], wanted) == 0)
      version = known[i];
  struct json j;
  struct str text = {0};
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '{');
  json_text(&j, "protocolVersion", version);
  json_open(&j, "capabilities", '{');
  json_open(&j, "tools", '{');
  json_close(&j, '}');
  json_close(&j, '}');
  json_open(&j, "serverInfo", '{');
  json_text(&j, "name", "heddle");
  json_text(&j, "version", HEDDLE_VERSION);
  rpc_send(r, &j);
}

static void list_tools(const struct rpc *r, const struct json_value *id) {
  struct json j;
  struct str text = {0};
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '{');
  json_open(&j, "tools", '[');
  for (unsigned t = 0; t < TOOLS; t++)
    add_tool(&j, t);
  json_close(&j, ']');
  rpc_send(r, &j);
}

static void answer(const struct rpc *r, const struct json_value *message) {
  const char *method = json_string(message, "method");
  const struct json_value *id = json_member(message, "id");
  const struct json_value *params = json_member(message, "params");
  if (!method || !id) {
    if (!method && !json_member(message, "result"))
      rpc_error(r, id, RPC_INVALID_REQUEST, "this is no request");
    return; // notifications need no answer
  }
  if (strcmp(method, "initialize") == 0) {
    initialize(r, id, params);
  } else if (strcmp(method, "ping") == 0) {
    struct json j;
    struct str text = {0};
    rpc_open_reply(&j, &text, id);
    json_open(&j, "result", '{');
    rpc_send(r, &j);
  } else if (strcmp(method, "tools/list") == 0) {
    list_tools(r, id);
  } else if (strcmp(method, "tools/call") == 0) {
    call_tool(r, id, params);
  } else {
    rpc_error(r, id, RPC_NO_METHOD, "there is no such method");
  }
}

enum exit_code cmd_mcp(const struct options *o) {
  struct rpc r = {0};
  (void)o;
  while (!r.is_over) {
    struct json_value *message;
    rpc_fill(&r);
    while ((message = rpc_next(&r))) {
      answer(&r, message);
      json_free(message);
    }
  }
  str_done(&r.in);
  return EXIT_OK;
}
