// SPDX-License-Identifier: MIT
// Bitcode for the lowering: clang runs as a child process, and everything it
// writes goes to memory (memfd), so no file is left behind. `.bc` and `.ll`
// files are read as they are. The bitcode of rt/ was made when Heddle was
// built.
#include "base/str.h"
#include "front/cache.h"
#include "front/front.h"
#include "front/watched.h"

#include <llvm-c/Core.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLANG_MAJOR "19"

// -- reading files

void bitcode_done(struct bitcode *b) {
  if (b->map_len)
    munmap(b->bytes, b->map_len);
  else
    free(b->bytes);
  *b = (struct bitcode){0};
}

// All of `fd` from its start. The NUL after the end is not counted.
static bool read_all(int fd, struct bitcode *ret) {
  struct stat st;
  if (fstat(fd, &st) != 0)
    return false;
  size_t len = (size_t)st.st_size, got = 0;
  char *bytes = xmalloc(len + 1);
  for (ssize_t n; got < len; got += (size_t)n) {
    n = pread(fd, bytes + got, len - got, (off_t)got);
    if (n <= 0) {
      free(bytes);
      return false;
    }
  }
  bytes[len] = 0;
  *ret = (struct bitcode){.bytes = bytes, .len = len};
  return true;
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
                  "is a directory; expected a C source file (.c), LLVM bitcode "
                  "(.bc) or LLVM assembly (.ll)");
  else if (!S_ISREG(st.st_mode))
    ok = diag_set(why, file, 0, "is not a regular file");
  else if (st.st_size == 0)
    ok = diag_set(why, file, 0,
                  "the file is empty; expected a program with a function main");
  else if (!(ok = read_all(fd, ret)))
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

// The given directory, else $HEDDLE_DATA, else what belongs to the executable:
// the source tree when it lies in the build tree, or ../share/heddle.
static bool places_find(const struct front_options *o, struct places *ret,
                        struct diag *why) {
  const char *data = o->data_dir ? o->data_dir : getenv("HEDDLE_DATA");
  char exe[PATH_MAX] = "";
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  size_t build = strlen(HEDDLE_BUILD_DIR);
  if (data && *data) {
    places_in(ret, data);
  } else if (strncmp(exe, HEDDLE_BUILD_DIR, build) == 0 && exe[build] == '/') {
    str_add(&ret->include, "%s", HEDDLE_SOURCE_DIR "/include/heddle");
    str_add(&ret->runtime, "%s", HEDDLE_BUILD_DIR "/rt/rt.a");
    str_add(&ret->watch, "%s", HEDDLE_BUILD_DIR "/src/front/watch.so");
  } else {
    struct str share = {0};
    const char *slash = strrchr(exe, '/');
    str_add(&share, "%.*s/../share/heddle", slash ? (int)(slash - exe) : 0,
            exe);
    places_in(ret, share.at);
    str_done(&share);
  }
  if (access(ret->include.at, X_OK) == 0 &&
      access(ret->runtime.at, R_OK) == 0 && access(ret->watch.at, R_OK) == 0)
    return true;
  diag_set(why, NULL, 0,
           "Heddle's own files are missing: expected %s, %s and %s",
           ret->include.at, ret->runtime.at, ret->watch.at);
  diag_hint(why, "set HEDDLE_DATA to the directory that holds include/heddle, "
                 "rt.a and watch.so, or install Heddle again");
  return false;
}

// -- running a program

// What a child process wrote, and how it ended.
struct outcome {
  struct bitcode out, err;
  struct bitcode log; // what it looked at (watched.h), when that was asked for
  int status;         // as of waitpid
};

static void outcome_done(struct outcome *r) {
  bitcode_done(&r->out);
  bitcode_done(&r->err);
  bitcode_done(&r->log);
}

typedef ARRAY(char *) words;

static void words_add(words *a, const char *text) {
  size_t n = strlen(text) + 1;
  array_push(a, memcpy(xmalloc(n), text, n));
}

static void words_done(words *a) {
  for (uint32_t i = 0; i < a->len; i++)
    free(a->at[i]);
  array_done(a);
}

