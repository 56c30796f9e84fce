// SPDX-License-Identifier: MIT
// compile_commands.json, as CMake, Meson and Bear write it: an array of objects
// with `directory`, `file`, and `arguments` or `command`. Of the flags, those
// are taken that say what the program means (macros, headers, the language, the
// target); how to optimise, warn and instrument is for another compiler.
#include "cmd/inputs.h"

#include "base/json_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// -- reading

static bool read_file(const char *name, struct str *ret, struct diag *why) {
  FILE *f = fopen(name, "r");
  if (!f)
    return diag_set(why, name, 0, "cannot read the file: %s", strerror(errno));
  char part[16384];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
    str_add_bytes(ret, part, n);
  bool ok = !ferror(f);
  fclose(f);
  return ok || diag_set(why, name, 0, "cannot be read: %s", strerror(errno));
}

static void database_name(const char *folder, struct str *ret) {
  const char *end = strrchr(folder, '.');
  bool is_file = end && strcmp(end, ".json") == 0;
  str_add(ret, "%s%s", folder, is_file ? "" : "/compile_commands.json");
}

bool database_is_in(const char *folder) {
  struct str name = {0};
  database_name(folder, &name);
  bool is_there = access(name.at, R_OK) == 0;
  str_done(&name);
  return is_there;
}

// -- words

// A command as a shell takes it apart: blanks, quotes, backslashes.
static void split(const char *p, text_list *ret) {
  while (*(p += strspn(p, " \t\n"))) {
    struct str word = {0};
    char quote = 0;
    str_add(&word, "%s", "");
    for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
      if (*p == quote) {
        quote = 0;
      } else if (!quote && (*p == '"' || *p == '\'')) {
        quote = *p;
      } else {
        bool is_escape = *p == '\\' && p[1] &&
                         (!quote || (quote == '"' && strchr("\"\\$`", p[1])));
        p += is_escape;
        str_add_bytes(&word, p, 1);
      }
    }
    array_push(ret, word.at);
  }
}

static bool words_of(const struct json_value *entry, text_list *ret) {
  const struct json_value *list = json_member(entry, "arguments");
  const char *command = json_string(entry, "command");
  for (uint32_t i = 0; list && i < list->count; i++) {
    if (list->items[i].kind != JSON_STRING)
      return false;
    struct str copy = {0};
    str_add(&copy, "%s", list->items[i].text);
    array_push(ret, copy.at);
  }
  if (!list && command)
    split(command, ret);
  return ret->len > 0;
}

// -- flags

// Those with a path, which is relative to the folder of the entry; the path may
// be the next word.
static const char *const of_paths[] = {"-I",         "-isystem", "-iquote",
                                       "-idirafter", "-include", "-imacros"};
// Those that are taken as they stand, with their beginning.
static const char *const of_meaning[] = {"-std=",
                                         "-ansi",
                                         "-m32",
                                         "-m64",
                                         "-march=",
                                         "-mcpu=",
                                         "--target=",
                                         "-fsigned-char",
                                         "-fno-signed-char",
                                         "-funsigned-char",
                                         "-fms-extensions",
                                         "-fplan9-extensions",
                                         "-fshort-enums",
                                         "-fwrapv",
                                         "-fpack-struct",
                                         "-fgnu89-inline"};

static bool begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static const char *path_flag(const char *word) {
  for (size_t i = 0; i < LENGTH(of_paths); i++)
    if (begins(word, of_paths[i]))
      return of_paths[i];
  return NULL;
}

static bool is_meaning(const char *word) {
  for (size_t i = 0; i < LENGTH(of_meaning); i++)
    if (begins(word, of_meaning[i]))
      return true;
  return false;
}

// The name of the macro that a flag is about: its length, or 0.
static size_t macro_length(const char *flag) {
  bool is_macro = begins(flag, "-D") || begins(flag, "-U");
  return is_macro ? strcspn(flag + 2, "=(") : 0;
}

// All files are compiled with all flags, so two that contradict each other
// cannot be had.
static bool contradicts(const char *a, const char *b) {
  size_t n = macro_length(a);
  bool is_same_macro =
      n && n == macro_length(b) && strncmp(a + 2, b + 2, n) == 0;
  return strcmp(a, b) != 0 &&
         (is_same_macro || (begins(a, "-std=") && begins(b, "-std=")));
}

