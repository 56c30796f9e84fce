// SPDX-License-Identifier: MIT
// heddle lsp: diagnostics when a file is opened or saved, hovers that say which
// values an atomic read can see, the optimiser's patch as a code action, and
// the page of an execution.
//
// A file is checked as its first `// heddle:` line that expects no error says,
// from the folder that it is in. One check runs at a time, beside the
// conversation; a file that is saved again is checked again at once. Hovers and
// commands are answered when they are done, and have a limit of a few seconds.
#include "cmd/lsp.h"

#include "cmd/inputs.h"
#include "cmd/suite.h"
#include "report/escape.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds, and executions that a hover is made from.
#define CHECK_WALL "10"
#define HOVER_WALL "2"
#define HOVER_EXECUTIONS "2000"
#define PATCH_WALL "20"

static char *copy_of(const char *text) {
  size_t n = strlen(text) + 1;
  return memcpy(xmalloc(n), text, n);
}

// -- documents

// The path of a URI of a file, or NULL.
static char *path_of_uri(const char *uri) {
  static const char scheme[] = "file://";
  struct str path = {0};
  if (!uri || strncmp(uri, scheme, sizeof scheme - 1) != 0)
    return NULL;
  for (const char *p = uri + sizeof scheme - 1; *p; p++) {
    char digits[3] = {p[0] == '%' ? p[1] : 0, 0, 0};
    digits[1] = digits[0] ? p[2] : 0;
    char *end;
    char c = (char)strtoul(digits, &end, 16);
    bool is_escape = digits[1] && !*end && c;
    str_add_bytes(&path, is_escape ? &c : p, 1);
    p += is_escape ? 2 : 0;
  }
  return path.at;
}

static struct document *document_new(const char *uri) {
  char *path = path_of_uri(uri);
  const char *slash = path ? strrchr(path, '/') : NULL;
  if (!slash || !suite_is_source(slash)) {
    free(path);
    return NULL;
  }
  struct document *d = xcalloc(1, sizeof *d);
  *d = (struct document){.uri = copy_of(uri), .path = path};
  d->folder = copy_of(path);
  d->folder[slash == path ? 1 : slash - path] = 0;
  d->name = path + (slash - path) + 1;
  return d;
}

static void document_free(struct document *d) {
  free(d->uri);
  free(d->path);
  free(d->folder);
  json_free(d->reads);
  texts_done(&d->published);
  free(d);
}

// The document that params are about: one that is known or new; NULL: Heddle
// has nothing to say about it.
static struct document *document_of(struct lsp *l, const char *uri) {
  for (uint32_t i = 0; uri && i < l->documents.len; i++)
    if (strcmp(l->documents.at[i]->uri, uri) == 0)
      return l->documents.at[i];
  struct document *d = uri ? document_new(uri) : NULL;
  if (d)
    array_push(&l->documents, d);
  return d;
}

static struct document *document_in(struct lsp *l,
                                    const struct json_value *params) {
  return document_of(l,
                     json_string(json_member(params, "textDocument"), "uri"));
}

// -- command lines

struct line {
  word_list words;
  text_list own;
};

static void add(struct line *c, const char *word) {
  array_push(&c->words, word);
}

static void line_done(struct line *c) {
  array_done(&c->words);
  texts_done(&c->own);
}

// Several models in a line are several tests; the first is the one to show.
static void add_lines_of_file(struct line *c, const struct document *d) {
  text_list words = {0};
  suite_words_of(d->path, &words);
  for (uint32_t i = 0; i < words.len; i++) {
    bool is_model = strncmp(words.at[i], "--model=", 8) == 0 ||
                    (i && strcmp(words.at[i - 1], "--model") == 0);
    if (is_model)
      words.at[i][strcspn(words.at[i], ",")] = 0;
    array_push(&c->own, words.at[i]);
    add(c, words.at[i]);
  }
  array_done(&words);
}

