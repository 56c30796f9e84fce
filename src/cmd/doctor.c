// SPDX-License-Identifier: MIT
// heddle doctor: is everything there that a check needs? It looks for the
// parts, then checks two small programs as a user would, one right and one
// wrong, and says of what is missing how to get it.
#include "cmd/self.h"
#include "front/front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct examination {
  struct str out;
  unsigned missing; // without which nothing works
};

static void note(struct examination *x, bool ok, const char *what,
                 const char *found) {
  str_add(&x->out, "%-8s %-8s %s\n", ok ? "ok" : "missing", what, found);
}

// -- the parts

// What front_about says, a line each: "clang    /usr/bin/clang-19", or "clang
// none (why)". Without a cache Heddle is only slower.
static void look_at_parts(struct examination *x) {
  struct str about = {0};
  front_about(&about);
  for (char *line = about.at, *end; *line; line = end + 1) {
    end = strchr(line, '\n');
    *end = 0;
    char what[32];
    snprintf(what, sizeof what, "%.*s", (int)strcspn(line, " "), line);
    const char *found = line + strlen(what);
    found += strspn(found, " ");
    bool ok = strncmp(found, "none (", 6) != 0;
    note(x, ok, what, found);
    x->missing += !ok && strcmp(what, "cache") != 0;
  }
  str_done(&about);
}

static void look_at_memory(struct examination *x) {
  long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  struct str text = {0};
  str_add(&text, "%ld MB free, %ld processor%s", pages / 1024 * size / 1024,
          sysconf(_SC_NPROCESSORS_ONLN),
          sysconf(_SC_NPROCESSORS_ONLN) == 1 ? "" : "s");
  note(x, true, "machine", text.at);
  str_done(&text);
}

// -- a trial

// Two threads that add to a counter; WRONG loses one of the additions.
static const char program[] = "#include <assert.h>\n"
                              "#include <pthread.h>\n"
                              "#include <stdatomic.h>\n"
                              "atomic_int n;\n"
                              "static void *add(void *p) {\n"
                              "#ifdef WRONG\n"
                              "  atomic_store(&n, atomic_load(&n) + 1);\n"
                              "#else\n"
                              "  atomic_fetch_add(&n, 1);\n"
                              "#endif\n"
                              "  return p;\n"
                              "}\n"
                              "int main(void) {\n"
                              "  pthread_t t;\n"
                              "  pthread_create(&t, 0, add, 0);\n"
                              "  add(0);\n"
                              "  pthread_join(t, 0);\n"
                              "  assert(atomic_load(&n) == 2);\n"
                              "  return 0;\n"
                              "}\n";

static void try_check(struct examination *x, const char *file, bool is_wrong) {
  struct self s = {0};
  struct diag why = {0};
  word_list words = {0};
  array_push(&words, "check");
  array_push(&words, "-q");
  array_push(&words, file);
  if (is_wrong)
    array_push(&words, "-DWRONG");
  bool ok = self_run(&s, &words, NULL, NULL, &why) &&
            s.code == (is_wrong ? EXIT_FINDING : EXIT_OK);
  note(x, ok, "check",
       ok ? (is_wrong ? "a wrong program has an error"
                      : "a right program has none")
          : "a small program cannot be checked:");
  if (!ok)
    str_add(&x->out, "%s%s", why.text, str_text(&s.complaints));
  x->missing += !ok;
  array_done(&words);
  self_done(&s);
}

static void try_checks(struct examination *x) {
  char folder[] = "/tmp/heddle-doctor-XXXXXX";
  if (!mkdtemp(folder)) {
    note(x, false, "check", strerror(errno));
    x->missing++;
    return;
  }
  struct str file = {0};
  str_add(&file, "%s/counter.c", folder);
  FILE *f = fopen(file.at, "w");
  bool ok = f && fputs(program, f) >= 0;
  if (f && fclose(f) != 0)
    ok = false;
  if (ok) {
    try_check(x, file.at, /*is_wrong=*/false);
    try_check(x, file.at, /*is_wrong=*/true);
  } else {
    note(x, false, "check", strerror(errno));
    x->missing++;
  }
  unlink(file.at);
  rmdir(folder);
  str_done(&file);
}

enum exit_code cmd_doctor(const struct options *o) {
  struct examination x = {0};
  str_add(&x.out, "heddle %s\n", HEDDLE_VERSION);
  (void)o;
  look_at_parts(&x);
  look_at_memory(&x);
  try_checks(&x);
  str_add(&x.out, x.missing ? "Heddle does not work here; what is missing is "
                              "said above.\n"
                            : "All is well.\n");
  return print(NULL, &x.out, x.missing ? EXIT_BAD_INPUT : EXIT_OK);
}
