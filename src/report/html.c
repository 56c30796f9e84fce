// SPDX-License-Identifier: MIT
// The parts of the page in the order in which they stand; style sheet and
// script are embedded from report/page/.
#include "report/html_parts.h"

#include "report/edge.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(struct str *out, const char *text) {
  escape_xml(text, out);
}

// -- words

// What words of the verdict mean.
static const struct {
  const char *word, *meaning;
} terms[] = {
    {"blocked", "Executions in which some thread cannot go on although no "
                "error happened: an assumption fails, or a loop waits for a "
                "value that only another execution brings."},
    {"stands for", "Executions that differ only in which of several equal "
                   "threads does what were explored once; this is how many "
                   "there are."},
    {"stand for", "Executions that differ only in which of several equal "
                  "threads does what were explored once; this is how many "
                  "there are."},
    {"vacuous", "Every execution is blocked: nothing ran to its end, so the "
                "check says nothing about what comes after."},
};
enum { TERMS = LENGTH(terms) };

// The text, with a link from each of these words to what it means.
static void add_explained(struct str *out, const char *text) {
  const char *at = text;
  while (*at) {
    const char *next = at + strlen(at);
    unsigned which = TERMS;
    for (unsigned i = 0; i < TERMS; i++) {
      const char *found = strstr(at, terms[i].word);
      if (found && found < next) {
        next = found;
        which = i;
      }
    }
    struct str before = {0};
    str_add_bytes(&before, at, (size_t)(next - at));
    add_text(out, str_text(&before));
    str_done(&before);
    at = next;
    if (which == TERMS)
      continue;
    str_add(out, "<a class=\"term\" href=\"#words\" title=\"%s\">%s</a>",
            terms[which].meaning, terms[which].word);
    at += strlen(terms[which].word);
  }
}

static void add_words(const char *text, struct str *out) {
  const char *opening = "<section id=\"words\"><h2>Words</h2><dl>\n";
  bool is_open = false;
  for (unsigned i = 0; i < TERMS; i++)
    if (strstr(text, terms[i].word)) {
      str_add(out, "%s<dt>%s</dt><dd>%s</dd>\n", is_open ? "" : opening,
              terms[i].word, terms[i].meaning);
      is_open = true;
    }
  str_add(out, is_open ? "</dl></section>\n" : "");
}

// -- head

// Nothing may be loaded from anywhere, whatever the program's strings say.
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src "
    "'unsafe-inline'";