// The flags of the project, if its build folder has some for this file.
static void add_database(struct line *c, const struct lsp *l,
                         const struct document *d) {
  static const char *const places[] = {"build", "."};
  for (unsigned i = 0; l->root && i < LENGTH(places); i++) {
    struct str folder = {0};
    struct inputs in = {0};
    struct diag why;
    struct options o = {0};
    str_add(&folder, "%s/%s", l->root, places[i]);
    o.compile_commands = folder.at;
    array_push(&o.files, d->path);
    bool ok = database_is_in(folder.at) && inputs_make(&in, &o, &why);
    inputs_done(&in);
    array_done(&o.files);
    if (ok) {
      array_push(&c->own, folder.at);
      add(c, "-p");
      add(c, folder.at);
      return;
    }
    str_done(&folder);
  }
}

static void line_begin(struct line *c, const struct lsp *l,
                       const struct document *d, const char *command,
                       const char *wall) {
  add(c, command);
  add(c, "--max-wall");
  add(c, wall);
  add_database(c, l, d);
  for (uint32_t i = 0; i < l->options.len; i++)
    add(c, l->options.at[i]);
  add_lines_of_file(c, d);
  add(c, d->name);
}

// -- checks

static void start_check(struct lsp *l, struct document *d) {
  struct line c = {0};
  struct diag why;
  self_done(&l->check);
  json_free(d->reads);
  d->reads = NULL;
  line_begin(&c, l, d, "check", CHECK_WALL);
  add(&c, "--json");
  l->checked =
      self_start(&l->check, &c.words, d->folder, NULL, &why) ? d : NULL;
  line_done(&c);
}

static void end_check(struct lsp *l) {
  if (self_read(&l->check))
    return;
  lsp_publish(l, l->checked, &l->check);
  self_done(&l->check);
  l->checked = NULL;
}

static void close_document(struct lsp *l, struct document *d) {
  if (l->checked == d) {
    self_done(&l->check);
    l->checked = NULL;
  }
  lsp_publish_nothing(l, d);
  for (uint32_t i = 0; i < l->documents.len; i++)
    if (l->documents.at[i] == d)
      l->documents.at[i] = l->documents.at[--l->documents.len];
  document_free(d);
}

// -- hovers

static void look_at_reads(struct lsp *l, struct document *d) {
  struct line c = {0};
  struct self s = {0};
  struct diag why;
  line_begin(&c, l, d, "explore", HOVER_WALL);
  add(&c, "--max-executions");
  add(&c, HOVER_EXECUTIONS);
  add(&c, "--reads");
  add(&c, "--json");
  if (self_run(&s, &c.words, d->folder, NULL, &why))
    d->reads = json_read(str_text(&s.printed), s.printed.len, &why);
  self_done(&s);
  line_done(&c);
}

static void hover(struct lsp *l, const struct json_value *id,
                  const struct json_value *params) {
  struct document *d = document_in(l, params);
  int64_t line = json_whole(json_member(params, "position"), "line", -1);
  struct str said = {0}, text = {0};
  struct json j;
  if (d && !d->reads)
    look_at_reads(l, d);
  if (!d || line < 0 || !lsp_hover(d, (unsigned)line + 1, &said)) {
    rpc_reply_null(&l->rpc, id);
    return;
  }
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '{');
  json_open(&j, "contents", '{');
  json_text(&j, "kind", "markdown");
  json_text(&j, "value", said.at);
  rpc_send(&l->rpc, &j);
  str_done(&said);
}

// -- commands

static const struct {
  const char *name, *title;
  bool for_errors;
} commands[] = {
    {"heddle.showExecution", "Heddle: show the execution", true},
    {"heddle.repair", "Heddle: repair with the cheapest memory orders", true},
    {"heddle.optimise", "Heddle: use the cheapest memory orders", false},
};
enum { SHOW, REPAIR, OPTIMISE, COMMANDS };

static void code_actions(struct lsp *l, const struct json_value *id,
                         const struct json_value *params) {
  struct document *d = document_in(l, params);
  struct str text = {0};
  struct json j;
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '[');
  for (unsigned i = 0; d && i < COMMANDS; i++) {
    if (commands[i].for_errors != d->has_error)
      continue;
    json_open(&j, NULL, '{');
    json_text(&j, "title", commands[i].title);
    json_text(&j, "kind",
              i == SHOW     ? ""
              : i == REPAIR ? "quickfix"
                            : "refactor");
    json_open(&j, "command", '{');
    json_text(&j, "title", commands[i].title);
    json_text(&j, "command", commands[i].name);
    json_open(&j, "arguments", '[');
    json_text(&j, NULL, d->uri);
    json_close(&j, ']');
    json_close(&j, '}');
    json_close(&j, '}');
  }
  json_close(&j, ']');
  rpc_send(&l->rpc, &j);
}

