// SPDX-License-Identifier: MIT
// Any bytes as a cat text: it is refused with a message, or it can be
// evaluated. With clang -fsanitize=fuzzer this is a fuzz target; as a test, its
// main runs the files that it is given and random changes of them.
#include "cat/eval/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_graph(struct graph *g) {
  graph_init(g);
  graph_need_threads(g, 1);
  graph_need_loc(g, 0);
  graph_add(g, (struct event){.kind = EV_START, .rf = NO_EVENT, .state = 1});
  event_id w = graph_add(g, (struct event){.kind = EV_WRITE,
                                           .order = ORD_REL,
                                           .co = 1,
                                           .rf = NO_EVENT,
                                           .state = 1});
  graph_add(g, (struct event){
                   .kind = EV_READ, .order = ORD_ACQ, .rf = w, .state = 1});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct model_options options;
  struct cat *c;
  struct diag why = {0};
  if (!cat_load_text("fuzz.cat", (const char *)data, size, NULL, &c, &why)) {
    check(*why.text && *why.file);
    return 0;
  }
  uint64_t deps = 1ull << CAT_addr | 1ull << CAT_data | 1ull << CAT_ctrl |
                  1ull << CAT_casdep;
  struct graph g;
  make_graph(&g);
  if (!(c->uses & deps))
    cat_broken(c, &g, &options);
  graph_done(&g);
  cat_free(c);
  return 0;
}

#ifndef FUZZER
static uint64_t state = 88172645463325252u;

static size_t below(size_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)(state % n);
}

// Changes some bytes, doubles or drops a stretch.
static void mutate(struct str *s) {
  static const char bytes[] = "()[]{}|;&\\~*+?^-1_0'\"= \n,lr\xff";
  char part[12];
  for (size_t i = below(4) + 1; i-- > 0 && s->len;) {
    size_t at = below(s->len), n = below(s->len - at < 12 ? s->len - at : 12);
    switch (below(4)) {
    case 0:
      s->at[at] = bytes[below(sizeof bytes)];
      break;
    case 1:
      memmove(s->at + at, s->at + at + n, s->len - at - n);
      s->len -= (uint32_t)n;
      break;
    case 2:
      memcpy(part, s->at + at, n);
      str_add_bytes(s, part, n);
      break;
    default:
      s->at[at] = s->at[below(s->len)];
    }
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct str text = {0}, changed = {0};
    char part[4096];
    FILE *f = fopen(argv[i], "r");
    if (!f)
      return perror(argv[i]), 1;
    for (size_t n; (n = fread(part, 1, sizeof part, f));)
      str_add_bytes(&text, part, n);
    fclose(f);
    LLVMFuzzerTestOneInput((const uint8_t *)str_text(&text), text.len);
    for (unsigned k = 0; k < 300; k++) {
      changed.len = 0;
      str_add_bytes(&changed, str_text(&text), text.len);
      mutate(&changed);
      LLVMFuzzerTestOneInput((const uint8_t *)str_text(&changed), changed.len);
    }
    str_done(&text);
    str_done(&changed);
  }
  printf("ok 1 - %d texts and changes of them\n1..1\n", argc - 1);
  return argc > 1 ? 0 : 1;
}
#endif
