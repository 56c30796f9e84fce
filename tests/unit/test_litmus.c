// SPDX-License-Identifier: MIT
// Reading litmus tests: what a test says, what is wrong with it and where; and
// that no input, however broken, is more than bad input.
#include "answer/batch.h"
#include "cat/catalogue.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct diag why;

static struct litmus *read_text(const char *text) {
  struct litmus *t = NULL;
  return litmus_read("test.litmus", text, strlen(text), NULL, &t, &why) ? t
                                                                        : NULL;
}

// The block that is printed for a test, up to its time.
static void block_of(const char *text, const char *model, struct str *out) {
  struct litmus *t = read_text(text);
  CHECK(t, "line %u: %s", why.line, why.text);
  struct answer o;
  struct answer_config c = {
      .model =
          model_find(model ? model : catalogue_of_language(litmus_language(t))),
      .reductions = REDUCE_DEFAULT};
  CHECK(c.model && answer_of(t, &c, &o, &why), "%s", why.text);
  answer_text(&o, out);
  char *time = strstr(out->at, "Time ");
  CHECK(time, "no time");
  *time = 0;
  answer_done(&o);
  litmus_free(t);
}

#define CHECK_ANSWER(text, model, want)                                        \
  do {                                                                         \
    struct str got_ = {0};                                                     \
    block_of(text, model, &got_);                                              \
    CHECK_STR(str_text(&got_), want);                                          \
    str_done(&got_);                                                           \
  } while (0)

TEST(the_block_is_that_of_herd) {
  CHECK_ANSWER("AArch64 MP\n\"doc\"\nCycle=x\n{ 0:X1=x; 0:X3=y; 1:X1=y; "
               "1:X3=x; }\n"
               "P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n"
               "STR W0,[X1] | LDR W2,[X3] ;\nSTLR W0,[X3] | ;\n"
               "locations [x;]\nexists (1:X0=1 /\\ 1:X2=0)\n",
               NULL,
               "Test MP Allowed\nStates 4\n"
               "1:X0=0; 1:X2=0; [x]=1;\n1:X0=0; 1:X2=1; [x]=1;\n"
               "1:X0=1; 1:X2=0; [x]=1;\n1:X0=1; 1:X2=1; [x]=1;\n"
               "Ok\nWitnesses\nPositive: 1 Negative: 3\n"
               "Condition exists (1:X0=1 /\\ 1:X2=0)\n"
               "Observation MP Sometimes 1 3\n");
}

// A store-conditional may always fail; two that succeed see each other.
TEST(store_conditionals_succeed_or_fail) {
  CHECK_ANSWER("AArch64 inc\n{ 0:X1=x; 1:X1=x; }\nP0 | P1 ;\n"
               "LDXR W0,[X1] | LDXR W0,[X1] ;\n"
               "ADD W0,W0,#1 | ADD W0,W0,#1 ;\n"
               "STXR W2,W0,[X1] | STXR W2,W0,[X1] ;\n"
               "~exists (0:X2=0 /\\ 1:X2=0 /\\ x=1)",
               NULL,
               "Test inc Forbidden\nStates 4\n"
               "0:X2=0; 1:X2=0; [x]=2;\n0:X2=0; 1:X2=1; [x]=1;\n"
               "0:X2=1; 1:X2=0; [x]=1;\n0:X2=1; 1:X2=1; [x]=0;\n"
               "Ok\nWitnesses\nPositive: 7 Negative: 0\n"
               "Condition ~exists (0:X2=0 /\\ 1:X2=0 /\\ [x]=1)\n"
               "Observation inc Never 0 7\n");
}