// Our environment and, with `watch`, that library loaded before all others.
static void environment_make(words *ret, const char *watch, int log) {
  static const char preload[] = "LD_PRELOAD=";
  struct str libraries = {0}, records = {0};
  for (char **v = environ; *v; v++)
    if (!watch || strncmp(*v, preload, sizeof preload - 1) != 0)
      words_add(ret, *v);
  if (watch) {
    const char *others = getenv("LD_PRELOAD");
    str_add(&libraries, "%s%s%s%s", preload, watch, others ? ":" : "",
            others ? others : "");
    str_add(&records, WATCH_LOG "=/proc/%d/fd/%d", (int)getpid(), log);
    words_add(ret, libraries.at);
    words_add(ret, records.at);
  }
  array_push(ret, NULL);
  str_done(&libraries);
  str_done(&records);
}

enum { OUT, ERR, LOG, FILES };

static int spawn_onto(char *const *argv, const int fds[FILES],
                      const char *watch, pid_t *ret) {
  posix_spawn_file_actions_t acts;
  words environment = {0};
  environment_make(&environment, watch, fds[LOG]);
  posix_spawn_file_actions_init(&acts);
  posix_spawn_file_actions_addopen(&acts, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&acts, fds[OUT], 1);
  posix_spawn_file_actions_adddup2(&acts, fds[ERR], 2);
  int error = posix_spawn(ret, argv[0], &acts, NULL, argv, environment.at);
  posix_spawn_file_actions_destroy(&acts);
  words_done(&environment);
  return error;
}

// Runs argv[0] to its end; with `watch` (watch.so) also says what it looked at.
// False: it could not be started (errno says why).
static bool run(char *const *argv, const char *watch, struct outcome *ret) {
  int fds[FILES], made = 0, error = 0;
  // The originals must not be among the descriptors that the child replaces.
  for (; made < FILES && !error; made++) {
    int fd = memfd_create("heddle", MFD_CLOEXEC);
    fds[made] = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    error = fds[made] < 0 ? errno : 0;
    if (fd >= 0)
      close(fd);
  }
  pid_t child;
  if (!error)
    error = spawn_onto(argv, fds, watch, &child);
  if (!error) {
    while (waitpid(child, &ret->status, 0) < 0 && errno == EINTR)
      continue;
    if (!read_all(fds[OUT], &ret->out) || !read_all(fds[ERR], &ret->err) ||
        !read_all(fds[LOG], &ret->log))
      error = errno;
  }
  for (int i = 0; i < made; i++)
    if (fds[i] >= 0)
      close(fds[i]);
  errno = error;
  return error == 0;
}

// -- finding clang

// The first executable file of that name on $PATH (a name with a slash is
// taken as it is).
static bool find_program(const char *name, struct str *ret) {
  if (strchr(name, '/')) {
    str_add_bytes(ret, name, strlen(name));
    return access(name, X_OK) == 0;
  }
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
    int n = (int)strcspn(p, ":");
    ret->len = 0;
    str_add(ret, "%.*s/%s", n, p, name);
    if (n > 0 && access(ret->at, X_OK) == 0)
      return true;
    p += n + (p[n] == ':');
  }
  return false;
}

static bool is_right_version(char *program) {
  char flag[] = "-dumpversion";
  char *argv[] = {program, flag, NULL};
  struct outcome r = {0};
  bool ok = run(argv, NULL, &r) && r.status == 0 &&
            strncmp(r.out.bytes, CLANG_MAJOR ".", sizeof CLANG_MAJOR) == 0;
  outcome_done(&r);
  return ok;
}

static bool find_clang(struct str *ret, struct diag *why) {
  const char *given = getenv("HEDDLE_CLANG");
  if (given && *given) {
    if (find_program(given, ret))
      return true;
    diag_set(why, NULL, 0, "HEDDLE_CLANG is %s, which is no program", given);
    diag_hint(why, "set it to a clang of version " CLANG_MAJOR ", or unset it");
    return false;
  }
  if (find_program("clang-" CLANG_MAJOR, ret))
    return true;
  ret->len = 0;
  if (find_program("clang", ret) && is_right_version(ret->at))
    return true;
  diag_set(why, NULL, 0,
           "clang " CLANG_MAJOR " is needed to compile C programs and was not "
           "found");
  diag_hint(why, "install it (Debian, Ubuntu: apt install clang-" CLANG_MAJOR
                 ") or set HEDDLE_CLANG to its path");
  return false;
}

// -- compiling

