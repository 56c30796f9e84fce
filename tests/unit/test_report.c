// SPDX-License-Identifier: MIT
// Reports are made from views, so most of this builds a view by hand and looks
// at the text; the last tests explore a small program and look at its views.
#include "model/refusal.h"
#include "report/json_writer.h"
#include "report/name.h"
#include "report/refused.h"
#include "report/report.h"
#include "report/sentence.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct text_style plain = {.color = false, .width = 100};

static const struct wording words = {.main_file = "dir/sb.c"};

static struct place line(unsigned n) {
  return (struct place){.file = "dir/sb.c", .func = "f", .line = n};
}

static void add_thread(struct view *v, unsigned id, const char *func) {
  array_push(&v->threads, (struct view_thread){.id = id,
                                               .func = func,
                                               .first = v->events.len,
                                               .end_text = "finished",
                                               .at = {.file = "", .func = ""}});
}

static uint32_t add_event(struct view *v, struct view_event e) {
  struct view_thread *t = array_last(&v->threads);
  e.thread = t->id;
  e.index = t->count++;
  e.text = e.text ? e.text : e.location ? e.location : "";
  e.location = e.location ? e.location : "";
  e.value = e.value ? e.value : "";
  e.call = e.call ? e.call : "";
  e.told = "";
  e.row = v->events.len;
  e.expected = e.expected ? e.expected : "";
  if (!e.place.file)
    e.place = (struct place){.file = "", .func = ""};
  array_push(&v->events, e);
  return v->events.len - 1;
}

// As a view that view_new has made.
static void text_of(struct view *v, struct text_style style, struct str *out) {
  view_find_rows(v);
  view_mark_rows(v);
  execution_text(v, style, out);
}

static uint32_t add_write(struct view *v, const char *name, loc_id loc,
                          const char *value, uint32_t co_before, unsigned at) {
  return add_event(v, (struct view_event){.kind = EV_WRITE,
                                          .order = ORD_RLX,
                                          .location = name,
                                          .loc = loc,
                                          .value = value,
                                          .rf = VIEW_NOTHING,
                                          .co_before = co_before,
                                          .place = line(at)});
}

static uint32_t add_read(struct view *v, const char *name, loc_id loc,
                         const char *value, uint32_t rf, unsigned at) {
  return add_event(v, (struct view_event){.kind = EV_READ,
                                          .order = ORD_RLX,
                                          .location = name,
                                          .loc = loc,
                                          .value = value,
                                          .rf = rf,
                                          .co_before = VIEW_NOTHING,
                                          .place = line(at)});
}

// Store buffering: T1 writes x and reads y, T2 the other way round.
static struct view *store_buffering(bool both_read_zero) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "left");
  add_write(v, "x", 0, "1", VIEW_INIT, 5);
  add_read(v, "y", 1, "0", VIEW_INIT, 6);
  add_thread(v, 2, "right");
  add_write(v, "y", 1, "1", VIEW_INIT, 10);
  add_read(v, "x", 0, both_read_zero ? "0" : "1",
           both_read_zero ? VIEW_INIT : 0, 11);
  view_order_rows(v);
  return v;
}

static bool has(const struct str *text, const char *part) {
  return strstr(str_text(text), part) != NULL;
}

TEST(rows_of_a_sequentially_consistent_execution_interleave) {
  struct view *v = store_buffering(false);
  CHECK(v->is_interleaving, "y=0 first, then x=1 is read");
  static const uint32_t want[] = {0, 1, 2, 3};
  CHECK_EQ(v->rows.len, 4, "all events");
  for (unsigned i = 0; i < 4; i++)
    CHECK_EQ(v->rows.at[i], want[i], "row %u", i);
  view_free(v);
}

TEST(store_buffering_has_no_interleaving) {
  struct view *v = store_buffering(true);
  CHECK(!v->is_interleaving, "both reads see 0");
  CHECK_EQ(v->rows.len, 4, "all events are shown all the same");
  view_free(v);
}

