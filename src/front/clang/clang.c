// SPDX-License-Identifier: MIT
// Bitcode for the lowering: clang is run, or rustc for Rust (rustc.c). `.bc`
// and
// `.ll` files are read as they are. The bitcode of rt/ was made when Heddle was
// built.
#include "base/str.h"
#include "front/clang/cache.h"
#include "front/clang/child.h"
#include "front/clang/command.h"
#include "front/clang/complaints.h"
#include "front/clang/rustc.h"
#include "front/clang/watched.h"
#include "front/front.h"
#include "front/versions.h"

#include <llvm-c/Core.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// -- reading files

void bitcode_done(struct bitcode *b) {
  if (b->map_len)
    munmap(b->bytes, b->map_len);
  else
    free(b->bytes);
  *b = (struct bitcode){0};
}

// A whole input file; every reason why that fails has its message.
static bool read_input(const char *file, struct bitcode *ret,
                       struct diag *why) {
  struct stat st;
  int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // never wait: a FIFO
  if (fd < 0)
    return diag_set(why, file, 0, "cannot read the file: %s", strerror(errno));
  bool ok;
  if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode))
    ok = diag_set(why, file, 0,
                  "is a directory; expected a source file (.c, .cpp), LLVM "
                  "bitcode (.bc) or LLVM assembly (.ll)");
  else if (!S_ISREG(st.st_mode))
    ok = diag_set(why, file, 0, "is not a regular file");
  else if (st.st_size == 0)
    ok = diag_set(why, file, 0,
                  "the file is empty; expected a program with a function main");
  else if (!(ok = child_read(fd, ret)))
    diag_set(why, file, 0, "cannot read the file: %s", strerror(errno));
  close(fd);
  return ok;
}

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_bitcode(const struct bitcode *b) {
  return b->len >= 4 && (memcmp(b->bytes, "BC\xC0\xDE", 4) == 0 ||
                         memcmp(b->bytes, "\xDE\xC0\x17\x0B", 4) == 0);
}

// -- where Heddle's own files are

struct places {
  struct str include, runtime, watch;
};

static void places_done(struct places *p) {
  str_done(&p->include);
  str_done(&p->runtime);
  str_done(&p->watch);
}

// A data directory is what `make install` fills: include/heddle, rt.a and
// watch.so.
static void places_in(struct places *p, const char *data) {
  str_add(&p->include, "%s/include/heddle", data);
  str_add(&p->runtime, "%s/rt.a", data);
  str_add(&p->watch, "%s/watch.so", data);
}

// The directory with the files that a process of this name was installed with.
static void share_of(const char *exe, struct str *ret) {
  const char *slash = strrchr(exe, '/');
  str_add(ret, "%.*s/../share/heddle", slash ? (int)(slash - exe) : 0, exe);
}

