// SPDX-License-Identifier: MIT
// From what a check said to what an editor shows. Columns of LSP are counted in
// units of UTF-16, those of clang in bytes.
#include "cmd/lsp.h"

#include "report/escape.h"

#include <stdlib.h>
#include <string.h>

static void add_path(const char *folder, const char *file, struct str *out) {
  while (strncmp(file, "./", 2) == 0)
    file += 2;
  str_add(out, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/",
          file);
}

void lsp_uri(const char *folder, const char *file, struct str *out) {
  struct str path = {0};
  add_path(folder, file, &path);
  str_add(out, "file://");
  escape_uri(path.at, out);
  str_done(&path);
}

// -- ranges

static unsigned units(const char *text, size_t bytes) {
  unsigned n = 0;
  for (size_t i = 0; i < bytes && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    n += (c & 0xc0) != 0x80; // the first byte of a character
    n += c >= 0xf0;          // which is two units
  }
  return n;
}

// From a column (from 1; 0: the first that is no blank) to the end of the line.
static void add_range(struct json *j, const char *folder, const char *file,
                      unsigned line, unsigned column) {
  struct str path = {0}, text = {0};
  add_path(folder, file, &path);
  place_source_line((struct place){.file = path.at, .line = line}, &text);
  const char *t = str_text(&text);
  size_t start = column ? column - 1 : strspn(t, " "), end = strlen(t);
  while (end > start && t[end - 1] == ' ')
    end--;
  json_open(j, "range", '{');
  for (unsigned k = 0; k < 2; k++) {
    json_open(j, k ? "end" : "start", '{');
    json_number(j, "line", line ? line - 1 : 0);
    json_number(j, "character", units(t, k ? end : start));
    json_close(j, '}');
  }
  json_close(j, '}');
  str_done(&path);
  str_done(&text);
}

// -- diagnostics

enum severity { IS_ERROR = 1, IS_WARNING, IS_INFORMATION };

static void add_related(struct json *j, const struct document *d,
                        const struct json_value *at, const char *text) {
  struct str uri = {0};
  const char *file = json_string(at, "file");
  if (!file || !*file)
    return;
  lsp_uri(d->folder, file, &uri);
  json_open(j, NULL, '{');
  json_open(j, "location", '{');
  json_text(j, "uri", uri.at);
  add_range(j, d->folder, file, (unsigned)json_whole(at, "line", 0),
            (unsigned)json_whole(at, "column", 0));
  json_close(j, '}');
  json_text(j, "message", text);
  json_close(j, '}');
  str_done(&uri);
}

static bool is_true(const struct json_value *v, const char *name) {
  const struct json_value *m = json_member(v, name);
  return m && m->truth;
}

static void add_event(struct json *j, const struct document *d,
                      const struct json_value *e, unsigned step) {
  const char *text = json_string(e, "text"), *order = json_string(e, "order");
  const char *where = text && *text ? text : json_string(e, "location");
  const char *value = json_string(e, "value");
  struct str out = {0};
  str_add(&out, "%u. T%d: %s %s", step, (int)json_whole(e, "thread", 0),
          json_string(e, "kind"), where ? where : "");
  if (value && *value)
    str_add(&out, " = %s", value);
  if (order)
    str_add(&out, " (%s)", order);
  add_related(j, d, e, out.at);
  str_done(&out);
}

// The events that the error is about, and those that led to it, in the order of
// the text report.
static void add_steps(struct json *j, const struct document *d,
                      const struct json_value *report) {
  const struct json_value *events = json_member(report, "events");
  const struct json_value *order = json_member(report, "reading_order");
  unsigned step = 0;
  for (uint32_t i = 0; events && order && i < order->count; i++) {
    uint32_t k = (uint32_t)order->items[i].number;
    const struct json_value *e = k < events->count ? &events->items[k] : NULL;
    if (e && (is_true(e, "marked") || is_true(e, "matters")))
      add_event(j, d, e, ++step);
  }
}

