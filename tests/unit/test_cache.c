// SPDX-License-Identifier: MIT
// Running clang and remembering its answers. Each test has a directory of its
// own with the sources and the cache; the compiler counts how often it runs.
#include "base/fatal.h"
#include "base/str.h"
#include "front/clang/cache.h"
#include "front/clang/watched.h"
#include "front/front.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[] = "/tmp/heddle-cache-XXXXXX";

// -- files

static void write_file(const char *name, const char *text) {
  FILE *f = fopen(name, "w");
  check(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

// Moves the time of a file, as if it had been written long ago.
static void set_age(const char *name, time_t seconds) {
  struct timespec t = {.tv_sec = time(NULL) - seconds};
  check(utimensat(AT_FDCWD, name, (struct timespec[]){t, t}, 0) == 0);
}

// What changed within the present tick of the clock is not kept, since it could
// change again without a trace.
static void wait_a_tick(void) {
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static void write_old_file(const char *name, const char *text) {
  write_file(name, text);
  set_age(name, 100);
  wait_a_tick();
}

static unsigned count_runs(void) {
  struct stat st;
  return stat("runs", &st) == 0 ? (unsigned)st.st_size : 0;
}

// How many names of the directory contain `part`; the last one is kept.
static unsigned count_names(const char *directory, const char *part,
                            char *ret_last, size_t room) {
  DIR *dir = opendir(directory);
  unsigned n = 0;
  for (struct dirent *d; dir && (d = readdir(dir));)
    if (strstr(d->d_name, part) && d->d_name[0] != '.') {
      n++;
      if (ret_last)
        snprintf(ret_last, room, "%s/%s", directory, d->d_name);
    }
  if (dir)
    closedir(dir);
  return n;
}

static void remove_all(void) {
  check(chdir("/") == 0);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", home);
  check(system(command) == 0);
}

// A fresh directory with one program, for a compiler that counts.
static void set_up(void) {
  static const char letters[] = "XXXXXX";
  memcpy(home + sizeof home - sizeof letters, letters, sizeof letters);
  check(mkdtemp(home) && chdir(home) == 0);
  check(mkdir("headers", 0755) == 0);
  write_old_file("headers/number.h", "#define NUMBER 1\n");
  write_old_file("a.c", "#include \"number.h\"\nint number = NUMBER;\n");
  setenv("HEDDLE_CLANG", COUNTING_CLANG, 1);
  setenv("HEDDLE_CACHE", "cache/deep", 1);
}

static bool compile_with(const char *file, bool use_cache, struct bitcode *ret,
                         struct diag *why) {
  static const char *const flags[] = {"-Iheaders"};
  const struct front_options o = {
      .clang_flags = flags, .nflags = 1, .use_cache = use_cache};
  return clang_compile(&o, file, ret, why);
}

// Compiles and yields a digest of the result; stops the test on failure.
static struct digest compile(const char *file) {
  struct bitcode b = {0};
  struct diag why = {0};
  bool ok = compile_with(file, /*use_cache=*/true, &b, &why);
  if (!ok)
    printf("# %s\n", why.text);
  check(ok && b.bytes[b.len] == 0);
  struct digest d = DIGEST_INIT;
  digest_add(&d, b.bytes, b.len);
  bitcode_done(&b);
  return d;
}

// -- digests

TEST(digests_tell_texts_apart) {
  static const char *const texts[][2] = {
      {"ab", "c"}, {"a", "bc"}, {"", "abc"}, {"abc", ""}, {"abc\0", "\0"}};
  struct digest d[5];
  for (unsigned i = 0; i < 5; i++) {
    d[i] = DIGEST_INIT;
    digest_add_text(&d[i], texts[i][0]);
    digest_add_text(&d[i], texts[i][1]);
  }
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = i + 1; j < 4; j++)
      CHECK(d[i].a != d[j].a && d[i].b != d[j].b, "%u and %u", i, j);
  CHECK(d[3].a == d[4].a && d[3].b == d[4].b, "equal texts");
}

TEST(digests_see_every_byte) {
  char text[40] = {0};
  struct digest plain = DIGEST_INIT;
  digest_add(&plain, text, sizeof text);
  for (unsigned i = 0; i < sizeof text * 8; i++) {
    text[i / 8] ^= (char)(1 << i % 8);
    struct digest d = DIGEST_INIT;
    digest_add(&d, text, sizeof text);
    text[i / 8] ^= (char)(1 << i % 8);
    CHECK(d.a != plain.a && d.b != plain.b, "bit %u", i);
  }
}

// -- hits and misses

TEST(second_compilation_is_a_hit) {
  set_up();
  struct digest first = compile("a.c"), second = compile("a.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  CHECK(first.a == second.a && first.b == second.b, "another result");
  remove_all();
}

TEST(changed_source_is_a_miss) {
  set_up();
  struct digest first = compile("a.c");
  write_old_file("a.c", "int number = 7;\n");
  CHECK(compile("a.c").a != first.a, "the old result came back");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  write_old_file("a.c", "#include \"number.h\"\nint number = NUMBER;\n");
  CHECK(compile("a.c").a == first.a, "the entry of the first text was lost");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

TEST(changed_header_is_a_miss) {
  set_up();
  struct digest first = compile("a.c");
  write_old_file("headers/number.h", "#define NUMBER 2\n");
  set_age("headers/number.h", 50);
  CHECK(compile("a.c").a != first.a, "the old result came back");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

TEST(touched_header_is_a_hit) {
  set_up();
  compile("a.c");
  set_age("headers/number.h", 50);
  compile("a.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  remove_all();
}

TEST(fresh_header_is_compared_by_contents) {
  set_up();
  set_age("headers/number.h", 1);
  struct stat st;
  check(stat("headers/number.h", &st) == 0);
  struct digest first = compile("a.c");
  write_file("headers/number.h", "#define NUMBER 2\n"); // same size
  check(utimensat(AT_FDCWD, "headers/number.h",
                  (struct timespec[]){st.st_atim, st.st_mtim}, 0) == 0);
  CHECK(compile("a.c").a != first.a, "the old result came back");
  remove_all();
}

TEST(other_flags_are_a_miss) {
  set_up();
  compile("a.c");
  static const char *const flags[] = {"-Iheaders", "-DX"};
  const struct front_options o = {
      .clang_flags = flags, .nflags = 2, .use_cache = true};
  struct bitcode b = {0};
  struct diag why;
  CHECK(clang_compile(&o, "a.c", &b, &why), "%s", why.text);
  bitcode_done(&b);
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

TEST(names_with_blanks_are_found_again) {
  set_up();
  write_old_file("b c#$.c", "#include \"x y.h\"\nint x = X;\n");
  write_old_file("headers/x y.h", "#define X 1\n");
  struct digest first = compile("b c#$.c");
  compile("b c#$.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  write_old_file("headers/x y.h", "#define X 2\n");
  set_age("headers/x y.h", 50);
  CHECK(compile("b c#$.c").a != first.a, "the old result came back");
  remove_all();
}

// -- what was looked for, and is there now

TEST(header_added_in_front_is_a_miss) {
  set_up();
  struct digest first = compile("a.c");
  compile("a.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  // clang looks beside the source first.
  write_old_file("number.h", "#define NUMBER 2\n");
  CHECK(compile("a.c").a != first.a, "the old result came back");
  check(unlink("number.h") == 0);
  CHECK(compile("a.c").a == first.a, "another result");
  remove_all();
}

TEST(answer_of_has_include_is_an_input) {
  set_up();
  write_old_file("a.c", "#if __has_include(<deep/extra.h>)\nint x = 1;\n"
                        "#else\nint x = 2;\n#endif\n");
  struct digest first = compile("a.c");
  compile("a.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  check(mkdir("headers/deep", 0755) == 0);
  CHECK(compile("a.c").a == first.a, "another result");
  write_old_file("headers/deep/extra.h", "");
  CHECK(compile("a.c").a != first.a, "the old result came back");
  remove_all();
}

TEST(response_file_is_an_input) {
  set_up();
  write_old_file("flags", "-DNUMBER=3");
  write_old_file("a.c", "int number = NUMBER;\n");
  static const char *const flags[] = {"@flags"};
  const struct front_options o = {
      .clang_flags = flags, .nflags = 1, .use_cache = true};
  struct digest d[3];
  for (unsigned i = 0; i < 3; i++) {
    struct bitcode b = {0};
    struct diag why;
    if (i == 2)
      write_old_file("flags", "-DNUMBER=4");
    CHECK(clang_compile(&o, "a.c", &b, &why), "%s", why.text);
    d[i] = DIGEST_INIT;
    digest_add(&d[i], b.bytes, b.len);
    bitcode_done(&b);
  }
  CHECK_EQ(count_runs(), 2, "runs of clang");
  CHECK(d[0].a == d[1].a && d[2].a != d[0].a, "the old result came back");
  remove_all();
}

TEST(link_to_another_file_is_a_miss) {
  set_up();
  write_file("1.h", "#define NUMBER 1\n");
  write_file("2.h", "#define NUMBER 2\n"); // same size, and same time
  struct timespec t = {.tv_sec = time(NULL) - 100};
  for (int i = 1; i <= 2; i++)
    check(utimensat(AT_FDCWD, i == 1 ? "1.h" : "2.h", (struct timespec[]){t, t},
                    0) == 0);
  check(unlink("headers/number.h") == 0 &&
        symlink("../1.h", "headers/number.h") == 0);
  wait_a_tick();
  struct digest first = compile("a.c");
  compile("a.c");
  CHECK_EQ(count_runs(), 1, "runs of clang");
  check(unlink("headers/number.h") == 0 &&
        symlink("../2.h", "headers/number.h") == 0);
  CHECK(compile("a.c").a != first.a, "the old result came back");
  remove_all();
}

TEST(environment_of_clang_is_an_input) {
  set_up();
  check(mkdir("more", 0755) == 0);
  write_old_file("more/other.h", "#define OTHER 1\n");
  write_old_file("a.c", "#if __has_include(<other.h>)\nint x;\n#endif\n");
  struct digest first = compile("a.c");
  setenv("CPATH", "more", 1);
  CHECK(compile("a.c").a != first.a, "the old result came back");
  compile("a.c");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  unsetenv("CPATH");
  CHECK(compile("a.c").a == first.a, "another result");
  remove_all();
}

TEST(the_time_is_not_kept) {
  set_up();
  write_old_file("a.c", "const char *when = __TIME__;\n");
  compile("a.c");
  compile("a.c");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

TEST(answer_of_a_script_is_not_kept) {
  set_up();
  char clang[64];
  snprintf(clang, sizeof clang, "%s/clang", home);
  write_old_file("clang",
                 "#!/bin/sh\nprintf x >> runs\nexec " CLANG " \"$@\"\n");
  check(chmod("clang", 0755) == 0);
  setenv("HEDDLE_CLANG", clang, 1);
  struct digest first = compile("a.c");
  CHECK(compile("a.c").a == first.a, "another result");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

// -- what goes wrong

TEST(damaged_entry_is_compiled_again) {
  for (unsigned way = 0; way < 3; way++) {
    set_up();
    struct digest first = compile("a.c");
    char entry[512];
    CHECK_EQ(count_names("cache/deep", ".bc", entry, sizeof entry), 1,
             "entries");
    struct stat st;
    check(stat(entry, &st) == 0);
    int fd = open(entry, O_RDWR);
    check(fd >= 0);
    if (way == 0) // a changed byte in the middle
      check(pwrite(fd, "\xff", 1, st.st_size / 2) == 1);
    else
      check(ftruncate(fd, way == 1 ? st.st_size - 9 : 0) == 0);
    close(fd);
    CHECK(compile("a.c").a == first.a, "another result");
    CHECK_EQ(count_runs(), 2, "runs of clang");
    compile("a.c");
    CHECK_EQ(count_runs(), 2, "the entry was not repaired");
    remove_all();
  }
}

TEST(without_a_directory_everything_works) {
  set_up();
  setenv("HEDDLE_CACHE", "/proc/heddle/cache", 1);
  struct digest first = compile("a.c");
  CHECK(compile("a.c").a == first.a, "another result");
  CHECK_EQ(count_runs(), 2, "runs of clang");
  remove_all();
}

TEST(switched_off_it_writes_nothing) {
  set_up();
  struct bitcode b = {0};
  struct diag why;
  CHECK(compile_with("a.c", /*use_cache=*/false, &b, &why), "%s", why.text);
  bitcode_done(&b);
  CHECK(access("cache", F_OK) != 0, "there is a cache");
  remove_all();
}

TEST(concurrent_runs_leave_one_entry) {
  set_up();
  enum { RUNS = 6 };
  for (unsigned i = 0; i < RUNS; i++)
    if (fork() == 0) {
      compile("a.c");
      _exit(0);
    }
  for (unsigned i = 0; i < RUNS; i++) {
    int status;
    check(wait(&status) > 0);
    CHECK_EQ(status, 0, "a run failed");
  }
  CHECK_EQ(count_names("cache/deep", "", NULL, 0), 1, "files in the cache");
  unsigned runs = count_runs();
  compile("a.c");
  CHECK_EQ(count_runs(), runs, "the entry is not whole");
  remove_all();
}

static void add_record(struct str *out, enum watched kind, const char *path) {
  struct stat st;
  check(stat(path, &st) == 0);
  struct identity id = identity_of(&st);
  str_add(out, "%c%s", (char)kind, path);
  str_add_bytes(out, "", 1);
  str_add_bytes(out, (const char *)&id, sizeof id);
}

#define ENTRY(digit) "cache/deep/0123456789abcdef0123456789abcde" digit ".bc"

TEST(the_size_is_bounded) {
  set_up();
  check(mkdir("cache", 0755) == 0 && mkdir("cache/deep", 0755) == 0);
  for (int i = 0; i < 10; i++) { // 100 MiB of holes
    char name[80];
    snprintf(name, sizeof name, ENTRY("%d"), i);
    write_file(name, "");
    check(truncate(name, 10 << 20) == 0);
    set_age(name, 1000 - i);
  }
  write_file(ENTRY("9") ".abcdef", "");
  set_age(ENTRY("9") ".abcdef", 10000);
  static const char *const others[] = {"cache/deep/own.bc",
                                       "cache/deep/own.bc.orig"};
  for (unsigned i = 0; i < LENGTH(others); i++) {
    write_file(others[i], "");
    set_age(others[i], 10000);
  }
  struct timespec began;
  clock_gettime(CLOCK_REALTIME_COARSE, &began);
  struct bitcode code = {.bytes = (char[]){"BC"}, .len = 2};
  struct str records = {0};
  add_record(&records, WATCHED_FILE, "a.c");
  add_record(&records, WATCHED_PROGRAM, COUNTING_CLANG);
  struct bitcode log = {.bytes = records.at, .len = records.len};
  struct compiler_run run = {
      .compiler = COUNTING_CLANG, .source = "a.c", .log = &log, .began = began};
  cache_store(KEPT_BITCODE, (struct digest){16, 1}, &code, &run);
  str_done(&records);
  CHECK_EQ(count_names("cache/deep", ".bc", NULL, 0), 5 + 2, "files");
  CHECK(access(ENTRY("9"), F_OK) == 0, "the youngest is gone");
  CHECK(access(ENTRY("0"), F_OK) != 0, "the oldest is there");
  CHECK(access(ENTRY("9") ".abcdef", F_OK) != 0, "left behind");
  for (unsigned i = 0; i < LENGTH(others); i++)
    CHECK(access(others[i], F_OK) == 0, "%s is no entry", others[i]);
  struct bitcode found = {0};
  CHECK(cache_find(KEPT_BITCODE, (struct digest){16, 1}, &found),
        "the new entry is gone");
  CHECK(found.len == 2 && memcmp(found.bytes, "BC", 3) == 0, "its bytes");
  bitcode_done(&found);
  remove_all();
}

// -- bad input

static bool refuses(const char *file, const char *part, struct diag *why) {
  struct bitcode b = {0};
  *why = (struct diag){0};
  if (compile_with(file, /*use_cache=*/true, &b, why)) {
    bitcode_done(&b);
    return false;
  }
  return strstr(why->text, part) || strstr(why->hint, part);
}

TEST(bad_input_has_clear_messages) {
  set_up();
  struct diag why;
  CHECK(refuses("none.c", "No such file", &why), "%s", why.text);
  CHECK_STR(why.file, "none.c");
  CHECK(refuses("headers", "directory", &why), "%s", why.text);
  write_file("empty.c", "");
  CHECK(refuses("empty.c", "empty", &why), "%s", why.text);
  write_file("junk.c", "int x;\n");
  check(truncate("junk.c", 100) == 0);
  CHECK(refuses("junk.c", "NUL", &why), "%s", why.text);
  write_file("junk.bc", "no bitcode");
  CHECK(refuses("junk.bc", "not LLVM bitcode", &why), "%s", why.text);
  write_file("a.txt", "text");
  CHECK(refuses("a.txt", ".ll", &why), "%s", why.text);
  write_file("wrong.c", "int x;\nint y = ;\n");
  CHECK(refuses("wrong.c", "expected expression", &why), "%s", why.text);
  CHECK(why.line == 2 && why.column == 9, "%u:%u", why.line, why.column);
  setenv("HEDDLE_CLANG", "/nowhere/clang", 1);
  CHECK(refuses("a.c", "/nowhere/clang", &why), "%s", why.text);
  unsetenv("HEDDLE_CLANG");
  char old_path[4096];
  snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  CHECK(refuses("a.c", "apt install clang-", &why), "%s", why.hint);
  setenv("PATH", old_path, 1);
  remove_all();
}

TEST(assembly_is_read_as_text) {
  set_up();
  write_file("a.ll", "define i32 @main() {\n  ret i32 0\n}\n");
  struct bitcode b = {0};
  struct diag why;
  CHECK(compile_with("a.ll", /*use_cache=*/true, &b, &why), "%s", why.text);
  CHECK(b.is_text && b.len == 35 && b.bytes[b.len] == 0, "%zu bytes", b.len);
  bitcode_done(&b);
  remove_all();
}
