// SPDX-License-Identifier: MIT
// An execution as SVG: one lane a thread, its events from top to bottom, and
// arrows for the relations. Where everything stands is computed here, so the
// picture is the same everywhere; colours come from the page's style sheet.
#pragma once

#include "report/view.h"

// Adds an <svg> element. `id` makes the ids of its parts unique in the page.
void picture_svg(const struct view *v, const char *id, struct str *out);
// For each event its number in the order of reading, from 1; 0: not shown. The
// caller frees it.
uint32_t *picture_steps(const struct view *v);
