// SPDX-License-Identifier: MIT
// One <testcase> per program; its failure or error holds the report.
#include "report/junit.h"

#include "report/escape.h"
#include "report/report.h"

static void attribute(struct str *out, const char *name, const char *value) {
  str_add(out, " %s=\"", name);
  escape_xml(value, out);
  str_add(out, "\"");
}

static void add_case(const struct test_case *c, struct str *out) {
  static const char *const tag[] = {[CASE_FAILED] = "failure",
                                    [CASE_ERROR] = "error",
                                    [CASE_SKIPPED] = "skipped"};
  ONE_FOR_EACH(tag, CASE_STATUSES);
  str_add(out, "    <testcase");
  attribute(out, "classname", c->suite);
  attribute(out, "name", c->name);
  str_add(out, " time=\"%.3f\"", c->seconds);
  if (c->status == CASE_PASSED && !c->supposed) {
    str_add(out, "/>\n");
    return;
  }
  str_add(out, ">\n");
  if (c->status != CASE_PASSED) {
    str_add(out, "      <%s", tag[c->status]);
    attribute(out, "message", c->message);
    str_add(out, ">");
    escape_xml(c->detail, out);
    str_add(out, "</%s>\n", tag[c->status]);
  }
  if (c->supposed) {
    struct str note = {0};
    supposed_sentences(c->supposed, &note);
    str_add(out, "      <system-out>");
    escape_xml(str_text(&note), out);
    str_add(out, "</system-out>\n");
    str_done(&note);
  }
  str_add(out, "    </testcase>\n");
}

void report_junit(const struct test_case *cases, uint32_t n, struct str *out) {
  uint32_t count[CASE_STATUSES] = {0};
  double seconds = 0;
  for (uint32_t i = 0; i < n; i++) {
    count[cases[i].status]++;
    seconds += cases[i].seconds;
  }
  struct str numbers = {0};
  str_add(&numbers,
          "name=\"heddle\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
          "skipped=\"%u\" time=\"%.3f\"",
          n, count[CASE_FAILED], count[CASE_ERROR], count[CASE_SKIPPED],
          seconds);
  str_add(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n"
          "  <testsuite %s>\n",
          str_text(&numbers), str_text(&numbers));
  for (uint32_t i = 0; i < n; i++)
    add_case(&cases[i], out);
  str_add(out, "  </testsuite>\n</testsuites>\n");
  str_done(&numbers);
}
