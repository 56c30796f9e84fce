// SPDX-License-Identifier: MIT
// Completion for shells, from the rows of options.def: after `heddle` the
// commands, then the options of that command, the words of a choice, files.
#include "base/options.h"

#include <ctype.h>
#include <string.h>

static bool applies(const struct option_info *i, unsigned c) {
  return (i->commands >> c & 1) != 0;
}

// The words of "a|b|c", with blanks between them; nothing for other options.
static void add_words(struct str *out, const struct option_info *i) {
  for (const char *p = i->kind == OPT_CHOICE ? i->argument : ""; *p; p++)
    str_add(out, "%c", *p == '|' ? ' ' : *p);
}

// What an option wants that is a file or a folder.
static bool wants_path(const struct option_info *i) {
  return strcmp(i->argument, "FILE") == 0 || strcmp(i->argument, "DIR") == 0;
}

static void add_command_names(struct str *out) {
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (c != COMMAND_DOC)
      str_add(out, "%s%s", c ? " " : "", command_table[c].name);
}

// -- bash

static void bash_choices(struct str *out) {
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->kind != OPT_CHOICE)
      continue;
    str_add(out, "    --%s) words='", i->name);
    add_words(out, i);
    str_add(out, "' ;;\n");
  }
  str_add(out, "    --model|--model-a|--model-b|--mapping)\n"
               "      words=$(heddle models 2>/dev/null | cut -d' ' -f1) ;;\n");
}

static void bash_arguments(struct str *out) {
  const char *separator = "    ";
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (!*i->argument || i->kind == OPT_CHOICE || wants_path(i) ||
        strncmp(i->argument, "MODEL", 5) == 0)
      continue;
    str_add(out, "%s--%s", separator, i->name);
    separator = "|";
  }
  str_add(out, ") return ;;\n");
}

static void bash_options(struct str *out) {
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (c == COMMAND_DOC)
      continue;
    str_add(out, "    %s) words='", command_table[c].name);
    for (unsigned k = 0; k < option_count; k++)
      if (applies(&option_table[k], c))
        str_add(out, " --%s", option_table[k].name);
    str_add(out, "' ;;\n");
  }
}

void options_bash(struct str *out) {
  str_add(out,
          "# Printed by `heddle doc bash` from src/base/options.def.\n"
          "_heddle() {\n"
          "  local cur=${COMP_WORDS[COMP_CWORD]} words=\n"
          "  local prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
          "  COMPREPLY=()\n"
          "  case $prev in\n");
  bash_choices(out);
  bash_arguments(out);
  str_add(out, "  esac\n"
               "  if [[ -z $words && $cur == -* ]]; then\n"
               "    case $command in\n");
  bash_options(out);
  str_add(out, "    *) words='--help --version' ;;\n"
               "    esac\n"
               "  elif [[ -z $words && ( $COMP_CWORD -eq 1 || $command == help "
               ") ]]; then\n"
               "    words='");
  add_command_names(out);
  str_add(out, "'\n"
               "  fi\n"
               "  if [[ -n $words ]]; then\n"
               "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
               "\"$cur\")\n"
               "  else\n"
               "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
               "    compopt -o filenames 2>/dev/null\n"
               "  fi\n"
               "}\n"
               "complete -F _heddle heddle\n");
}

// -- zsh and fish show a line beside each option

// The first sentence of the help, without what the shell's quotes or zsh's
// brackets and colons would end.
static void add_hint(struct str *out, const char *help) {
  for (const char *p = help; *p; p++) {
    if (*p == '.' && (p[1] == ' ' || !p[1]))
      return;
    str_add(out, "%c", strchr("'`[]", *p) ? ' ' : *p == ':' ? ',' : *p);
  }
}

static void zsh_option(struct str *out, const struct option_info *i) {
  str_add(out, "        '--%s%s[", i->name, *i->argument ? "=" : "");
  add_hint(out, i->help);
  str_add(out, "]");
  if (i->kind == OPT_CHOICE) {
    str_add(out, ":%s:(", i->name);
    add_words(out, i);
    str_add(out, ")");
  } else if (*i->argument) {
    str_add(out, ":%s:%s", i->name, wants_path(i) ? "_files" : " ");
  }
  str_add(out, "' \\\n");
}

void options_zsh(struct str *out) {
  str_add(out, "#compdef heddle\n"
               "# Printed by `heddle doc zsh` from src/base/options.def.\n"
               "_heddle() {\n"
               "  local -a commands=(\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (c == COMMAND_DOC)
      continue;
    str_add(out, "    '%s:", command_table[c].name);
    add_hint(out, command_table[c].summary);
    str_add(out, "'\n");
  }
  str_add(out, "  )\n"
               "  if (( CURRENT == 2 )); then\n"
               "    _describe command commands\n"
               "    return\n"
               "  fi\n"
               "  local command=$words[2]\n"
               "  shift words\n"
               "  (( CURRENT-- ))\n"
               "  case $command in\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (c == COMMAND_DOC || c == COMMAND_HELP)
      continue;
    str_add(out, "    %s)\n      _arguments \\\n", command_table[c].name);
    for (unsigned k = 0; k < option_count; k++)
      if (applies(&option_table[k], c))
        zsh_option(out, &option_table[k]);
    str_add(out, "        '*:file:_files' ;;\n");
  }
  str_add(out, "    help) _describe command commands ;;\n"
               "  esac\n"
               "}\n"
               "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
               "  _heddle \"$@\"\n"
               "else\n"
               "  compdef _heddle heddle\n"
               "fi\n");
}

static void fish_option(struct str *out, const struct option_info *i) {
  str_add(out, "complete -c heddle -n '__fish_seen_subcommand_from");
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (c != COMMAND_DOC && applies(i, c))
      str_add(out, " %s", command_table[c].name);
  str_add(out, "' -l %s", i->name);
  if (*i->key)
    str_add(out, " -s %s", i->key + 1);
  if (i->kind == OPT_CHOICE) {
    str_add(out, " -x -a '");
    add_words(out, i);
    str_add(out, "'");
  } else if (*i->argument) {
    str_add(out, wants_path(i) ? " -r" : " -x");
  }
  str_add(out, " -d '");
  add_hint(out, i->help);
  str_add(out, "'\n");
}

void options_fish(struct str *out) {
  str_add(out, "# Printed by `heddle doc fish` from src/base/options.def.\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (c == COMMAND_DOC)
      continue;
    str_add(out, "complete -c heddle -n __fish_use_subcommand -f -a %s -d '",
            command_table[c].name);
    add_hint(out, command_table[c].summary);
    str_add(out, "'\n");
  }
  for (unsigned k = 0; k < option_count; k++)
    fish_option(out, &option_table[k]);
}
