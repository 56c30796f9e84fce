// SPDX-License-Identifier: MIT
// The commands that explain Heddle or show what it works on: help, version,
// models, doc, dump.
#include "cmd/cmd.h"

#include "cat/catalogue.h"
#include "cmd/mpi.h"
#include "explore/explore.h"
#include "front/front.h"

#include <string.h>

enum exit_code cmd_help(const struct options *o) {
  enum command topic = o->command == COMMAND_HELP ? COMMAND_NONE : o->command;
  struct diag why;
  if (o->command == COMMAND_HELP && o->files.len &&
      !options_command(o->files.at[0], &topic, &why))
    return bad_input(&why);
  struct str text = {0};
  options_help(&text, topic);
  return print(NULL, &text, EXIT_OK);
}

enum exit_code cmd_models(const struct options *o) {
  struct str text = {0};
  struct diag why;
  struct catalogue all;
  catalogue_init(&all, o);
  bool ok = catalogue_print(&all, o, &text, &why);
  catalogue_done(&all);
  if (ok)
    return print(NULL, &text, EXIT_OK);
  str_done(&text);
  return bad_input(&why);
}

enum exit_code cmd_doc(const struct options *o) {
  static const struct {
    const char *name;
    void (*print)(struct str *out);
  } texts[] = {{"man", options_man},        {"options", options_markdown},
               {"kinds", finding_markdown}, {"reductions", reduce_markdown},
               {"bash", options_bash},      {"zsh", options_zsh},
               {"fish", options_fish}};
  enum { TEXTS = LENGTH(texts) };
  struct str text = {0}, names = {0};
  for (unsigned i = 0; i < TEXTS; i++) {
    str_add(&names, "%s%s", i ? ", " : "", texts[i].name);
    if (strcmp(o->files.at[0], texts[i].name) == 0)
      texts[i].print(&text);
  }
  struct diag why;
  if (!text.len)
    diag_set(&why, NULL, 0, "'heddle doc' prints one of %s", str_text(&names));
  bool ok = text.len;
  str_done(&names);
  return ok ? print(NULL, &text, EXIT_OK) : bad_input(&why);
}

enum exit_code cmd_dump(const struct options *o) {
  struct prog *p;
  struct diag why;
  if (!outputs_spare_sources(o, &why) || !load_program(o, NULL, &p, &why))
    return bad_input(&why);
  struct str text = {0};
  prog_print(p, &text);
  prog_free(p);
  return print(o->output, &text, EXIT_OK);
}

enum exit_code cmd_version(void) {
  struct str text = {0};
  str_add(&text, "heddle %s\n", HEDDLE_VERSION);
  front_about(&text);
  mpi_about(&text);
  return print(NULL, &text, EXIT_OK);
}