// No reservation: none at all, or used up.
TEST(a_store_conditional_needs_its_reservation) {
  CHECK_ANSWER("AArch64 none\n{ 0:X1=x; 0:X3=y; }\nP0 ;\n"
               "MOV W0,#1 ;\nSTXR W2,W0,[X1] ;\nLDXR W5,[X3] ;\n"
               "STXR W4,W0,[X3] ;\nSTXR W6,W0,[X3] ;\n"
               "exists (0:X2=0 \\/ 0:X6=0)",
               NULL,
               "Test none Allowed\nStates 1\n0:X2=1; 0:X6=1;\nNo\nWitnesses\n"
               "Positive: 0 Negative: 2\n"
               "Condition exists (0:X2=0 \\/ 0:X6=0)\n"
               "Observation none Never 0 2\n");
}

// One of another location may be enough, but the two are no update then: the
// other thread's write comes in between.
TEST(a_store_conditional_to_another_location) {
  CHECK_ANSWER("AArch64 other\n{ 0:X1=x; 0:X3=y; 1:X3=y; 1:X1=x; }\n"
               "P0 | P1 ;\nLDXR W5,[X3] | MOV W0,#2 ;\n"
               "MOV W0,#1 | STR W0,[X3] ;\n"
               "STXR W2,W0,[X1] | DMB SY ;\n | LDR W4,[X1] ;\n"
               "exists (0:X2=0 /\\ 0:X5=0 /\\ 1:X4=0)",
               NULL,
               "Test other Allowed\nStates 6\n"
               "0:X2=0; 0:X5=0; 1:X4=0;\n0:X2=0; 0:X5=0; 1:X4=1;\n"
               "0:X2=0; 0:X5=2; 1:X4=0;\n0:X2=0; 0:X5=2; 1:X4=1;\n"
               "0:X2=1; 0:X5=0; 1:X4=0;\n0:X2=1; 0:X5=2; 1:X4=0;\n"
               "Ok\nWitnesses\nPositive: 1 Negative: 5\n"
               "Condition exists (0:X2=0 /\\ 0:X5=0 /\\ 1:X4=0)\n"
               "Observation other Sometimes 1 5\n");
}

// The write of another thread in between is what forbids it, the own is not.
TEST(a_reservation_is_lost_to_other_threads) {
  CHECK_ANSWER("AArch64 own\n{ 0:X1=x; 1:X1=x; }\nP0 | P1 ;\n"
               "MOV W0,#1 | MOV W0,#3 ;\nMOV W3,#2 | STR W0,[X1] ;\n"
               "LDXR W4,[X1] | ;\nSTR W0,[X1] | ;\nSTXR W2,W3,[X1] | ;\n"
               "forall (0:X2=1 \\/ 0:X4=3 \\/ x=3 \\/ x=2)",
               NULL,
               "Test own Required\nStates 5\n0:X2=0; 0:X4=0; [x]=3;\n"
               "0:X2=0; 0:X4=3; [x]=2;\n0:X2=1; 0:X4=0; [x]=1;\n"
               "0:X2=1; 0:X4=0; [x]=3;\n0:X2=1; 0:X4=3; [x]=1;\n"
               "Ok\nWitnesses\nPositive: 5 Negative: 0\n"
               "Condition forall (0:X2=1 \\/ 0:X4=3 \\/ [x]=3 \\/ [x]=2)\n"
               "Observation own Always 5 0\n");
}

// A store form of an update; and a compare-exchange is no branch, so that a
// later store may be done before it.
TEST(updates_of_one_instruction) {
  CHECK_ANSWER("AArch64 add\n{ x=1; 0:X1=x; 1:X1=x; }\nP0 | P1 ;\n"
               "MOV W0,#2 | MOV W0,#1 ;\nSTADD W0,[X1] | MOV W3,#7 ;\n"
               " | CASA W0,W3,[X1] ;\n"
               "exists (1:X0=1 /\\ x=9)",
               NULL,
               "Test add Allowed\nStates 2\n1:X0=1; [x]=9;\n"
               "1:X0=3; [x]=3;\nOk\nWitnesses\nPositive: 1 Negative: 1\n"
               "Condition exists (1:X0=1 /\\ [x]=9)\n"
               "Observation add Sometimes 1 1\n");
  struct str got = {0};
  block_of("AArch64 S\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\nP0 | P1 ;\n"
           "MOV W0,#2 | MOV W0,#1 ;\nSTR W0,[X1] | MOV W2,#5 ;\n"
           "DMB SY | CAS W0,W2,[X1] ;\nMOV W2,#1 | MOV W4,#1 ;\n"
           "STR W2,[X3] | STR W4,[X3] ;\nexists (1:X0=1 /\\ x=2)",
           NULL, &got);
  CHECK(strstr(str_text(&got), "Observation S Sometimes"), "%s",
        str_text(&got));
  str_done(&got);
}

