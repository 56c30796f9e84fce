// SPDX-License-Identifier: MIT
// Executions as text: a view is built by hand, and then the text looked at.
// And how objects without names are called.
#include "report/name.h"
#include "report/sentence.h"
#include "unit/report.h"

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