// Several arguments, with a blank between two.
static void words_split(words *a, const char *text) {
  while (*text) {
    size_t n = strcspn(text, " ");
    char *word = xcalloc(n + 1, 1);
    array_push(a, memcpy(word, text, n));
    text += n + (text[n] == ' ');
  }
}

// Does the user compile for another machine?
static bool has_target(const struct front_options *o) {
  for (unsigned i = 0; i < o->nflags; i++)
    if (strncmp(o->clang_flags[i], "--target=", 9) == 0 ||
        strcmp(o->clang_flags[i], "-target") == 0)
      return true;
  return false;
}

// Nothing may be optimised away: every access and every dependency of the
// source has to be in the bitcode. So -O0 comes after the user's flags.
static void arguments_make(words *a, const struct front_options *o,
                           const char *clang, const char *include,
                           const char *headers, const char *file) {
  words_add(a, clang);
  words_split(a, "-std=gnu17 -g -ffp-contract=off -fno-stack-protector "
                 "-ferror-limit=5 -D__HEDDLE__");
  if (!has_target(o))
    words_add(a, "-mcx16");
  words_split(a, headers);
  words_add(a, include);
  for (unsigned i = 0; i < o->nflags; i++)
    words_add(a, o->clang_flags[i]);
  words_split(a, "-O0 -Xclang -disable-O0-optnone -fno-discard-value-names "
                 "-Xclang -fsanitize-address-use-after-scope "
                 "-U_FORTIFY_SOURCE -emit-llvm -c -o - --");
  words_add(a, file);
  array_push(a, NULL);
}

// What the compiler is asked to do. What it looks at then (headers, response
// files, its own libraries, the environment) is part of the entry.
static struct digest compile_key(const words *a, const struct bitcode *src) {
  static const char *const outside[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "PWD"};
  struct digest d = DIGEST_INIT;
  digest_add_text(&d, HEDDLE_VERSION);
  for (uint32_t i = 0; a->at[i]; i++)
    digest_add_text(&d, a->at[i]);
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    const char *value = getenv(outside[i]);
    digest_add_text(&d, value ? value : "");
  }
  struct stat st = {0}; // it may be a script, which is not watched
  if (stat(a->at[0], &st) == 0) {
    struct identity id = identity_of(&st);
    digest_add(&d, &id, sizeof id);
  }
  char cwd[PATH_MAX];
  digest_add_text(&d, getcwd(cwd, sizeof cwd) ? cwd : "");
  digest_add(&d, src->bytes, src->len);
  return d;
}

// The place of the first error in clang's messages, "file:line:column: error".
static void locate_error(const char *messages, struct diag *why) {
  for (const char *line = messages; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *end = line + strcspn(line, "\n");
    const char *error = strstr(line, "error: ");
    if (!error || error > end)
      continue;
    char file[sizeof why->file];
    unsigned at_line, at_column;
    if (sscanf(line, "%511[^:\n]:%u:%u:", file, &at_line, &at_column) == 3) {
      memcpy(why->file, file, sizeof file);
      why->line = at_line;
      why->column = at_column;
    }
    return;
  }
}

static bool diag_compile(const char *file, const struct outcome *r,
                         struct diag *why) {
  char *text = r->err.bytes;
  for (char *p = text; *p; p++)
    if (iscntrl((unsigned char)*p) && *p != '\n' && *p != '\t')
      *p = '?';
  for (size_t n = strlen(text); n > 0 && text[n - 1] == '\n'; n--)
    text[n - 1] = 0;
  if (WIFSIGNALED(r->status))
    return diag_set(why, file, 0, "clang was ended by signal %d:\n%s",
                    WTERMSIG(r->status), text);
  diag_set(why, file, 0, "clang does not accept the program:\n%s", text);
  locate_error(text, why);
  return false;
}

static bool compile(const words *a, const char *watch, const char *file,
                    struct outcome *r, struct diag *why) {
  if (!run(a->at, watch, r))
    return diag_set(why, file, 0, "cannot run %s: %s", a->at[0],
                    strerror(errno));
  if (r->status != 0)
    return diag_compile(file, r, why);
  if (!is_bitcode(&r->out))
    return diag_set(why, file, 0,
                    "clang did not write bitcode; do the flags after -- ask "
                    "for another kind of output?");
  return true;
}

static bool find_compiled(const struct front_options *o, const words *a,
                          const struct bitcode *source, struct bitcode *ret) {
  return o->use_cache && cache_find(compile_key(a, source), ret);
}

