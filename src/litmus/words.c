// SPDX-License-Identifier: MIT
// A word that is not there is refused with what is there instead.
#include "litmus/words.h"

bool words_more(const struct words *w) {
  return w->at < w->end;
}

bool words_accept(struct words *w, const char *text) {
  if (!words_more(w) || !scan_is(w->at, text))
    return false;
  w->at++;
  return true;
}

bool words_expect(struct words *w, const char *text) {
  return words_accept(w, text) ||
         build_refuse(w->l, "'%s' expected, not '%.*s'", text,
                      words_more(w) ? (int)w->at->len : 7,
                      words_more(w) ? w->at->at : "nothing");
}

bool words_number(struct words *w, uint64_t *ret) {
  struct words n = *w;
  bool is_negative = words_accept(&n, "-");
  if (!words_more(&n) || !scan_number(n.at, ret))
    return false;
  if (is_negative)
    *ret = 0 - *ret;
  w->at = n.at + 1;
  return true;
}

bool words_register(struct words *w, uint32_t *name) {
  char text[64], canonical[32];
  unsigned width;
  if (!words_more(w) || w->at->kind != TOK_NAME)
    return false;
  scan_copy(w->at, text, sizeof text);
  if (!register_name(w->l->t->arch, text, canonical, &width))
    return false;
  *name = strings_add(&w->l->t->strings, canonical);
  w->at++;
  return true;
}

bool words_expect_register(struct words *w, uint32_t *name) {
  return words_register(w, name) ||
         build_refuse(w->l, "a register expected (r0, r1, ...)");
}

bool words_label(struct words *w, uint32_t *label) {
  if (!words_more(w) || w->at->kind != TOK_NAME)
    return build_refuse(w->l, "a label expected");
  *label = build_label(w->l, litmus_string(w->l->t, w->at++));
  return true;
}

bool words_end(const struct words *w) {
  return !words_more(w) ||
         build_refuse(w->l, "'%.*s' is too much", (int)w->at->len, w->at->at);
}