static void show_message(const struct lsp *l, const char *message) {
  enum { INFO = 3 };
  struct str text = {0};
  struct json j;
  rpc_open_call(&j, &text, "window/showMessage", 0);
  json_number(&j, "type", INFO);
  json_text(&j, "message", message);
  rpc_send(&l->rpc, &j);
}

// The first line of what a command said, without "heddle: ".
static void show_answer(const struct lsp *l, const struct self *s) {
  const char *said = str_text(&s->complaints);
  struct str line = {0};
  if (!*said)
    said = s->printed.len ? str_text(&s->printed) : "nothing is to be changed";
  said += strspn(said, "# \n");
  str_add(&line, "Heddle: %.*s", (int)strcspn(said, "\n"), said);
  show_message(l, line.at);
  str_done(&line);
}

static void apply_patch(struct lsp *l, struct document *d, bool is_repair) {
  struct line c = {0};
  struct self s = {0};
  struct diag why;
  line_begin(&c, l, d, "optimize", PATCH_WALL);
  add(&c, "--diff");
  if (is_repair)
    add(&c, "--repair");
  if (self_run(&s, &c.words, d->folder, NULL, &why)) {
    struct str text = {0};
    struct json j;
    rpc_open_call(&j, &text, "workspace/applyEdit", ++l->calls);
    json_text(&j, "label", commands[is_repair ? REPAIR : OPTIMISE].title);
    json_open(&j, "edit", '{');
    if (s.code == EXIT_OK && lsp_edit(&j, str_text(&s.printed), d->folder)) {
      rpc_send(&l->rpc, &j);
    } else {
      str_done(&text);
      show_answer(l, &s);
    }
  }
  self_done(&s);
  line_done(&c);
}

// A folder of pages that is there until the editor goes.
static bool make_pages(struct lsp *l) {
  char name[] = "/tmp/heddle-lsp-XXXXXX";
  if (!l->pages && mkdtemp(name))
    l->pages = copy_of(name);
  return l->pages;
}

static void show_execution(struct lsp *l, struct document *d) {
  struct line c = {0};
  struct self s = {0};
  struct diag why;
  struct str page = {0}, uri = {0}, text = {0};
  struct json j;
  if (!make_pages(l)) {
    show_message(l, strerror(errno));
    return;
  }
  str_add(&page, "%s/%s.html", l->pages, d->name);
  line_begin(&c, l, d, "check", CHECK_WALL);
  add(&c, "--html");
  add(&c, page.at);
  if (self_run(&s, &c.words, d->folder, NULL, &why) &&
      s.code != EXIT_BAD_INPUT) {
    lsp_uri("/", page.at, &uri);
    rpc_open_call(&j, &text, "window/showDocument", ++l->calls);
    json_text(&j, "uri", uri.at);
    json_bool(&j, "external", true);
    rpc_send(&l->rpc, &j);
  } else {
    show_answer(l, &s);
  }
  self_done(&s);
  line_done(&c);
  str_done(&page);
  str_done(&uri);
}

static void execute(struct lsp *l, const struct json_value *id,
                    const struct json_value *params) {
  const char *name = json_string(params, "command");
  const struct json_value *arguments = json_member(params, "arguments");
  const char *uri =
      arguments && arguments->count ? arguments->items[0].text : NULL;
  struct document *d = document_of(l, uri);
  unsigned i = 0;
  while (i < COMMANDS && (!name || strcmp(commands[i].name, name) != 0))
    i++;
  if (i == COMMANDS || !d) {
    rpc_error(&l->rpc, id, RPC_BAD_PARAMS, "there is no such command or file");
    return;
  }
  if (i == SHOW)
    show_execution(l, d);
  else
    apply_patch(l, d, i == REPAIR);
  rpc_reply_null(&l->rpc, id);
}

// -- the conversation

static void read_settings(struct lsp *l, const struct json_value *params) {
  const struct json_value *settings =
      json_member(params, "initializationOptions");
  const struct json_value *options = json_member(settings, "options");
  for (uint32_t i = 0; options && i < options->count; i++)
    if (options->items[i].text)
      array_push(&l->options, copy_of(options->items[i].text));
  l->root = path_of_uri(json_string(params, "rootUri"));
}