TEST(a_read_stands_below_its_write) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 0, "main");
  add_read(v, "x", 0, "1", /*rf=*/1, 3);
  add_thread(v, 1, "writer");
  add_write(v, "x", 0, "1", VIEW_INIT, 9);
  view_order_rows(v);
  CHECK(v->is_interleaving, "write, then read");
  CHECK_EQ(v->rows.at[0], 1, "the write comes first");
  view_free(v);
}

TEST(rows_end_even_when_rf_is_cyclic) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "a");
  add_read(v, "x", 0, "1", /*rf=*/3, 1);
  add_write(v, "y", 1, "1", VIEW_INIT, 2);
  add_thread(v, 2, "b");
  add_read(v, "y", 1, "1", /*rf=*/1, 3);
  add_write(v, "x", 0, "1", VIEW_INIT, 4);
  view_order_rows(v);
  CHECK(!v->is_interleaving, "load buffering");
  CHECK_EQ(v->rows.len, 4, "all events");
  view_free(v);
}

static void check_layout(unsigned width, const char *want) {
  struct view *v = store_buffering(true);
  struct str out = {0};
  text_of(v, (struct text_style){.width = width}, &out);
  CHECK_STR(str_text(&out), want);
  str_done(&out);
  view_free(v);
}

TEST(columns_when_they_fit) {
  check_layout(
      100,
      "  T1 left                                 |   T2 right\n"
      "  5  write x = 1 (rlx)                    |\n"
      "  6  read y = 0 (rlx, from initial value) |\n"
      "                                          |   10  write y = 1 (rlx)\n"
      "                                          |   11  read x = 0 (rlx, from "
      "initial value)\n"
      "     finished                             |       finished\n");
}

TEST(cells_wrap_between_words) {
  check_layout(60, "  T1 left                |   T2 right\n"
                   "  5  write x = 1 (rlx)   |\n"
                   "  6  read y = 0 (rlx,    |\n"
                   "     from initial value) |\n"
                   "                         |   10  write y = 1 (rlx)\n"
                   "                         |   11  read x = 0 (rlx, from\n"
                   "                         |       initial value)\n"
                   "     finished            |       finished\n");
}

TEST(fewer_words_when_columns_are_narrow) {
  check_layout(50, "  T1 left              |   T2 right\n"
                   "  5  write x = 1 (rlx) |\n"
                   "  6  read y = 0 (rlx,  |\n"
                   "     initial)          |\n"
                   "                       |   10  write y = 1 (rlx)\n"
                   "                       |   11  read x = 0 (rlx,\n"
                   "                       |       initial)\n"
                   "     finished          |       finished\n");
}

TEST(blocks_when_columns_do_not_fit) {
  check_layout(44, "T1 left\n"
                   "  1)  5  write x = 1 (rlx)\n"
                   "  2)  6  read y = 0 (rlx, from initial\n"
                   "         value)\n"
                   "         finished\n"
                   "\n"
                   "T2 right\n"
                   "  3)  10  write y = 1 (rlx)\n"
                   "  4)  11  read x = 0 (rlx, from initial\n"
                   "          value)\n"
                   "          finished\n");
}

static void check_words(const struct view *v, uint32_t e, const char *want) {
  struct wording few = wording_of(v, /*is_short=*/true);
  struct str out = {0};
  event_sentence(&few, v, e, &out);
  CHECK_STR(str_text(&out), want);
  str_done(&out);
  wording_done(&few);
}

TEST(few_words_cut_names_and_give_files_letters) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 0, "main");
  uint32_t w = add_write(v, "malloc#1->version.of.everything", 0,
                         "&a_name_that_is_much_too_long", VIEW_INIT, 7);
  add_write(v, "z", 2, "1", VIEW_INIT, 8);
  v->events.at[w].text = "node->version.of.everything";
  v->events.at[w].place.file = "lib/queue.h";
  add_read(v, "y", 1, "1", w, 9);
  check_words(v, w,
              "write malloc#1->....everything = &a_name_..._too_long (rlx)");
  check_words(v, 2, "read y = 1 (rlx, T0:b:7)");
  struct wording few = wording_of(v, /*is_short=*/true);
  struct str out = {0};
  wording_legend(&few, &out);
  CHECK_STR(str_text(&out), "b: queue.h");
  str_done(&out);
  wording_done(&few);
  view_free(v);
}

