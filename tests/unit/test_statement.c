// SPDX-License-Identifier: MIT
// Before which lines of a text a statement can be put: those that are marked
// by ">" at their end, or by "]" if that is the end of a function with returns.
#include "optimise/source/source.h"
#include "tap.h"

#include <stdlib.h>

static const char text[] = "\
#define TWO(x) do { \\\n\
  x; } while (0)\n\
static int table[] = {\n\
  1, 2,\n\
};\n\
struct pair {\n\
  int a, b;\n\
};\n\
int f(int x,\n\
      int y) {\n\
  int z = g(x, //>\n\
            y);\n\
  /* a comment;\n\
  z = 1;\n\
  */\n\
  char *s = \"{\"; //>\n\
  int list[] = { //>\n\
      g(1, 2),\n\
  };\n\
  if (x) //>\n\
    g(1, 2);\n\
  else\n\
    g(2, 1);\n\
  while (g(z, 0)) //>\n\
    continue;\n\
  while (g(z, 1)); //>\n\
  do { //>\n\
    z++; //>\n\
  }\n\
  while (z < 3);\n\
  do //>\n\
    z++;\n\
  while (z < 5);\n\
#ifdef DEBUG\n\
  g(3, 3); //>\n\
#endif\n\
  for (int i = 0; //>\n\
       i < 3;\n\
       i++) {\n\
    g(i, i); //>\n\
  }\n\
  switch (x) { //>\n\
  case 1:\n\
    g(1, 1);\n\
    g(1, 2); //>\n\
    break; //>\n\
  default: g(0, 0);\n\
  }\n\
out:\n\
  g(5, x ? 1 :\n\
       2);\n\
  { //\n\
    g(6, 6); //>\n\
  }\n\
  struct pair p = { //>\n\
      .a = 1,\n\
  };\n\
  p = (struct pair){ //>\n\
      .a = 1,\n\
  };\n\
  if (x) { //>\n\
    return 1; //>\n\
  } else {\n\
    return 2; //>\n\
  }\n\
} //]\n\
void h(void) {\n\
  if (g(0, 0)) { //>\n\
    g(1, 1); //>\n\
  }\n\
} //>\n\
int after;\n\
";

TEST(statements_begin_where_one_can_be_put_before_them) {
  struct str s = {0};
  unsigned line = 1, marked = 0;
  str_add(&s, "%s", text);
  for (const char *at = text; *at; line++) {
    size_t n = strcspn(at, "\n");
    const char *mark = n >= 3 ? at + n - 3 : "";
    enum line_start wanted = strncmp(mark, "//>", 3) == 0   ? LINE_STATEMENT
                             : strncmp(mark, "//]", 3) == 0 ? LINE_END
                                                            : LINE_OTHER;
    CHECK_EQ(source_statement(&s, line), wanted, "line %u: %.*s", line, (int)n,
             at);
    marked += wanted != LINE_OTHER;
    at += n + (at[n] == '\n');
  }
  CHECK_EQ(marked, 25, "lines that are marked");
  CHECK(!source_statement(&s, 0), "no line");
  CHECK(!source_statement(&s, line + 5), "behind the end");
  str_done(&s);
}

TEST(texts_that_are_broken_have_no_statements) {
  static const char *const broken[] = {
      "", "\n", "}\n}\n", "/*\n x;\n", "f() {\n\"\n x;", "\\"};
  for (unsigned i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct str s = {0};
    str_add(&s, "%s", broken[i]);
    for (unsigned line = 0; line < 5; line++)
      CHECK(!source_statement(&s, line) || i == 4, "text %u, line %u", i, line);
    str_done(&s);
  }
  struct str deep = {0}; // deeper than is followed
  for (unsigned i = 0; i < 100; i++)
    str_add(&deep, "{\n");
  str_add(&deep, "x;\n");
  CHECK(!source_statement(&deep, 101), "too deep");
  str_done(&deep);
}