TEST(addresses_are_values) {
  CHECK_ANSWER("AArch64 pointers\n{ p=x; x=7; 0:X1=p; 0:X3=y; }\nP0 ;\n"
               "LDR X2,[X1] ;\nLDR W4,[X2] ;\nSTR X3,[X1] ;\n"
               "exists (0:X2=x /\\ 0:X4=7 /\\ p=y)",
               NULL,
               "Test pointers Allowed\nStates 1\n"
               "0:X2=x; 0:X4=7; [p]=y;\nOk\nWitnesses\n"
               "Positive: 1 Negative: 0\n"
               "Condition exists (0:X2=x /\\ 0:X4=7 /\\ [p]=y)\n"
               "Observation pointers Always 1 0\n");
}

TEST(races_of_c_are_undefined) {
  CHECK_ANSWER("C race\n{}\nP0 (int* x) { *x = 1; }\n"
               "P1 (int* x) { int r0 = *x; }\nexists (1:r0=1)",
               NULL,
               "Test race Allowed\nStates 2\n1:r0=0;\n1:r0=1;\nUndef\n"
               "Witnesses\nPositive: 1 Negative: 1\nFlag data-race\n"
               "Condition exists (1:r0=1)\nObservation race Sometimes 1 1\n");
}

// not > => > /\ > \/
TEST(operators_bind_as_in_herd) {
  CHECK_ANSWER("X86 bind\n{ x=1; }\nP0 ;\nMOV EAX,[x] ;\n"
               "exists (~0:EAX=1 => false /\\ x=1 \\/ 0:EAX=2)",
               NULL,
               "Test bind Allowed\nStates 1\n0:EAX=1; [x]=1;\nOk\nWitnesses\n"
               "Positive: 1 Negative: 0\n"
               "Condition exists (not (0:EAX=1) => false /\\ [x]=1 \\/ "
               "0:EAX=2)\nObservation bind Always 1 0\n");
}

static void check_refused(const char *text, unsigned line, const char *part) {
  struct litmus *t = read_text(text);
  CHECK(!t, "accepted: %s", text);
  CHECK(strstr(why.text, part), "\"%s\" is not in \"%s\"", part, why.text);
  CHECK_EQ(why.line, line, "%s", why.text);
}

TEST(what_is_wrong_is_said_with_its_line) {
  check_refused("Alpha MP\n{}\n", 1, "architecture");
  check_refused("X86 A\n{ x=1\n y=2 }", 3, "';' expected");
  check_refused("X86 A\n{}\n P0 | P2 ;\n", 3, "threads");
  check_refused("X86 A\n{}\nP0 ;\nFROB [x],$1 ;\nexists (x=1)", 4,
                "unsupported instruction 'frob' of X86");
  check_refused("X86 A\n{}\nP0 ;\nMOV [x],$1 | MOV [y],$1 ;\nexists (x=1)", 4,
                "columns");
  check_refused("AArch64 A\n{}\nP0 ;\nSTR W0 ;\nexists (x=1)", 4,
                "a register, an address");
  check_refused("AArch64 A\n{}\nP0 ;\nCBNZ W0,L1 ;\nexists (x=1)", 4,
                "no label 'L1'");
  check_refused("AArch64 A\n{}\nP0 ;\nNOP ;\nexists (1:X0=1)", 5,
                "no thread P1");
  check_refused("AArch64 A\n{}\nP0 ;\nNOP ;\nexists (0:R99=1)", 5,
                "not a register of AArch64");
  check_refused("AArch64 A\n{}\nP0 ;\nNOP ;\nexists (0:X0=1", 5,
                "')' expected");
  check_refused("C A\n{}\nP0 (int* x) {\n  int r0 = frob(x);\n}\nexists (x=1)",
                4, "may call");
  check_refused("C A\n{}\nP0 (int* x) {\n  q = x;\n  *z = 1;\n}\nexists (x=1)",
                5, "a variable of the thread");
}