// T1 fills two locations of its own; y, which is not atomic, is only ever seen
// as it ends up.
static struct view *with_minor_events(void) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  add_write(v, "a", 0, "1", VIEW_INIT, 1);
  add_write(v, "y", 1, "1", VIEW_INIT, 2);
  add_read(v, "a", 0, "1", 0, 3);
  add_write(v, "x", 2, "1", VIEW_INIT, 4);
  add_write(v, "a", 0, "2", 0, 5);
  add_thread(v, 2, "g");
  add_read(v, "x", 2, "0", VIEW_INIT, 6);
  uint32_t y = add_read(v, "y", 1, "1", 1, 7);
  v->events.at[1].order = v->events.at[y].order = ORD_NA;
  view_find_minor(v);
  view_order_rows(v);
  return v;
}

TEST(what_no_other_thread_notices_is_minor) {
  struct view *v = with_minor_events();
  static const bool want[] = {true, true, true, false, true, false, true};
  for (uint32_t i = 0; i < v->events.len; i++)
    CHECK_EQ(v->events.at[i].is_minor, want[i], "event %u", i);
  struct str out = {0};
  text_of(v, plain, &out);
  CHECK(has(&out, "... 3 events not shown (--full shows them)"), "%s",
        str_text(&out));
  CHECK(has(&out, "5  write a = 2"), "one alone stays: %s", str_text(&out));
  out.len = 0;
  text_of(v, (struct text_style){.width = 100, .is_full = true}, &out);
  CHECK(!has(&out, "not shown"), "%s", str_text(&out));
  str_done(&out);
  view_free(v);
}

// T1 fills a and raises the flag y; T2 sees the flag as it ends up.
static struct view *with_flag(void) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  for (unsigned i = 0; i < 4; i++)
    add_write(v, "a", 0, "1", i ? i - 1 : VIEW_INIT, i + 1);
  uint32_t y = add_write(v, "y", 1, "1", VIEW_INIT, 5);
  for (unsigned i = 0; i < 3; i++)
    add_write(v, "a", 0, "2", i ? y + i : 3, i + 6);
  add_thread(v, 2, "g");
  add_read(v, "y", 1, "1", y, 9);
  return v;
}

TEST(a_flag_that_another_thread_reads_is_not_minor) {
  struct view *v = with_flag();
  view_find_minor(v);
  for (uint32_t i = 0; i < v->events.len; i++)
    CHECK_EQ(v->events.at[i].is_minor, v->events.at[i].loc == 0, "event %u", i);
  v->events.at[4].order = ORD_NA;
  view_find_minor(v);
  CHECK(v->events.at[4].is_minor, "an initialisation is minor");
  view_free(v);
}

static void check_order(struct view *v, const char *first, const char *second) {
  struct str out = {0};
  text_of(v, plain, &out);
  const char *a = strstr(str_text(&out), first);
  CHECK(a && strstr(a, second), "%s, %s: %s", first, second, str_text(&out));
  str_done(&out);
}

TEST(a_fold_stands_where_its_events_are) {
  struct view *v = with_flag();
  view_find_minor(v);
  view_order_rows(v);
  check_order(v, "... 4 events not shown", "5  write y = 1");
  check_order(v, "... 3 events not shown", "9  read y = 1");
  view_free(v);
}

// T1's writes stand above and below the row of T2.
TEST(a_fold_ends_where_another_thread_has_a_row) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  for (unsigned i = 0; i < 7; i++)
    add_write(v, "a", 0, "1", i ? i - 1 : VIEW_INIT, i + 1);
  add_thread(v, 2, "g");
  uint32_t x = add_write(v, "x", 1, "1", VIEW_INIT, 9);
  view_find_minor(v);
  v->events.at[x].is_minor = false;
  for (uint32_t i = 0; i < v->events.len; i++)
    array_push(&v->rows, i < 4 ? i : i == 4 ? x : i - 1);
  check_order(v, "... 4 events not shown", "9  write x = 1");
  check_order(v, "9  write x = 1", "... 3 events not shown");
  view_free(v);
}