static void add_finding(struct json *j, const struct document *d,
                        const struct json_value *f,
                        const struct json_value *report, bool is_error) {
  const struct json_value *other = json_member(f, "other");
  const char *file = json_string(f, "file"), *kind = json_string(f, "kind");
  struct str page = {0};
  json_open(j, NULL, '{');
  add_range(j, d->folder, file && *file ? file : d->name,
            (unsigned)json_whole(f, "line", 0),
            (unsigned)json_whole(f, "column", 0));
  json_number(j, "severity", is_error ? IS_ERROR : IS_WARNING);
  json_text(j, "source", "heddle");
  json_text(j, "code", kind);
  str_add(&page, "%s/kinds.md#%s", manual_url(), kind);
  json_open(j, "codeDescription", '{');
  json_text(j, "href", page.at);
  json_close(j, '}');
  str_done(&page);
  json_text(j, "message", json_string(f, "message"));
  json_open(j, "relatedInformation", '[');
  if (other)
    add_related(j, d, other, "the other side");
  if (is_error)
    add_steps(j, d, report);
  json_close(j, ']');
  json_close(j, '}');
}

static void open_publication(struct json *j, struct str *text,
                             const char *uri) {
  rpc_open_call(j, text, "textDocument/publishDiagnostics", 0);
  json_text(j, "uri", uri);
  json_open(j, "diagnostics", '[');
}

static void end_publication(const struct lsp *l, struct json *j) {
  json_close(j, ']');
  rpc_send(&l->rpc, j);
}

static void publish_nothing(const struct lsp *l, const char *uri) {
  struct json j;
  struct str text = {0};
  open_publication(&j, &text, uri);
  end_publication(l, &j);
}

void lsp_publish_nothing(struct lsp *l, struct document *d) {
  for (uint32_t i = 0; i < d->published.len; i++)
    publish_nothing(l, d->published.at[i]);
  texts_done(&d->published);
}

static void finding_uri(const struct document *d, const struct json_value *f,
                        struct str *out) {
  const char *file = json_string(f, "file");
  lsp_uri(d->folder, file && *file ? file : d->name, out);
}

static bool is_published(const struct document *d, const char *uri) {
  for (uint32_t i = 0; i < d->published.len; i++)
    if (strcmp(d->published.at[i], uri) == 0)
      return true;
  return false;
}

// All findings of one file.
static void publish_file(struct lsp *l, struct document *d,
                         const struct json_value *report, const char *uri) {
  static const char *const names[] = {"errors", "warnings"};
  struct json j;
  struct str text = {0};
  open_publication(&j, &text, uri);
  for (unsigned k = 0; k < 2; k++) {
    const struct json_value *all = json_member(report, names[k]);
    for (uint32_t i = 0; all && i < all->count; i++) {
      struct str own = {0};
      finding_uri(d, &all->items[i], &own);
      if (strcmp(own.at, uri) == 0)
        add_finding(&j, d, &all->items[i], report, k == 0);
      str_done(&own);
    }
  }
  end_publication(l, &j);
}

static void publish_findings(struct lsp *l, struct document *d,
                             const struct json_value *report) {
  static const char *const names[] = {"errors", "warnings"};
  for (unsigned k = 0; k < 2; k++) {
    const struct json_value *all = json_member(report, names[k]);
    for (uint32_t i = 0; all && i < all->count; i++) {
      struct str uri = {0};
      finding_uri(d, &all->items[i], &uri);
      if (!is_published(d, uri.at)) {
        publish_file(l, d, report, uri.at);
        array_push(&d->published, uri.at);
      } else {
        str_done(&uri);
      }
    }
  }
}

// One message about a place of the document, or of another file.
static void publish_message(struct lsp *l, struct document *d, const char *file,
                            unsigned line, unsigned column,
                            enum severity severity, const char *message) {
  struct json j;
  struct str text = {0}, uri = {0};
  lsp_uri(d->folder, file, &uri);
  open_publication(&j, &text, uri.at);
  json_open(&j, NULL, '{');
  add_range(&j, d->folder, file, line ? line : 1, column);
  json_number(&j, "severity", severity);
  json_text(&j, "source", "heddle");
  json_text(&j, "message", message);
  json_close(&j, '}');
  end_publication(l, &j);
  array_push(&d->published, uri.at);
}

