// SPDX-License-Identifier: MIT
// Verdicts as text, and what JSON and names are made of.
#include "report/json_writer.h"
#include "report/name.h"
#include "unit/report.h"

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