TEST(what_led_to_the_error_has_a_mark) {
  struct view *v = store_buffering(true);
  v->events.at[1].matters = true;
  struct str out = {0};
  text_of(v, plain, &out);
  CHECK(has(&out, "* 6  read y = 0"), "%s", str_text(&out));
  str_done(&out);
  view_free(v);
}

TEST(an_update_is_one_row) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 0, "main");
  uint32_t r = add_read(v, "n", 0, "4", VIEW_INIT, 7);
  uint32_t w = add_write(v, "n", 0, "5", VIEW_INIT, 7);
  v->events.at[r].flags = v->events.at[w].flags = EVF_EXCLUSIVE;
  v->events.at[r].order = ORD_ACQ;
  v->events.at[w].order = ORD_REL;
  view_find_rows(v);
  CHECK(!event_is_shown(v, r) && event_is_shown(v, w), "one of them");
  struct str out = {0};
  event_sentence(&words, v, w, &out);
  CHECK_STR(str_text(&out), "update n = 4 -> 5 (acq_rel, from initial value)");
  str_done(&out);
  view_free(v);
}

// T1 reads x in lines 3, 4 and again 4; `kind` depends on all three.
static struct view *with_dependency(enum view_dep kind, bool is_write) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  for (uint32_t i = 0; i < 3; i++) {
    add_read(v, "x", 0, "0", VIEW_INIT, i ? 4 : 3);
    array_push(&v->dep_events, i);
  }
  uint32_t last = is_write ? add_write(v, "y", 1, "1", VIEW_INIT, 5)
                           : add_read(v, "y", 1, "1", VIEW_INIT, 5);
  v->events.at[last].deps[kind] = (struct view_range){0, 3};
  view_order_rows(v);
  return v;
}

static void check_dependency(enum view_dep kind, bool is_write,
                             const char *want) {
  struct view *v = with_dependency(kind, is_write);
  struct str out = {0};
  event_sentence(&words, v, 3, &out);
  CHECK_STR(str_text(&out), want);
  str_done(&out);
  view_free(v);
}

TEST(dependencies_name_lines_once) {
  check_dependency(DEP_ADDR, /*is_write=*/false,
                   "read y = 1 (rlx, from initial value, address from line 4 "
                   "and line 3)");
  check_dependency(DEP_DATA, /*is_write=*/true,
                   "write y = 1 (rlx, value from line 4 and line 3)");
  check_dependency(DEP_CTRL, /*is_write=*/true,
                   "write y = 1 (rlx, branch on line 4 and line 3)");
  check_dependency(DEP_CTRL, /*is_write=*/false,
                   "read y = 1 (rlx, from initial value)");
}

TEST(an_update_does_not_name_its_own_read) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  uint32_t r = add_read(v, "x", 0, "0", VIEW_INIT, 3);
  uint32_t w = add_write(v, "x", 0, "1", VIEW_INIT, 3);
  v->events.at[r].flags = v->events.at[w].flags = EVF_EXCLUSIVE;
  array_push(&v->dep_events, r);
  v->events.at[w].deps[DEP_DATA] = (struct view_range){0, 1};
  struct str out = {0};
  event_sentence(&words, v, w, &out);
  CHECK_STR(str_text(&out), "update x = 0 -> 1 (rlx, from initial value)");
  str_done(&out);
  view_free(v);
}

static void check_fence(unsigned flags, const char *want) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  add_event(v, (struct view_event){
                   .kind = EV_FENCE, .flags = flags, .rf = VIEW_NOTHING});
  struct str out = {0};
  CHECK(event_is_shown(v, 0), "a fence is shown");
  event_sentence(&words, v, 0, &out);
  CHECK_STR(str_text(&out), want);
  str_done(&out);
  view_free(v);
}

TEST(barriers_have_their_own_names) {
  check_fence(EVF_ISB, "fence (isb)");
  check_fence(EVF_STORES, "fence (dmb st)");
}