// Of one file the last of several is what counts, as for a compiler.
static bool add_flag(struct inputs *in, uint32_t first, const char *file,
                     struct str *flag, struct diag *why) {
  for (uint32_t i = 0; i < in->flags.len; i++) {
    if (i < first && contradicts(in->flags.at[i], flag->at)) {
      diag_set(why, file, 0, "is compiled with %s, another file with %s",
               flag->at, in->flags.at[i]);
      diag_hint(why, "Heddle compiles all files of a program with the same "
                     "flags; give them after -- instead of -p");
      str_done(flag);
      return false;
    }
    if (i < first && strcmp(in->flags.at[i], flag->at) == 0) {
      str_done(flag);
      return true;
    }
  }
  array_push(&in->own, flag->at);
  array_push(&in->flags, flag->at);
  return true;
}

// -I and its path become one word, so that flags can be compared.
static void join_path(const char *flag, const char *value, const char *folder,
                      struct str *ret) {
  bool is_long = strcmp(flag, "-include") == 0 || strcmp(flag, "-imacros") == 0;
  struct str path = {0};
  str_add(&path, "%s/%s", folder, value);
  // -include also looks where -I does.
  bool is_relative = *value != '/' && (!is_long || access(path.at, F_OK) == 0);
  str_add(ret, "%s%s", flag, is_relative ? path.at : value);
  str_done(&path);
}

static bool add_entry(struct inputs *in, const struct json_value *entry,
                      const char *file, struct diag *why) {
  text_list all = {0};
  const char *folder = json_string(entry, "directory");
  uint32_t first = in->flags.len;
  bool ok = folder && words_of(entry, &all);
  if (!ok)
    diag_set(why, file, 0,
             "its entry in compile_commands.json has no directory, or neither "
             "arguments nor a command");
  for (uint32_t i = 1; ok && i < all.len; i++) {
    const char *word = all.at[i], *flag = path_flag(word);
    const char *next = i + 1 < all.len ? all.at[i + 1] : "";
    struct str text = {0};
    if (flag) {
      bool is_next = !word[strlen(flag)];
      join_path(flag, is_next ? next : word + strlen(flag), folder, &text);
      i += is_next;
    } else if (strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0) {
      str_add(&text, "%s%s", word, next);
      i++;
    } else if (macro_length(word) || is_meaning(word)) {
      str_add(&text, "%s", word);
    } else if (strcmp(word, "-o") == 0 || strcmp(word, "-MF") == 0 ||
               strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0) {
      i++;
    }
    ok = !text.len || add_flag(in, first, file, &text, why);
  }
  texts_done(&all);
  return ok;
}

// -- entries

static bool is_entry_of(const struct json_value *entry, const char *real) {
  const char *folder = json_string(entry, "directory");
  const char *file = json_string(entry, "file");
  if (!folder || !file)
    return false;
  struct str path = {0};
  str_add(&path, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/",
          file);
  char *own = realpath(path.at, NULL);
  bool is_same = own && strcmp(own, real) == 0;
  free(own);
  str_done(&path);
  return is_same;
}

static bool add_file(struct inputs *in, const struct json_value *all,
                     const char *file, uint32_t *found, struct diag *why) {
  char *real = realpath(file, NULL);
  bool ok = true;
  for (uint32_t i = 0; real && ok && i < all->count; i++)
    if (is_entry_of(&all->items[i], real)) {
      ok = add_entry(in, &all->items[i], file, why);
      ++*found;
      break; // the first of several, as other tools do
    }
  free(real);
  return ok;
}

bool database_add(struct inputs *in, const struct options *o,
                  struct diag *why) {
  struct str name = {0}, text = {0};
  database_name(o->compile_commands, &name);
  bool ok = read_file(name.at, &text, why);
  struct json_value *all =
      ok ? json_read(str_text(&text), text.len, why) : NULL;
  uint32_t found = 0;
  if (ok && !all)
    snprintf(why->file, sizeof why->file, "%s", name.at);
  ok = all != NULL;
  if (ok && all->kind != JSON_ARRAY)
    ok = diag_set(why, name.at, 0, "is no array of commands");
  for (uint32_t i = 0; ok && i < o->files.len; i++)
    ok = add_file(in, all, o->files.at[i], &found, why);
  if (ok && !found) {
    ok = diag_set(why, name.at, 0, "says nothing about %s", o->files.at[0]);
    diag_hint(why, "a harness of your own: name the files of the project too, "
                   "or give its flags after --");
  }
  json_free(all);
  str_done(&name);
  str_done(&text);
  return ok;
}
