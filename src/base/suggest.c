// SPDX-License-Identifier: MIT
// The textbook table of distances between all beginnings of the two words.
#include "base/suggest.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

// cost[i * width + j]: from the first i characters of a to the first j of b.
unsigned suggest_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), width = m + 1;
  unsigned *cost = xcalloc((n + 1) * width, sizeof *cost);
  for (size_t i = 0; i <= n; i++) {
    for (size_t j = 0; j <= m; j++) {
      size_t at = i * width + j;
      if (i == 0 || j == 0) {
        cost[at] = (unsigned)(i + j);
        continue;
      }
      unsigned differs = a[i - 1] != b[j - 1];
      cost[at] = least(cost[at - width - 1] + differs,
                       least(cost[at - width], cost[at - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[at] = least(cost[at], cost[at - 2 * width - 2] + 1);
    }
  }
  unsigned d = cost[n * width + m];
  free(cost);
  return d;
}

// Near means that most of the shorter word is right; longer words may have
// more mistakes. A beginning such as "--max-exec" counts as near too.
void suggest_consider(struct suggestion *s, const char *name) {
  size_t typed = strlen(s->wanted);
  if (typed == 0 || typed > 64)
    return;
  unsigned d = suggest_distance(s->wanted, name);
  bool is_beginning = typed >= 3 && strncmp(s->wanted, name, typed) == 0;
  if (is_beginning)
    d = least(d, 2);
  else if (d > 1 + typed / 4)
    return;
  if (!s->best || d < s->distance) {
    s->best = name;
    s->distance = d;
  }
}