static void initialize(struct lsp *l, const struct json_value *id,
                       const struct json_value *params) {
  struct str text = {0};
  struct json j;
  read_settings(l, params);
  rpc_open_reply(&j, &text, id);
  json_open(&j, "result", '{');
  json_open(&j, "serverInfo", '{');
  json_text(&j, "name", "heddle");
  json_text(&j, "version", HEDDLE_VERSION);
  json_close(&j, '}');
  json_open(&j, "capabilities", '{');
  json_open(&j, "textDocumentSync", '{');
  json_bool(&j, "openClose", true);
  json_bool(&j, "save", true);
  json_close(&j, '}');
  json_bool(&j, "hoverProvider", true);
  json_bool(&j, "codeActionProvider", true);
  json_open(&j, "executeCommandProvider", '{');
  json_open(&j, "commands", '[');
  for (unsigned i = 0; i < COMMANDS; i++)
    json_text(&j, NULL, commands[i].name);
  json_close(&j, ']');
  rpc_send(&l->rpc, &j);
}

static void notice(struct lsp *l, const char *method,
                   const struct json_value *params) {
  bool is_check = strcmp(method, "textDocument/didOpen") == 0 ||
                  strcmp(method, "textDocument/didSave") == 0;
  bool is_close = strcmp(method, "textDocument/didClose") == 0;
  struct document *d = is_check || is_close ? document_in(l, params) : NULL;
  if (d && is_check)
    start_check(l, d);
  if (d && is_close)
    close_document(l, d);
  l->rpc.is_over |= strcmp(method, "exit") == 0;
}

static void answer(struct lsp *l, const struct json_value *message) {
  const char *method = json_string(message, "method");
  const struct json_value *id = json_member(message, "id");
  const struct json_value *params = json_member(message, "params");
  if (!method)
    return; // an answer to a call of ours
  if (!id)
    notice(l, method, params);
  else if (strcmp(method, "initialize") == 0)
    initialize(l, id, params);
  else if (strcmp(method, "textDocument/hover") == 0)
    hover(l, id, params);
  else if (strcmp(method, "textDocument/codeAction") == 0)
    code_actions(l, id, params);
  else if (strcmp(method, "workspace/executeCommand") == 0)
    execute(l, id, params);
  else if (strcmp(method, "shutdown") == 0)
    l->is_shut = true, rpc_reply_null(&l->rpc, id);
  else
    rpc_error(&l->rpc, id, RPC_NO_METHOD, "there is no such method");
}

// Until a message or the end of a check comes.
static void wait_for_next(struct lsp *l) {
  struct pollfd fds[2] = {
      {.fd = STDIN_FILENO, .events = POLLIN},
      {.fd = l->checked ? l->check.out : -1, .events = POLLIN}};
  if (poll(fds, 2, -1) < 0)
    return;
  if (fds[1].revents)
    end_check(l);
  if (fds[0].revents)
    rpc_fill(&l->rpc);
}

static void remove_pages(struct lsp *l) {
  for (uint32_t i = 0; l->pages && i < l->documents.len; i++) {
    struct str page = {0};
    str_add(&page, "%s/%s.html", l->pages, l->documents.at[i]->name);
    unlink(page.at);
    str_done(&page);
  }
  if (l->pages)
    rmdir(l->pages);
  free(l->pages);
}

enum exit_code cmd_lsp(const struct options *o) {
  struct lsp l = {.rpc = {.has_headers = true}};
  (void)o;
  while (!l.rpc.is_over) {
    struct json_value *message;
    wait_for_next(&l);
    while (!l.rpc.is_over && (message = rpc_next(&l.rpc))) {
      answer(&l, message);
      json_free(message);
    }
  }
  self_done(&l.check);
  remove_pages(&l);
  for (uint32_t i = 0; i < l.documents.len; i++)
    document_free(l.documents.at[i]);
  array_done(&l.documents);
  texts_done(&l.options);
  free(l.root);
  str_done(&l.rpc.in);
  // The protocol wants it so: an editor that goes without a word has crashed.
  return l.is_shut ? EXIT_OK : EXIT_FINDING;
}