// -- broken input

static uint64_t state;

static unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return n ? (unsigned)((state >> 33) % n) : 0;
}

static ARRAY(struct str) corpus;

static void read_corpus(void) {
  DIR *d = opendir(CORPUS_DIR);
  CHECK(d, "no folder %s", CORPUS_DIR);
  for (struct dirent *e; (e = readdir(d));) {
    char path[512], buffer[4096];
    struct str text = {0};
    snprintf(path, sizeof path, CORPUS_DIR "/%s", e->d_name);
    FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (!f)
      continue;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
      str_add_bytes(&text, buffer, n);
    fclose(f);
    array_push(&corpus, text);
  }
  closedir(d);
  CHECK(corpus.len >= 8, "a corpus of %u files", corpus.len);
}

// Deletes, doubles, moves and replaces stretches of the text.
static void mutate(struct str *s) {
  static const char *const bits[] = {"{",
                                     "}",
                                     "(",
                                     ")",
                                     ";",
                                     "|",
                                     "\\/",
                                     "~",
                                     "=",
                                     "[",
                                     "]",
                                     "0x",
                                     "-1",
                                     "\n",
                                     "P0",
                                     "exists",
                                     "(*",
                                     "\"",
                                     "99999999999999999999",
                                     "*",
                                     ":",
                                     "\x80"};
  for (unsigned n = 1 + draw(6); n; n--) {
    unsigned from = draw(s->len + 1), len = draw(draw(3) ? 6 : 60);
    if (from + len > s->len)
      len = s->len - from;
    struct str out = {0};
    str_add_bytes(&out, s->at, from);
    switch (draw(4)) {
    case 0:
      break;
    case 1:
      str_add_bytes(&out, s->at + from, len);
      str_add_bytes(&out, s->at + from, len);
      break;
    case 2:
      str_add(&out, "%s", bits[draw(sizeof bits / sizeof *bits)]);
      break;
    default: {
      const struct str *other = &corpus.at[draw(corpus.len)];
      unsigned at = draw(other->len), take = draw(30);
      str_add_bytes(&out, other->at + at,
                    at + take > other->len ? other->len - at : take);
    }
    }
    str_add_bytes(&out, s->at + from + len, s->len - from - len);
    str_done(s);
    *s = out;
  }
}

// -- executions that have no end

TEST(a_thread_that_waits_for_ever_has_no_final_state) {
  // Whoever comes second waits for the lock: nothing ends.
  CHECK_ANSWER(
      "C lock\n{}\n"
      "P0(int *x, spinlock_t *s) { spin_lock(s); WRITE_ONCE(*x, 1); }\n"
      "P1(int *x, spinlock_t *s) { int r1; spin_lock(s);"
      " r1 = READ_ONCE(*x); }\n"
      "exists (1:r1=1)\n",
      "sc",
      "Test lock Allowed\nStates 0\nNo\nWitnesses\n"
      "Positive: 0 Negative: 0\nCondition exists (1:r1=1)\n"
      "Observation lock Never 0 0\n");
  // P0 leaves its loop only if it sees the store of P1 that comes second.
  CHECK_ANSWER("AArch64 leaves\n{ 0:X1=x; 0:X3=y; 1:X1=x; 2:X1=x; }\n"
               " P0 | P1 | P2 ;\n L0: | MOV W0,#1 | MOV W0,#2 ;\n"
               " LDR W0,[X1] | STR W0,[X1] | STR W0,[X1] ;\n"
               " CMP W0,#1 | | ;\n B.NE L0 | | ;\n STR W0,[X3] | | ;\n"
               "exists (y=0)\n",
               NULL,
               "Test leaves Allowed\nStates 1\n[y]=1;\nNo\nWitnesses\n"
               "Positive: 0 Negative: 2\nCondition exists ([y]=0)\n"
               "Observation leaves Never 0 2\n");
}