TEST(the_source_text_comes_before_the_resolved_name) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 0, "main");
  uint32_t w = add_write(v, "malloc#1->next", 0, "NULL", VIEW_INIT, 7);
  v->events.at[w].text = "node->next";
  struct str out = {0};
  event_sentence(&words, v, w, &out);
  CHECK_STR(str_text(&out), "write node->next = NULL (malloc#1->next, rlx)");
  str_done(&out);
  view_free(v);
}

TEST(long_threads_are_cut_in_the_middle) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 0, "main");
  for (unsigned i = 0; i < 1000; i++)
    add_write(v, "x", 0, "1", i ? i - 1 : VIEW_INIT, i + 1);
  v->events.at[500].is_marked = true;
  view_order_rows(v);
  struct str out = {0};
  text_of(v, plain, &out);
  CHECK(has(&out, "... 490 events not shown"), "%s", str_text(&out));
  CHECK(has(&out, "... 449 events not shown"), "%s", str_text(&out));
  CHECK(has(&out, ">  501"), "the marked one stays: %s", str_text(&out));
  str_done(&out);
  view_free(v);
}

TEST(what_is_read_from_the_middle_of_a_long_thread_is_shown) {
  struct view *v = xcalloc(1, sizeof *v);
  add_thread(v, 1, "f");
  for (unsigned i = 0; i < 1000; i++)
    add_write(v, "x", 0, "1", i ? i - 1 : VIEW_INIT, i + 1);
  add_thread(v, 2, "g");
  add_read(v, "x", 0, "1", 500, 2000);
  view_order_rows(v);
  check_order(v, " 501  write x = 1", "2000  read x = 1");
  view_free(v);
}

TEST(a_shape_follows_from_the_fields) {
  struct prog *p = prog_new();
  type_id number = p->types.len;
  array_push(&p->types,
             (struct type){.kind = TYPE_SCALAR, .is_signed = 1, .size = 8});
  // Two structs that differ in where `next` is.
  static const uint64_t offsets[] = {8, 0};
  for (unsigned i = 0; i < 2; i++) {
    array_push(&p->types, (struct type){.kind = TYPE_STRUCT,
                                        .size = 16,
                                        .first_member = p->members.len,
                                        .members = 2});
    array_push(&p->members, (struct member){prog_string(p, "next"), number,
                                            offsets[i], 0, 0});
    array_push(&p->members, (struct member){prog_string(p, "value"), number,
                                            8 - offsets[i], 0, 0});
  }
  struct shape s = {.size = 32};
  shape_learn(&s, p, 16, 8, "list->head->next");
  struct str out = {0};
  shape_name(&s, p, 8, 0, /*is_variable=*/false, &out);
  CHECK_STR(str_text(&out), "[0].value");
  CHECK_EQ(shape_scalar_at(&s, p, 24, 8), number, "value of element 1");
  shape_done(&s);
  str_done(&out);
  prog_free(p);
}

TEST(a_shape_without_types_keeps_field_names) {
  struct prog *p = prog_new();
  struct shape s = {.size = 16};
  shape_learn(&s, p, 8, 8, "n->next");
  shape_learn(&s, p, 0, 4, "n->used[...]");
  struct str out = {0};
  shape_name(&s, p, 8, 0, /*is_variable=*/false, &out);
  shape_name(&s, p, 4, 0, /*is_variable=*/false, &out);
  CHECK_STR(str_text(&out), "->next+4");
  shape_done(&s);
  s = (struct shape){.size = 16};
  shape_learn(&s, p, 8, 4, "a[i]");
  out.len = 0;
  shape_name(&s, p, 12, 0, /*is_variable=*/false, &out);
  CHECK_STR(str_text(&out), "[3]");
  shape_done(&s);
  // What a field points to is not the field.
  s = (struct shape){.size = 16};
  shape_learn(&s, p, 8, 4, "*job->sum");
  out.len = 0;
  shape_name(&s, p, 8, 0, /*is_variable=*/false, &out);
  CHECK_STR(str_text(&out), "[2]");
  shape_done(&s);
  str_done(&out);
  prog_free(p);
}

// -- verdicts