static void find_self(char exe[static PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", exe, PATH_MAX - 1);
  exe[n > 0 ? n : 0] = 0;
}

static bool is_in_build(const char *exe) {
  size_t n = strlen(HEDDLE_BUILD_DIR);
  return strncmp(exe, HEDDLE_BUILD_DIR, n) == 0 && exe[n] == '/';
}

bool front_own_file(const char *name, struct str *ret) {
  const char *data = getenv("HEDDLE_DATA");
  char exe[PATH_MAX];
  find_self(exe);
  if (data && *data)
    str_add(ret, "%s", data);
  else if (is_in_build(exe))
    str_add(ret, "%s", HEDDLE_BUILD_DIR "/src/parallel");
  else
    share_of(exe, ret);
  str_add(ret, "/%s", name);
  return access(ret->at, R_OK) == 0;
}

// The given directory, else $HEDDLE_DATA, else what belongs to the executable:
// the source tree when it lies in the build tree, or ../share/heddle.
static bool places_find(const struct front_options *o, struct places *ret,
                        struct diag *why) {
  const char *data = o->data_dir ? o->data_dir : getenv("HEDDLE_DATA");
  char exe[PATH_MAX];
  find_self(exe);
  if (data && *data) {
    places_in(ret, data);
  } else if (is_in_build(exe)) {
    str_add(&ret->include, "%s", HEDDLE_SOURCE_DIR "/include/heddle");
    str_add(&ret->runtime, "%s", HEDDLE_BUILD_DIR "/rt/rt.a");
    str_add(&ret->watch, "%s", HEDDLE_BUILD_DIR "/src/front/watch.so");
  } else {
    struct str share = {0};
    share_of(exe, &share);
    places_in(ret, share.at);
    str_done(&share);
  }
  if (access(ret->include.at, X_OK) == 0 &&
      access(ret->runtime.at, R_OK) == 0 && access(ret->watch.at, R_OK) == 0)
    return true;
  diag_set(why, NULL, 0,
           "Heddle's own files are missing: expected %s, %s and %s",
           ret->include.at, ret->runtime.at, ret->watch.at);
  diag_hint(why, exe[0]
                     ? "set HEDDLE_DATA to the directory that holds "
                       "include/heddle, rt.a and watch.so, or install Heddle "
                       "again"
                     : "mount /proc: without /proc/self/exe Heddle does not "
                       "know where it is installed");
  return false;
}

// -- finding clang

static bool is_right_version(char *program) {
  char flag[] = "-dumpversion";
  char *argv[] = {program, flag, NULL};
  struct outcome r = {0};
  bool ok = child_run(argv, -1, &r) && r.status == 0 &&
            strncmp(r.out.bytes, LLVM_MAJOR ".", sizeof LLVM_MAJOR) == 0;
  outcome_done(&r);
  return ok;
}

static bool find_clang(struct str *ret, struct diag *why) {
  const char *given = getenv("HEDDLE_CLANG");
  if (given && *given) {
    if (child_find(given, ret))
      return true;
    diag_set(why, NULL, 0, "HEDDLE_CLANG is %s, which is not a program", given);
    diag_hint(why, "set it to a clang of version " LLVM_MAJOR ", or unset it");
    return false;
  }
  if (child_find("clang-" LLVM_MAJOR, ret))
    return true;
  ret->len = 0;
  if (child_find("clang", ret) && is_right_version(ret->at))
    return true;
  diag_set(why, NULL, 0,
           "clang " LLVM_MAJOR " is needed to compile programs and was not "
           "found");
  diag_hint(why, "install it (Debian, Ubuntu: apt install clang-" LLVM_MAJOR
                 ") or set HEDDLE_CLANG to its path");
  return false;
}

// -- compiling

// Flags behind the user's: a function without a declaration is an error.
#define STRICT "-Werror=implicit-function-declaration"

// What the compiler is asked to do. What it looks at then (headers, response
// files, its own libraries, the environment) is part of the entry.
static struct digest compile_key(const words *a, int watch,
                                 const struct bitcode *src) {
  static const char *const outside[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "PWD"};
  struct digest d = DIGEST_INIT;
  digest_add_text(&d, HEDDLE_VERSION);
  for (uint32_t i = 0; a->at[i]; i++)
    digest_add_text(&d, a->at[i]);
  for (size_t i = 0; i < LENGTH(outside); i++) {
    const char *value = getenv(outside[i]);
    digest_add_text(&d, value ? value : "");
  }
  struct stat st;
  if (fstat(watch, &st) == 0) { // it does not write down itself
    struct identity id = identity_of(&st);
    digest_add(&d, &id, sizeof id);
  }
  char cwd[PATH_MAX];
  digest_add_text(&d, getcwd(cwd, sizeof cwd) ? cwd : "");
  digest_add(&d, src->bytes, src->len);
  return d;
}

static bool compile(const words *a, int watch, const char *file,
                    struct outcome *r, struct diag *why) {
  if (!child_run(a->at, watch, r))
    return diag_set(why, file, 0, "cannot run %s: %s", a->at[0],
                    strerror(errno));
  if (r->status != 0)
    return complaint_set(why, a->at[0], file, r->err.bytes, r->status);
  if (!is_bitcode(&r->out))
    return diag_set(why, file, 0,
                    "clang did not write bitcode; do the flags after -- ask "
                    "for another kind of output?");
  return true;
}

// With `watch` (-1: without) the answer is looked for and kept.
static bool find_compiled(const words *a, int watch,
                          const struct bitcode *source, struct bitcode *ret) {
  return watch >= 0 &&
         cache_find(KEPT_BITCODE, compile_key(a, watch, source), ret);
}

static bool compile_and_keep(const struct front_options *o, const words *a,
                             int watch, const char *file,
                             const struct bitcode *source, struct bitcode *ret,
                             struct diag *why) {
  struct outcome r = {0};
  struct compiler_run about = {
      .compiler = a->at[0], .source = file, .log = &r.log};
  clock_gettime(CLOCK_REALTIME_COARSE, &about.began);
  bool ok = compile(a, watch, file, &r, why);
  if (ok) {
    if (o->warnings && r.err.len)
      str_add(o->warnings, "%s", r.err.bytes);
    if (watch >= 0)
      cache_store(KEPT_BITCODE, compile_key(a, watch, source), &r.out, &about);
    *ret = r.out;
    r.out = (struct bitcode){0};
  }
  outcome_done(&r);
  return ok;
}

// How a program is compiled: strictly, and with Heddle's own headers alone at
// first, which are small.
struct attempt {
  const struct front_options *options;
  const char *clang, *include, *file;
  enum language language;
  const struct bitcode *source;
  int watch;
  bool is_behind;   // our headers stand behind the host's
  bool has_host;    // the host's headers stand behind ours
  bool is_lax;      // functions without a declaration are what the flags say
  struct str names; // flags that declare some
};

// The headers of C++'s library are written for the host's headers of C, which
// so come first there.
static void attempt_arguments(const struct attempt *t, words *a) {
  struct str more = {0};
  str_add(&more, "%s%s", t->is_lax ? "" : STRICT, str_text(&t->names));
  command_make(&(struct command){.options = t->options,
                                 .clang = t->clang,
                                 .include = t->include,
                                 .file = t->file,
                                 .language = t->language,
                                 .headers = t->is_behind ? "-idirafter"
                                            : t->has_host
                                                ? "-D__HEDDLE_HOST__ -isystem"
                                                : "-nostdinc -isystem",
                                 .more = str_text(&more)},
               a);
  str_done(&more);
}

static bool attempt_find(const struct attempt *t, struct bitcode *ret) {
  words a = {0};
  attempt_arguments(t, &a);
  bool found = find_compiled(&a, t->watch, t->source, ret);
  words_done(&a);
  return found;
}

static bool attempt_compile(const struct attempt *t, struct bitcode *ret,
                            struct diag *why) {
  words a = {0};
  attempt_arguments(t, &a);
  bool ok =
      compile_and_keep(t->options, &a, t->watch, t->file, t->source, ret, why);
  words_done(&a);
  return ok;
}

// What could help after a complaint? False: nothing more. Names that other
// checkers know are declared; then the host's headers may have what is missing;
// in the end the user's flags decide about functions without a declaration.
static bool attempt_next(struct attempt *t, const struct diag *why,
                         const struct diag *first) {
  if (complaint_needs_names(why, &t->names))
    return true;
  if (!t->has_host && !t->is_behind && !t->is_lax &&
      complaint_asks_for_more(why)) {
    t->has_host = true;
    return true;
  }
  if (t->is_lax || !complaint_is_undeclared(why))
    return false;
  t->is_lax = true;
  t->has_host = t->has_host && strcmp(why->text, first->text) != 0;
  return true;
}

// Do the host's headers declare what is missing only with _GNU_SOURCE?
static bool gnu_source_helps(const struct attempt *t) {
  struct attempt gnu = *t;
  struct bitcode ignored = {0};
  struct diag why;
  gnu.is_lax = false;
  gnu.has_host = !t->is_behind;
  gnu.names = (struct str){0};
  str_add(&gnu.names, "%s -D_GNU_SOURCE", str_text(&t->names));
  bool ok = attempt_compile(&gnu, &ignored, &why);
  bitcode_done(&ignored);
  str_done(&gnu.names);
  return ok;
}

static bool compile_with(struct attempt *t, struct bitcode *ret,
                         struct diag *why) {
  struct attempt host = *t;
  host.has_host = true;
  if (attempt_find(t, ret) || (!t->is_behind && attempt_find(&host, ret)))
    return true;
  struct diag own, other;
  bool ok = attempt_compile(t, ret, why);
  own = other = *why;
  while (!ok && attempt_next(t, &other, &own)) {
    ok = attempt_find(t, ret) || attempt_compile(t, ret, &other);
    // What is wrong inside of the host's headers tells the user nothing.
    if (!ok && strncmp(other.file, "/usr/", 5) != 0)
      *why = other;
  }
  if (!ok && complaint_is_undeclared(why) && gnu_source_helps(t))
    diag_hint(why, "the host's headers declare what is missing with "
                   "-D_GNU_SOURCE after --");
  if (!ok)
    complaint_advise(why);
  return ok;
}

// What a script asks for is not seen, so its answers are not kept.
static bool is_watchable(const char *clang) {
  static const char elf[] = {0x7f, 'E', 'L', 'F'};
  char start[sizeof elf];
  int fd = open(clang, O_RDONLY | O_CLOEXEC);
  bool is_elf = fd >= 0 && read(fd, start, sizeof start) == sizeof start &&
                memcmp(start, elf, sizeof elf) == 0;
  if (fd >= 0)
    close(fd);
  return is_elf;
}

static bool compile_source(const struct front_options *o, const char *file,
                           enum language language, const struct bitcode *source,
                           struct bitcode *ret, struct diag *why) {
  if (memchr(source->bytes, 0, source->len)) {
    diag_set(why, file, 0, "is not %s source text: it contains NUL bytes",
             language == LANGUAGE_CXX ? "C++" : "C");
    if (is_bitcode(source))
      diag_hint(why, "it looks like LLVM bitcode: name it with .bc");
    return false;
  }
  struct places places = {0};
  struct str clang = {0};
  int watch = -1;
  bool ok = places_find(o, &places, why) && find_clang(&clang, why);
  if (ok && o->use_cache && is_watchable(clang.at))
    watch = open(places.watch.at, O_RDONLY | O_CLOEXEC);
  struct attempt t = {.options = o,
                      .clang = clang.at,
                      .include = places.include.at,
                      .file = file,
                      .language = language,
                      .is_behind =
                          o->system_headers || language == LANGUAGE_CXX,
                      .source = source,
                      .watch = watch};
  if (strstr(source->bytes, "__CPROVER_ASYNC") ||
      strstr(source->bytes, "__CPROVER_thread_local"))
    str_add(&t.names, " -include heddle/undeclared.h -D__HEDDLE_NEEDS_ASYNC");
  ok = ok && compile_with(&t, ret, why);
  str_done(&t.names);
  if (watch >= 0)
    close(watch);
  str_done(&clang);
  places_done(&places);
  return ok;
}

bool clang_compile(const struct front_options *o, const char *file,
                   struct bitcode *ret, struct diag *why) {
  enum language language = command_language(o, file);
  bool is_binary = ends_in(file, ".bc"), is_text = ends_in(file, ".ll");
  struct bitcode input;
  if (!read_input(file, &input, why))
    return false;
  bool ok = true, is_rust = ends_in(file, ".rs");
  if (is_rust)
    ok = rustc_compile(o, file, ret, why);
  else if (language != LANGUAGE_NONE)
    ok = compile_source(o, file, language, &input, ret, why);
  else if (!is_binary && !is_text)
    ok = diag_set(why, file, 0,
                  "unknown kind of file; expected a name that ends in .c (C), "
                  ".cpp, .cc, .cxx, .C or .c++ (C++), .rs (Rust), .bc (LLVM "
                  "bitcode) or .ll (LLVM assembly)");
  else if (is_binary && !is_bitcode(&input))
    ok = diag_set(why, file, 0, "is not LLVM bitcode");
  if (is_rust || language != LANGUAGE_NONE || !ok) {
    bitcode_done(&input);
    return ok;
  }
  *ret = input;
  ret->is_text = is_text;
  return true;
}

bool clang_runtime(const struct front_options *o, struct bitcode *ret,
                   struct diag *why) {
  struct places places = {0};
  bool ok =
      places_find(o, &places, why) && read_input(places.runtime.at, ret, why);
  places_done(&places);
  return ok;
}

bool clang_library(const struct front_options *o, struct str *ret) {
  struct places places = {0};
  struct diag why;
  bool ok = places_find(o, &places, &why);
  if (ok)
    str_add(ret, "%s", places.runtime.at);
  places_done(&places);
  return ok;
}

static void add_line(struct str *out, const char *what, const char *found,
                     const struct diag *why) {
  str_add(out, "%-8s %s%s%s\n", what, found ? found : "none (",
          found ? "" : why->text, found ? "" : ")");
}

void front_about(struct str *out) {
  struct places places = {0};
  struct str clang = {0}, cache = {0};
  struct diag no_clang, no_places, no_cache;
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  str_add(out, "%-8s %u.%u.%u\n", "LLVM", major, minor, patch);
  bool has_clang = find_clang(&clang, &no_clang);
  add_line(out, "clang", has_clang ? clang.at : NULL, &no_clang);
  bool ok = places_find(&(struct front_options){0}, &places, &no_places);
  add_line(out, "headers", ok ? places.include.at : NULL, &no_places);
  add_line(out, "library", ok ? places.runtime.at : NULL, &no_places);
  diag_set(&no_cache, NULL, 0, "neither HEDDLE_CACHE nor HOME is set");
  ok = cache_directory(&cache);
  if (has_clang && !is_watchable(clang.at))
    ok = diag_set(&no_cache, NULL, 0,
                  "%s is a script, whose inputs are unknown", clang.at);
  add_line(out, "cache", ok ? cache.at : NULL, &no_cache);
  str_done(&clang);
  str_done(&cache);
  places_done(&places);
}