static void add_head(const struct page *p, struct str *out) {
  str_add(
      out,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
      "\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Heddle: ",
      policy);
  add_text(out, p->program);
  str_add(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

// The heads of all arrows; pictures refer to them.
static void add_markers(struct str *out) {
  str_add(out, "<svg class=\"markers\" width=\"0\" height=\"0\" "
               "aria-hidden=\"true\"><defs>\n");
  unsigned size[EDGE_KINDS]; // in widths of the line
  for (unsigned k = 0; k < EDGE_KINDS; k++)
    size[k] = k == EDGE_CYCLE ? 4 : 7;
  for (unsigned k = EDGE_RF; k < EDGE_KINDS; k++)
    str_add(out,
            "<marker id=\"arrow-%s\" class=\"head %s\" viewBox=\"0 0 10 10\" "
            "refX=\"9\" refY=\"5\" markerWidth=\"%u\" markerHeight=\"%u\" "
            "orient=\"auto\"><path d=\"M0 1L10 5L0 9z\"/></marker>\n",
            edge_name(k), edge_name(k), size[k], size[k]);
  str_add(out, "</defs></svg>\n");
}

static void add_header(const struct page *p, struct str *out) {
  str_add(out, "<header>\n<h1><span class=\"brand\">heddle</span> ");
  add_text(out, p->program);
  str_add(out, "</h1>\n<p class=\"verdict %s\">", verdict_name(p->verdict));
  add_explained(out, p->summary);
  str_add(out,
          "</p>\n<p class=\"actions\"><button type=\"button\" id=\"hide\" "
          "aria-controls=\"source\" aria-expanded=\"true\" "
          "title=\"the source (h)\">source</button> <button type=\"button\" "
          "id=\"theme\" aria-label=\"light or dark\" title=\"light or dark "
          "(t)\">&#9680;</button> <button type=\"button\" id=\"keys\" "
          "title=\"keys (?)\" aria-expanded=\"false\">keys</button></p>\n"
          "</header>\n");
}

static void add_help(struct str *out) {
  static const char *const keys[][2] = {
      {"&larr; &rarr;", "one step back, forward"},
      {"Home End", "before the first step, after the last"},
      {"Tab", "from event to event; Enter goes to its step"},
      {"+ - 1 0", "larger, smaller, 100%, as wide as the pane; also the wheel "
                  "with Ctrl"},
      {"r c f s d", "rf, co, fr, sync, dependencies on and off"},
      {"i", "rf and co inside of a thread"},
      {"u", "unfold all rows, and fold them again"},
      {"/", "look for a variable; Enter goes to the next row that has it"},
      {"n p", "next, previous execution (of those that the filter leaves)"},
      {"h", "hide the source, and show it again"},
      {"t", "light or dark"},
      {"Esc", "close what is open, end a search"},
  };
  str_add(out, "<section id=\"help\" hidden aria-label=\"keys\"><dl>\n");
  for (unsigned i = 0; i < LENGTH(keys); i++)
    str_add(out, "<dt>%s</dt><dd>%s</dd>\n", keys[i][0], keys[i][1]);
  str_add(out, "</dl></section>\n");
}

// -- entries

static void add_choice(const struct page_entry *e, uint32_t number,
                       const char *text, struct str *out) {
  str_add(out,
          "<button type=\"button\" class=\"choose\" data-entry=\"%u\" "
          "aria-pressed=\"%s\">",
          number, number ? "false" : "true");
  if (*e->kind)
    str_add(out, "<b>%s</b> ", e->kind);
  add_text(out, text);
  str_add(out, "</button>");
}

// A row for each outcome: how often it is, as a bar, and its executions.
static void add_group(const struct page *p, uint32_t group, uint64_t most,
                      struct str *out) {
  const struct page_group *g = &p->groups.at[group];
  uint32_t n = 0;
  str_add(out,
          "<tr><td class=\"count\">%llu</td><td class=\"bars\"><span "
          "class=\"bar\" style=\"width:%.1f%%\"></span></td><th "
          "scope=\"row\">",
          (unsigned long long)g->executions,
          100.0 * (double)g->executions / (double)most);
  add_text(out, g->title);
  str_add(out, "</th><td class=\"some\">");
  for (uint32_t i = 0; i < p->entries.len; i++)
    if (p->entries.at[i].group == group) {
      char number[16];
      snprintf(number, sizeof number, "%u", ++n);
      add_choice(&p->entries.at[i], i, number, out);
    }
  str_add(out, "</td></tr>\n");
}

static void add_histogram(const struct page *p, struct str *out) {
  uint64_t most = 1;
  for (uint32_t g = 0; g < p->groups.len; g++)
    if (p->groups.at[g].executions > most)
      most = p->groups.at[g].executions;
  str_add(out, "<nav aria-label=\"outcomes\"><input type=\"search\" "
               "id=\"filter\" placeholder=\"filter outcomes\" "
               "aria-label=\"filter outcomes\">\n<table class=\"outcomes\">"
               "<thead><tr><th>executions</th><th></th><th>outcome</th>"
               "<th>to look at</th></tr></thead><tbody>\n");
  for (uint32_t g = 0; g < p->groups.len; g++)
    add_group(p, g, most, out);
  str_add(out, "</tbody></table>\n");
  str_add(out, "<p class=\"against\"><label>mark what differs from "
               "<select id=\"against\"><option value=\"\">nothing</option>");
  for (uint32_t i = 0; i < p->entries.len; i++) {
    str_add(out, "<option value=\"%u\">%u: ", i, i + 1);
    add_text(out, p->entries.at[i].title);
    str_add(out, "</option>");
  }
  str_add(out, "</select></label></p></nav>\n");
}

void page_begin_table(struct page *p, const char *const *heads, uint32_t n) {
  p->columns = n;
  p->heads = xcalloc(n, sizeof *p->heads);
  memcpy(p->heads, heads, n * sizeof *heads);
}

struct page_row *page_add_row(struct page *p, const char *head,
                              const char *const *cells) {
  const char **own = xcalloc(p->columns, sizeof *own);
  memcpy(own, cells, p->columns * sizeof *cells);
  array_push(&p->rows, (struct page_row){.head = head, .cells = own});
  return array_last(&p->rows);
}

void page_table_done(struct page *p) {
  for (uint32_t i = 0; i < p->rows.len; i++)
    free(p->rows.at[i].cells);
  array_done(&p->rows);
  free(p->heads);
}

// The head leads to the first entry, numbers behind it to the others.
static void add_row_head(const struct page *p, const struct page_row *r,
                         struct str *out) {
  if (!r->count)
    add_text(out, r->head);
  for (uint32_t i = 0; i < r->count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%u", i + 1);
    add_choice(&p->entries.at[r->first + i], r->first + i, i ? number : r->head,
               out);
  }
}

static void add_table_row(const struct page *p, const struct page_row *r,
                          struct str *out) {
  str_add(out, "<tr%s><th scope=\"row\">",
          r->is_marked ? " class=\"differs\"" : "");
  add_row_head(p, r, out);
  str_add(out, "</th>");
  for (uint32_t i = 0; i < p->columns; i++) {
    str_add(out, "<td>");
    add_text(out, r->cells[i]);
    str_add(out, "</td>");
  }
  str_add(out, "</tr>\n");
}

static void add_table(const struct page *p, struct str *out) {
  str_add(out, "<nav aria-label=\"table\"><input type=\"search\" "
               "id=\"filter\" placeholder=\"filter rows\" "
               "aria-label=\"filter rows\">\n<table class=\"outcomes\">"
               "<thead><tr><th></th>");
  for (uint32_t i = 0; i < p->columns; i++) {
    str_add(out, "<th scope=\"col\">");
    add_text(out, p->heads[i]);
    str_add(out, "</th>");
  }
  str_add(out, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < p->rows.len; i++)
    add_table_row(p, &p->rows.at[i], out);
  str_add(out, "</tbody></table></nav>\n");
}

static void add_list(const struct page *p, struct str *out) {
  if (p->columns) {
    add_table(p, out);
    return;
  }
  if (p->groups.len) {
    add_histogram(p, out);
    return;
  }
  if (p->entries.len < 2)
    return;
  str_add(out, "<nav aria-label=\"executions\"><ol>\n");
  for (uint32_t i = 0; i < p->entries.len; i++) {
    str_add(out, "<li>");
    add_choice(&p->entries.at[i], i, p->entries.at[i].title, out);
    str_add(out, "</li>\n");
  }
  str_add(out, "</ol></nav>\n");
}

static void add_relations(const struct view *v, struct str *out) {
  uint32_t count[EDGE_KINDS] = {0};
  struct edges edges = edges_of(v, ~0U);
  for (uint32_t i = 0; i < edges.at.len; i++)
    count[edges.at.at[i].kind]++;
  edges_done(&edges);
  str_add(out, "<fieldset class=\"relations\"><legend>Relations</legend>\n");
  for (unsigned k = EDGE_RF; k < EDGE_KINDS; k++)
    if (count[k])
      str_add(out,
              "<label class=\"%s\" title=\"%s\"><input type=\"checkbox\" "
              "checked data-relation=\"%s\"><span class=\"swatch\"></span>%s "
              "<small>%u</small></label>\n",
              edge_name(k), edge_meaning(k), edge_name(k), edge_name(k),
              count[k]);
  str_add(out,
          "<label class=\"inside\" title=\"arrows of rf and co from an event "
          "to another of its thread\"><input type=\"checkbox\" "
          "data-relation=\"inside\">inside a thread</label>\n"
          "<label class=\"find\"><input type=\"search\" placeholder=\"find a "
          "variable\" aria-label=\"find a variable\"><small></small></label>\n"
          "<button type=\"button\" class=\"unfold\" hidden>unfold all</button>"
          "</fieldset>\n");
}

static void add_stepper(struct str *out) {
  str_add(
      out,
      "<div class=\"stepper\"><button type=\"button\" data-go=\"first\" "
      "aria-label=\"before the first step\">&laquo;</button><button "
      "type=\"button\" data-go=\"back\" aria-label=\"one step back\">"
      "&#9664;</button><input type=\"range\" min=\"0\" "
      "aria-label=\"step\"><button type=\"button\" "
      "data-go=\"on\" aria-label=\"one step forward\">&#9654;</button>"
      "<button type=\"button\" data-go=\"last\" aria-label=\"after the last "
      "step\">&raquo;</button><output aria-live=\"polite\"></output>"
      "<span class=\"zoom\"><button type=\"button\" data-zoom=\"-1\" "
      "aria-label=\"smaller\">&minus;</button><button type=\"button\" "
      "data-zoom=\"1\" aria-label=\"larger\">+</button><button "
      "type=\"button\" data-zoom=\"full\" aria-label=\"100 percent\">100%%"
      "</button><button type=\"button\" data-zoom=\"fit\">fit</button>"
      "</span></div>\n");
}

// "queue.c:18 in pop, thread T2", or "line 18 ..." if the file is known.
static void add_place(struct place p, unsigned thread, const char *known,
                      struct str *out) {
  bool is_known = strcmp(p.file, known) == 0;
  add_text(out, is_known ? "line " : p.file);
  str_add(out, "%s%u in ", is_known ? "" : ":", p.line);
  add_text(out, p.func);
  str_add(out, ", thread T%u", thread);
}

static void add_title(const struct page_entry *e, struct str *out) {
  str_add(out, "<h2>");
  add_text(out, e->title);
  if (*e->kind)
    str_add(out, " <span class=\"kind\">%s</span>", e->kind);
  str_add(out, "</h2>\n");
  if (!e->at.line)
    return;
  str_add(out, "<p class=\"at\">");
  add_place(e->at, e->thread, "", out);
  if (*e->view->accessed) {
    str_add(out, ", accessing ");
    add_text(out, e->view->accessed);
  }
  if (e->also.line) {
    str_add(out, ", and ");
    add_place(e->also, e->also_thread, e->at.file, out);
  }
  str_add(out, "</p>\n");
}

// What is special about an execution: forbidden, or no interleaving.
static void add_remark(const struct view *v, struct str *out) {
  if (v->is_interleaving)
    return;
  if (*v->axiom) {
    str_add(out, "<p class=\"weak\"><b>The model forbids this execution: the "
                 "thick arrows break an axiom.</b> <code>");
    add_text(out, v->axiom);
    str_add(out, "</code>. No interleaving of the threads gives these values "
                 "either; the steps follow program order and put a read after "
                 "its write where possible.</p>\n");
  } else {
    str_add(out, "<p class=\"weak\"><b>No interleaving of the threads gives "
                 "these values: it takes weak memory.</b> The steps follow "
                 "program order and put a read after its write where possible; "
                 "steps where a read misses the newest write, or sees a write "
                 "that is still to come, say so.</p>\n");
  }
}

enum { LONG_TEXT = 1000 }; // events: the text of more is folded

static void add_entry(const struct page_entry *e, uint32_t number,
                      struct str *out) {
  struct str text = {0};
  str_add(out, "<section class=\"entry\" data-entry=\"%u\"%s>\n", number,
          number ? " hidden" : "");
  add_title(e, out);
  if (e->mend && *e->mend) {
    str_add(out, "<p class=\"mend\">");
    add_text(out, e->mend);
    str_add(out, "</p>\n");
  }
  add_remark(e->view, out);
  add_relations(e->view, out);
  add_stepper(out);
  str_add(out, "<div class=\"chain\" hidden></div>\n<div class=\"scroll\" "
               "tabindex=\"-1\"></div>\n<div class=\"memory\"></div>\n");
  if (*e->view->axiom) {
    str_add(out, "<details class=\"refusal\" open><summary>Why the model "
                 "forbids it</summary><pre>");
    refused_text(e->view, &text);
    add_text(out, str_text(&text));
    str_add(out, "</pre></details>\n");
    str_clear(&text);
  }
  str_add(out, "<details><summary>The execution as text</summary><pre>");
  bool is_long = e->view->events.len > LONG_TEXT;
  execution_text(e->view,
                 (struct text_style){.width = 120, .is_full = !is_long}, &text);
  add_text(out, str_text(&text));
  str_add(out, "</pre></details>\n</section>\n");
  str_done(&text);
}

void page_html(const struct page *p, struct str *out) {
  struct page_files files = {0};
  page_find_files(p, &files);
  add_head(p, out);
  add_markers(out);
  add_header(p, out);
  add_help(out);
  add_list(p, out);
  str_add(out, "<main>\n<div class=\"source\" id=\"source\" role=\"region\" "
               "aria-label=\"source\" tabindex=\"0\">\n");
  page_add_source(&files, out);
  str_add(out, "</div>\n<div class=\"divider\" role=\"separator\" "
               "aria-label=\"width of the source\" aria-orientation="
               "\"vertical\" tabindex=\"0\"></div>\n"
               "<div class=\"executions\">\n<noscript><p>Pictures and steps "
               "need a script; the executions are below as text."
               "</p></noscript>\n");
  for (uint32_t i = 0; i < p->entries.len; i++)
    add_entry(&p->entries.at[i], i, out);
  if (!p->entries.len)
    str_add(out, "<p>There is no execution to show.</p>\n");
  str_add(out, "</div>\n</main>\n");
  add_words(p->summary, out);
  str_add(out, "<script type=\"application/json\" "
               "id=\"data\">");
  page_add_data(p, &files, out);
  str_add(out, "</script>\n<script>\n%s%s%s%s</script>\n</body>\n</html>\n",
          layout_js, draw_js, memory_js, page_js);
  page_files_done(&files);
}