// -- many tests

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
static void keep_leaks(bool are_meant) {
  if (are_meant)
    __lsan_disable();
  else
    __lsan_enable();
}
#else
static void keep_leaks(bool are_meant) {
  (void)are_meant;
}
#endif

static unsigned asked;

// The second test meets a bug of ours.
static bool find_or_break(void *arg, const char *language,
                          const struct model **ret, struct diag *none) {
  (void)arg, (void)none;
  check(++asked != 2);
  *ret = model_find(catalogue_of_language(language));
  return *ret;
}

static bool print_to(void *arg, const struct str *text) {
  str_add_bytes(arg, text->at, text->len);
  return true;
}

TEST(a_bug_that_one_test_meets_loses_no_other) {
  char name[] = "/tmp/heddle-litmus-XXXXXX";
  int fd = mkstemp(name);
  static const char text[] = "AArch64 t\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n"
                             " STR W0,[X1] ;\nexists (x=1)\n";
  CHECK(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1,
        "write");
  close(fd);
  const char *const paths[] = {name, name, name};
  struct str out = {0};
  struct batch_config c = {.paths = paths,
                           .npaths = 3,
                           .find_model = find_or_break,
                           .style = BATCH_JSON,
                           .answer = {.reductions = REDUCE_DEFAULT},
                           .jobs = 1,
                           .print = print_to,
                           .arg = &out};
  struct batch_result r;
  keep_leaks(true); // what a broken test had is lost
  bool ok = batch_run(&c, &r, &why);
  keep_leaks(false);
  CHECK(ok, "%s", why.text);
  unlink(name);
  CHECK_EQ(r.tests, 3, "tests");
  CHECK_EQ(r.ok, 2, "answered");
  CHECK_EQ(r.errors, 1, "errors");
  CHECK_EQ(r.broken, 1, "broken");
  const char *error = strstr(str_text(&out), "internal error at"), *at = error;
  CHECK(error, "%s", str_text(&out));
  while (at > str_text(&out) && at[-1] != '\n')
    at--;
  const char *told = strstr(at, "\"name\": \"t\"");
  CHECK(told && told < error, "%s", at);
  str_done(&out);
}

TEST(broken_tests_are_bad_input_and_nothing_worse) {
  const char *runs = getenv("HEDDLE_FUZZ");
  unsigned n = runs ? (unsigned)strtoul(runs, NULL, 10) : 10000, accepted = 0;
  read_corpus();
  for (unsigned i = 0; i < n; i++) {
    state = i;
    struct str text = {0};
    const struct str *base = &corpus.at[draw(corpus.len)];
    str_add_bytes(&text, base->at, base->len);
    mutate(&text);
    struct litmus *t = NULL;
    struct answer o;
    struct answer_config c = {.reductions = REDUCE_DEFAULT,
                              .max_executions = 50,
                              .max_events = 100,
                              .witnesses = i % 2,
                              .why = i % 16 == 0};
    if (litmus_read("fuzz.litmus", str_text(&text), text.len, NULL, &t, &why)) {
      c.model = model_find(catalogue_of_language(litmus_language(t)));
      c.model = c.model ? c.model : model_find("sc");
      if (answer_of(t, &c, &o, &why)) {
        struct str out = {0};
        answer_text(&o, &out);
        answer_json(&o, &out);
        str_done(&out);
        answer_done(&o);
        accepted++;
      }
      litmus_free(t);
    }
    str_done(&text);
  }
  printf("# %u of %u broken tests still were tests\n", accepted, n);
  CHECK(n < 100 || (accepted > n / 50 && accepted < n), "%u accepted",
        accepted);
  for (uint32_t i = 0; i < corpus.len; i++)
    str_done(&corpus.at[i]);
  array_done(&corpus);
}
