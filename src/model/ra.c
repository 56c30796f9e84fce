// SPDX-License-Identifier: MIT
// Release/acquire: RC11 without its SC axiom (sc counts as acquire and
// release). Coherence and atomicity are all there is, and they hold already.
#include "model/ra.h"

#include "model/whole.h"

bool ra_consistent(struct graph *g, event_id e, event_id other,
                   const struct model_options *options) {
  (void)options;
  (void)g;
  (void)e;
  (void)other;
  return true;
}

bool ra_whole(struct graph *g, event_id e, event_id other,
              const struct model_options *options) {
  (void)options;
  return whole_consistent(g, e, other);
}

bool ra_takes_all(const struct graph *g, enum order order) {
  (void)g, (void)order;
  return true;
}