static struct str verdict_text(struct explore_result x) {
  struct prog *p = prog_new();
  struct report r = {.prog = p,
                     .result = &x,
                     .model = "rc11",
                     .seconds = 0.03,
                     .max_rss_kb = 12288};
  struct str out = {0};
  report_text(&r, plain, &out);
  prog_free(p);
  return out;
}

TEST(verdict_ok) {
  struct str s = verdict_text((struct explore_result){.executions = 4});
  CHECK_STR(str_text(&s), "No errors: 4 executions (0 blocked) under rc11 in "
                          "0.03 s, 12 MB\n");
  str_done(&s);
}

TEST(verdict_vacuous) {
  struct str s = verdict_text(
      (struct explore_result){.verdict = VERDICT_INCOMPLETE, .blocked = 2});
  CHECK(has(&s, "Incomplete (vacuous)"), "%s", str_text(&s));
  CHECK(has(&s, "Every execution is blocked"), "%s", str_text(&s));
  str_done(&s);
}

TEST(verdict_incomplete) {
  struct str s = verdict_text((struct explore_result){
      .verdict = VERDICT_INCOMPLETE, .executions = 1, .limit = "time"});
  CHECK_STR(str_text(&s), "Incomplete (time): no error so far: 1 execution (0 "
                          "blocked) under rc11 in 0.03 s, 12 MB\n");
  str_done(&s);
}

TEST(verdict_error_names_kind_and_message) {
  struct explore_result x = {.verdict = VERDICT_ERROR};
  array_push(&x.findings, (struct finding){.kind = FIND_ASSERTION,
                                           .message = "x == 1",
                                           .site = NO_SITE,
                                           .other_site = NO_SITE});
  struct str s = verdict_text(x);
  CHECK_STR(str_text(&s), "Error: x == 1 [assertion]\n\n1 error, after 0 "
                          "executions (0 blocked) under rc11 in 0.03 s, 12 "
                          "MB\n");
  str_done(&s);
  array_done(&x.findings);
}

// -- JSON

TEST(json_strings_are_escaped) {
  struct str out = {0};
  struct json j = {.out = &out};
  json_text(&j, NULL, "a\"b\\c\n\t\x01 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK_STR(str_text(&out), "\"a\\\"b\\\\c\\n\\u0009\\u0001 \xc3\xa9 "
                            "\xe2\x82\xac \xf0\x9f\x98\x80\"");
  str_done(&out);
}

TEST(json_replaces_invalid_utf8) {
  static const char *const bad[] = {
      "\x80",             // continues nothing
      "\xc3",             // cut short
      "\xc0\xaf",         // longer than needed
      "\xed\xa0\x80",     // surrogate
      "\xf4\x90\x80\x80", // beyond the last code point
      "\xff",
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct str out = {0};
    struct json j = {.out = &out};
    json_text(&j, NULL, bad[i]);
    for (const char *p = str_text(&out); *p; p++)
      CHECK((unsigned char)*p < 0x80, "case %u: %s", i, str_text(&out));
    CHECK(has(&out, "\\ufffd"), "case %u: %s", i, str_text(&out));
    str_done(&out);
  }
}

TEST(json_puts_commas_between_items) {
  struct str out = {0};
  struct json j = {.out = &out};
  json_open(&j, NULL, '{');
  json_number(&j, "a", 1);
  json_open(&j, "b", '[');
  json_close(&j, ']');
  json_open(&j, "c", '[');
  json_bool(&j, NULL, true);
  json_null(&j, NULL);
  json_close(&j, ']');
  json_close(&j, '}');
  CHECK_STR(str_text(&out), "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    "
                            "true,\n    null\n  ]\n}");
  str_done(&out);
}

TEST(bytes_are_shown_as_a_c_string) {
  struct str out = {0};
  name_bytes("a\n\"\\\0\x1b", 6, &out);
  CHECK_STR(str_text(&out), "\"a\\n\\\"\\\\\\000\\033\"");
  str_done(&out);
}

// -- views of a real program

static uint32_t code(struct prog *p, enum op op, unsigned a, unsigned b,
                     unsigned c, uint64_t imm, const char *text, unsigned at) {
  struct source from = {.file = prog_string(p, "dir/program.c"),
                        .func = prog_string(p, "f"),
                        .text = prog_string(p, text),
                        .line = at};
  return prog_emit(p, op, a, b, c, imm, from);
}

