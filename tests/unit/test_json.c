// SPDX-License-Identifier: MIT
// The reader of JSON: what it takes, and what it says of the rest.
#include "base/json_reader.h"
#include "tap.h"

static struct diag why;

static struct json_value *read_text(const char *text) {
  why = (struct diag){0};
  return json_read(text, strlen(text), &why);
}

TEST(values_of_all_kinds) {
  struct json_value *v = read_text(
      " {\"a\": [1, -2.5e1, true, false, null, {}, []], \"b\": \"x\", "
      "\"b\": \"y\"} ");
  CHECK(v, "%s", why.text);
  const struct json_value *a = json_member(v, "a");
  CHECK_EQ(a->kind, JSON_ARRAY, "kind");
  CHECK_EQ(a->count, 7, "items");
  CHECK(a->items[0].number == 1 && a->items[1].number == -25, "numbers");
  CHECK(a->items[2].truth && !a->items[3].truth, "bools");
  CHECK_EQ(a->items[4].kind, JSON_NULL, "null");
  CHECK_EQ(a->items[5].kind, JSON_OBJECT, "object");
  CHECK_STR(json_string(v, "b"), "y");
  CHECK(!json_string(v, "a") && !json_string(v, "c"), "no strings");
  CHECK(!json_member(a, "a") && !json_member(NULL, "a"), "no objects");
  json_free(v);
}

TEST(whole_numbers) {
  struct json_value *v =
      read_text("{\"a\": 7, \"b\": 1.5, \"c\": \"7\", \"d\": 1e300}");
  CHECK_EQ(json_whole(v, "a", 1), 7, "a");
  CHECK_EQ(json_whole(v, "b", 1), 1, "b");
  CHECK_EQ(json_whole(v, "c", 1), 1, "c");
  CHECK_EQ(json_whole(v, "d", 1), 1, "d");
  CHECK_EQ(json_whole(v, "e", 1), 1, "e");
  json_free(v);
}

static void check_string(const char *json, const char *text) {
  struct json_value *v = read_text(json);
  CHECK(v, "%s: %s", json, why.text);
  CHECK_STR(v->text, text);
  json_free(v);
}

TEST(strings) {
  check_string("\"\"", "");
  check_string("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz");
  check_string("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", "Aé€😀");
  check_string("\"\\u0000\\ud800x\\ud800\\u0041\\udc00\"",
               "\xEF\xBF\xBD\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD");
  check_string("\"é\"", "é");
}

TEST(what_is_no_json) {
  static const char *const bad[] = {"",
                                    " ",
                                    "{",
                                    "[1,]",
                                    "[1 2]",
                                    "{\"a\"}",
                                    "{a: 1}",
                                    "{\"a\":1,}",
                                    "01",
                                    "1.",
                                    ".5",
                                    "+1",
                                    "1e",
                                    "-",
                                    "nul",
                                    "tru e",
                                    "\"",
                                    "\"\\x\"",
                                    "\"\\u12g4\"",
                                    "\"a\nb\"",
                                    "[1] 2",
                                    "'a'",
                                    "NaN",
                                    "[\"\\u\"]",
                                    "\"\\",
                                    "{\"a\":}",
                                    "\"\\ud800\\u\""};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(!read_text(bad[i]) && *why.text, "'%s' was read", bad[i]);
  CHECK(!json_read("1\0", 2, &why), "NUL");
  CHECK(!read_text("[\n  1,\n  x]"), "x");
  CHECK_EQ(why.line, 3, "line");
  CHECK_EQ(why.column, 3, "column");
}

TEST(nesting_has_an_end) {
  char deep[20000];
  memset(deep, '[', sizeof deep);
  CHECK(!json_read(deep, sizeof deep, &why), "it was read");
  memset(deep, '[', 100);
  memset(deep + 100, ']', 100);
  struct json_value *v = json_read(deep, 200, &why);
  CHECK(v, "%s", why.text);
  json_free(v);
}