static bool compile_and_keep(const struct front_options *o, const words *a,
                             const char *watch, const char *file,
                             const struct bitcode *source, struct bitcode *ret,
                             struct diag *why) {
  struct timespec began;
  clock_gettime(CLOCK_REALTIME, &began);
  struct outcome r = {0};
  bool ok = compile(a, o->use_cache ? watch : NULL, file, &r, why);
  if (ok) {
    if (o->use_cache)
      cache_store(compile_key(a, source), &r.out, &r.log, file, began);
    *ret = r.out;
    r.out = (struct bitcode){0};
  }
  outcome_done(&r);
  return ok;
}

// May the host's headers have what clang misses in Heddle's own?
static bool asks_for_more(const struct diag *why) {
  static const char *const complaints[] = {"file not found", "undeclared",
                                           "unknown type name", "incomplete",
                                           "no member named"};
  for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
    if (strstr(why->text, complaints[i]))
      return true;
  return false;
}

// Heddle's own headers alone at first: they are small. A program that asks for
// more than they have is compiled with the host's headers behind them.
static bool compile_with(const struct front_options *o, const char *clang,
                         const struct places *places, const char *file,
                         const struct bitcode *source, struct bitcode *ret,
                         struct diag *why) {
  words first = {0}, second = {0};
  arguments_make(&first, o, clang, places->include.at,
                 o->system_headers ? "-idirafter" : "-nostdinc -isystem", file);
  arguments_make(&second, o, clang, places->include.at,
                 "-D__HEDDLE_HOST__ -isystem", file);
  bool ok =
      find_compiled(o, &first, source, ret) ||
      (!o->system_headers && find_compiled(o, &second, source, ret)) ||
      compile_and_keep(o, &first, places->watch.at, file, source, ret, why);
  if (!ok && !o->system_headers && asks_for_more(why)) {
    struct diag other;
    ok = compile_and_keep(o, &second, places->watch.at, file, source, ret,
                          &other);
    // What is wrong inside of the host's headers tells the user nothing.
    if (!ok && strncmp(other.file, "/usr/", 5) != 0)
      *why = other;
  }
  words_done(&first);
  words_done(&second);
  return ok;
}

static bool compile_c(const struct front_options *o, const char *file,
                      const struct bitcode *source, struct bitcode *ret,
                      struct diag *why) {
  if (memchr(source->bytes, 0, source->len)) {
    diag_set(why, file, 0, "is not C source text: it contains NUL bytes");
    if (is_bitcode(source))
      diag_hint(why, "it looks like LLVM bitcode: name it with .bc");
    return false;
  }
  struct places places = {0};
  struct str clang = {0};
  bool ok = places_find(o, &places, why) && find_clang(&clang, why);
  ok = ok && compile_with(o, clang.at, &places, file, source, ret, why);
  str_done(&clang);
  places_done(&places);
  return ok;
}

bool clang_compile(const struct front_options *o, const char *file,
                   struct bitcode *ret, struct diag *why) {
  bool is_c = ends_in(file, ".c") || ends_in(file, ".i");
  bool is_binary = ends_in(file, ".bc"), is_text = ends_in(file, ".ll");
  struct bitcode input;
  if (!read_input(file, &input, why))
    return false;
  bool ok = true;
  if (is_c)
    ok = compile_c(o, file, &input, ret, why);
  else if (!is_binary && !is_text)
    ok = diag_set(why, file, 0,
                  "unknown kind of file; expected a name that ends in .c (C), "
                  ".bc (LLVM bitcode) or .ll (LLVM assembly)");
  else if (is_binary && !is_bitcode(&input))
    ok = diag_set(why, file, 0, "is not LLVM bitcode");
  if (is_c || !ok) {
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
  bool ok = find_clang(&clang, &no_clang);
  add_line(out, "clang", ok ? clang.at : NULL, &no_clang);
  ok = places_find(&(struct front_options){0}, &places, &no_places);
  add_line(out, "headers", ok ? places.include.at : NULL, &no_places);
  add_line(out, "library", ok ? places.runtime.at : NULL, &no_places);
  diag_set(&no_cache, NULL, 0, "neither HEDDLE_CACHE nor HOME is set");
  ok = cache_directory(&cache);
  add_line(out, "cache", ok ? cache.at : NULL, &no_cache);
  str_done(&clang);
  str_done(&cache);
  places_done(&places);
}