static const struct imm_access relaxed_int = {.size = 4, .order = ORD_RLX};

// main creates a thread that reads x[1], writes x[1] and waits for it.
static struct prog *small_program(void) {
  struct prog *p = prog_new();
  type_id number = p->types.len, numbers = number + 1;
  array_push(&p->types,
             (struct type){.kind = TYPE_SCALAR, .is_signed = 1, .size = 4});
  array_push(&p->types,
             (struct type){.kind = TYPE_ARRAY, .size = 8, .element = number});
  uint32_t x = prog_add_global(p, "x", 8, 4);
  p->globals.at[x].type = numbers;
  uint64_t address = prog_global_address(p, x) + 4;
  uint32_t reader = prog_add_func(p, "reader", 1, 1);
  uint32_t main_func = prog_add_func(p, "main", 0, 1);
  p->main_func = main_func;

  prog_begin_func(p, reader);
  code(p, OP_load, 1, prog_const(p, address), 0, imm_access(relaxed_int), "*p",
       3);
  code(p, OP_ret, 0, 1, 0, 0, "", 4);

  prog_begin_func(p, main_func);
  uint64_t arguments[] = {prog_func_address(p, reader), 0};
  code(p, OP_sys, 0, prog_const_run(p, arguments, 2), call_slots(2, 1),
       BI_spawn, "pthread_create", 8);
  code(p, OP_store, prog_const(p, address), prog_const(p, 0xffffffff), 0,
       imm_access(relaxed_int), "x[1]", 9);
  code(p, OP_sys, 1, 0, call_slots(1, 1), BI_join, "pthread_join", 10);
  code(p, OP_ret, 1, 1, 0, 0, "", 11);
  struct diag why;
  CHECK(prog_finish(p, &why), "%s", why.text);
  return p;
}

struct watcher {
  struct prog *prog;
  struct vm *vm;
  struct str text;
};

static void watch(void *arg, struct vm *vm, const struct graph *g,
                  bool is_blocked) {
  struct watcher *w = arg;
  CHECK(!is_blocked, "nothing blocks here");
  struct view *v = view_new(w->prog, vm, g, NULL);
  text_of(v, plain, &w->text);
  str_add(&w->text, v->is_interleaving ? "--\n" : "-- weak\n");
  view_free(v);
}