// "heddle: FILE:LINE:COLUMN: error: TEXT", with clang's own message in the next
// line. A file without a main is a part of a program, and none to check.
static void publish_complaint(struct lsp *l, struct document *d,
                              const char *complaint) {
  char file[512];
  unsigned line = 0, column = 0;
  if (strstr(complaint, "there is no function `main`"))
    return;
  if (sscanf(complaint, "heddle: %511[^:\n]:%u:%u:", file, &line, &column) < 2)
    snprintf(file, sizeof file, "%s", d->name);
  const char *text = strstr(complaint, "error: ");
  const char *next = text ? strchr(text, '\n') : NULL;
  const char *inner = next ? strstr(next, "error: ") : NULL;
  if (inner && strstr(text, "clang does not accept") == text + 7)
    text = inner;
  struct str message = {0};
  text = text ? text + 7 : complaint;
  str_add(&message, "%.*s", (int)strcspn(text, "\n"), text);
  publish_message(l, d, file, line, column, IS_ERROR, message.at);
  str_done(&message);
}

void lsp_publish(struct lsp *l, struct document *d, const struct self *check) {
  struct diag why;
  text_list before = d->published;
  d->published = (text_list){0};
  d->has_error = check->code == EXIT_FINDING;
  struct json_value *report =
      json_read(str_text(&check->printed), check->printed.len, &why);
  if (report && check->code != EXIT_BAD_INPUT)
    publish_findings(l, d, report);
  else
    publish_complaint(l, d, str_text(&check->complaints));
  const char *limit = json_string(report, "limit");
  if (check->code == EXIT_INCOMPLETE && limit) {
    struct str text = {0};
    str_add(&text, "Incomplete (%s): no error so far.", limit);
    publish_message(l, d, d->name, 1, 0, IS_INFORMATION, text.at);
    str_done(&text);
  }
  // An editor learns that there is nothing any more, or nothing at all. What is
  // still there was not taken away before: nothing flickers.
  for (uint32_t i = 0; i < before.len; i++)
    if (!is_published(d, before.at[i]) && strcmp(before.at[i], d->uri) != 0)
      publish_nothing(l, before.at[i]);
  texts_done(&before);
  if (!is_published(d, d->uri))
    publish_nothing(l, d->uri);
  json_free(report);
}

// -- hovering

static void add_values(const struct json_value *read, struct str *out) {
  const struct json_value *values = json_member(read, "values");
  str_add(out, "`%s` (%s) can read:\n\n", json_string(read, "text"),
          json_string(read, "order"));
  for (uint32_t i = 0; values && i < values->count; i++) {
    const struct json_value *from = json_member(&values->items[i], "from");
    str_add(out, "- `%s`, ", json_string(&values->items[i], "value"));
    if (from && from->kind == JSON_OBJECT)
      str_add(out, "written in line %d by `%s`\n",
              (int)json_whole(from, "line", 0), json_string(from, "function"));
    else
      str_add(out, "the initial value\n");
  }
  str_add(out, "\n");
}

bool lsp_hover(const struct document *d, unsigned line, struct str *out) {
  const struct json_value *reads = json_member(d->reads, "reads");
  for (uint32_t i = 0; reads && i < reads->count; i++) {
    const struct json_value *r = &reads->items[i];
    struct str path = {0};
    add_path(d->folder, json_string(r, "file"), &path);
    if (json_whole(r, "line", 0) == line && strcmp(path.at, d->path) == 0)
      add_values(r, out);
    str_done(&path);
  }
  const char *limit = json_string(d->reads, "limit");
  if (out->len)
    str_add(out, "Under %s, %s.\n", json_string(d->reads, "model"),
            limit ? "as far as it was explored" : "in all executions");
  return out->len;
}
