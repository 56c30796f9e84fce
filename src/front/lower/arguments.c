// SPDX-License-Identifier: MIT
// What main is called with: the program's name, the words of --args, and an
// empty environment, in memory that the program may write to.
#include "front/stage.h"

#include <string.h>

// The name of the first file, without folder and ending.
static void program_name(const struct front *f, struct str *out) {
  const char *file = f->options->files[0], *slash = strrchr(file, '/');
  const char *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
  size_t n = dot && dot != name ? (size_t)(dot - name) : strlen(name);
  str_add_bytes(out, name, n);
}

static uint64_t add_text(struct front *f, unsigned i, const char *text) {
  struct str name = {0};
  str_add(&name, "argv[%u]", i);
  size_t size = strlen(text) + 1;
  uint32_t global = prog_add_global(f->prog, str_text(&name), size, 1);
  memcpy(f->prog->globals.at[global].bytes, text, size);
  str_done(&name);
  return prog_global_address(f->prog, global);
}

static struct global *find_global(struct front *f, const char *name) {
  for (uint32_t i = 0; i < f->prog->globals.len; i++)
    if (strcmp(prog_text(f->prog, f->prog->globals.at[i].name), name) == 0)
      return &f->prog->globals.at[i];
  return NULL;
}

// Standard input is two words of rt/input.c, if the program reads it.
static void add_input(struct front *f) {
  const struct str *text = f->options->input;
  if (!text || !find_global(f, "__heddle_stdin"))
    return;
  uint32_t global = prog_add_global(f->prog, "stdin", text->len + 1, 1);
  memcpy(f->prog->globals.at[global].bytes, str_text(text), text->len);
  uint64_t address = prog_global_address(f->prog, global), size = text->len;
  memcpy(find_global(f, "__heddle_stdin")->bytes, &address, sizeof address);
  memcpy(find_global(f, "__heddle_stdin_size")->bytes, &size, sizeof size);
}

void front_arguments(struct front *f) {
  add_input(f);
  const struct func *main = &f->prog->funcs.at[f->prog->main_func];
  if (main->params == 0)
    return;
  unsigned argc = 1 + f->options->nargs;
  uint64_t *argv = xcalloc(argc + 1u, sizeof *argv); // null at the end
  struct str name = {0};
  program_name(f, &name);
  for (unsigned i = 0; i < argc; i++)
    argv[i] = add_text(f, i, i ? f->options->args[i - 1] : str_text(&name));
  size_t size = (argc + 1u) * sizeof *argv;
  uint32_t global = prog_add_global(f->prog, "argv", size, sizeof *argv);
  memcpy(f->prog->globals.at[global].bytes, argv, size);
  uint64_t address = prog_global_address(f->prog, global);
  f->prog->main_args[0] = argc;
  f->prog->main_args[1] = address;
  f->prog->main_args[2] = address + argc * sizeof *argv; // no environment
  str_done(&name);
  free(argv);
}