TEST(a_view_names_everything) {
  struct vm_config config = vm_config_default();
  struct watcher w = {.prog = small_program()};
  w.vm = vm_new(w.prog, &config);
  struct explore_config c = {.options.model = model_find("sc"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_execution = watch,
                             .observer.arg = &w};
  struct explorer *x = explorer_new(w.prog, w.vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  CHECK(has(&w.text, "create T1 (reader)"), "%s", str_text(&w.text));
  CHECK(has(&w.text, " 9  write x[1] = -1 (rlx)"), "%s", str_text(&w.text));
  CHECK(has(&w.text, " 3  read *p = 0 (x[1], rlx, from initial value)"), "%s",
        str_text(&w.text));
  CHECK(has(&w.text, " 3  read *p = -1 (x[1], rlx, from T0 line 9)"), "%s",
        str_text(&w.text));
  CHECK(!has(&w.text, "weak"), "both are interleavings");
  explorer_free(x);
  vm_free(w.vm);
  prog_free(w.prog);
  str_done(&w.text);
}

// The end of the reader is said to depend on its start and on its read.
static void watch_dependencies(void *arg, struct vm *vm, const struct graph *g,
                               bool is_blocked) {
  struct watcher *w = arg;
  CHECK(!is_blocked, "nothing blocks here");
  struct sets sets;
  sets_init(&sets);
  struct graph with = *g;
  with.sets = &sets;
  with.deps = xcalloc(g->nevents, sizeof *with.deps);
  for (event_id e = 0; e < g->nevents; e++)
    with.deps[e] = (struct event_deps){0};
  struct event_deps *end = &with.deps[graph_at(g, 1, 2)];
  end->data = set_union(&sets, set_of_one(&sets, 0), set_of_one(&sets, 1));
  end->state = 1;
  struct view *v = view_new(w->prog, vm, &with, NULL);
  const struct view_thread *reader = &v->threads.at[1];
  const struct view_range *deps = v->events.at[reader->first + 2].deps;
  CHECK_EQ(deps[DEP_DATA].count, 1, "the start is no read");
  CHECK_EQ(v->dep_events.at[deps[DEP_DATA].first], reader->first + 1, "read");
  CHECK_EQ(deps[DEP_ADDR].count + deps[DEP_CTRL].count, 0, "nothing else");
  CHECK_EQ(v->dep_events.len, 1, "other events were not asked");
  view_free(v);
  free(with.deps);
  sets_done(&sets);
}

TEST(a_view_has_the_reads_that_an_event_depends_on) {
  struct vm_config config = vm_config_default();
  struct watcher w = {.prog = small_program()};
  w.vm = vm_new(w.prog, &config);
  struct explore_config c = {.options.model = model_find("sc"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_execution = watch_dependencies,
                             .observer.arg = &w};
  struct explorer *x = explorer_new(w.prog, w.vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  explorer_free(x);
  vm_free(w.vm);
  prog_free(w.prog);
}

// ---- what a model refuses, and what a search has lost

static bool refuses_nothing(const struct model *m, const struct graph *g,
                            const struct model_options *options,
                            struct refusal *ret) {
  (void)m, (void)g, (void)options, (void)ret;
  return false;
}

static bool refuses_all(const struct model *m, const struct graph *g,
                        const struct model_options *options,
                        struct refusal *ret) {
  (void)m, (void)g, (void)options;
  ret->axiom = "nothing is allowed";
  return true;
}

struct considering {
  struct prog *prog;
  struct refused refused;
};

static void consider(void *arg, struct vm *vm, const struct graph *g,
                     bool is_blocked) {
  struct considering *c = arg;
  (void)is_blocked;
  struct event *before = xmalloc(g->nevents * sizeof *before);
  memcpy(before, g->events, g->nevents * sizeof *before);
  refused_consider(&c->refused, c->prog, vm, g);
  CHECK(memcmp(before, g->events, g->nevents * sizeof *before) == 0,
        "the graph was changed");
  free(before);
}

// All executions of a small program, judged by a definition that says so.
static struct refused judge(const struct model *m, bool is_all) {
  struct vm_config config = vm_config_default();
  struct considering all = {.prog = small_program()};
  struct vm *vm = vm_new(all.prog, &config);
  all.refused =
      (struct refused){.prog = all.prog, .model = m, .is_all = is_all};
  const struct model source = refused_source(m);
  struct explore_config c = {.options.model = &source,
                             .observer.on_execution = consider,
                             .observer.arg = &all};
  struct explorer *x = explorer_new(all.prog, vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  explorer_free(x);
  vm_free(vm);
  refused_done(&all.refused);
  all.refused.view = NULL;
  prog_free(all.prog);
  return all.refused;
}

static int exit_code_of_check(const struct refused *r) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    refused_check(r, "x == 1");
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status), " ");
  return WEXITSTATUS(status);
}

TEST(what_the_definition_allows_and_the_search_has_not_found_is_our_error) {
  struct model loose = {
      .name = "loose", .text = &loose, .refuses = refuses_nothing};
  struct model strict = {
      .name = "strict", .text = &strict, .refuses = refuses_all};
  struct refused r = judge(&loose, /*is_all=*/true);
  CHECK(r.is_lost && !r.candidates, "all are allowed");
  CHECK_EQ(exit_code_of_check(&r), EXIT_INTERNAL, "loudly");
  // Unless a limit was hit, or an error was found before.
  r = judge(&loose, /*is_all=*/false);
  CHECK(!r.is_lost, "not all was explored");
  CHECK_EQ(exit_code_of_check(&r), 0, " ");
  r = judge(&strict, /*is_all=*/true);
  CHECK(!r.is_lost && r.candidates == 2, "none is allowed");
  CHECK_EQ(exit_code_of_check(&r), 0, " ");
}
