// SPDX-License-Identifier: MIT
// Standard input: the text of --stdin FILE, which the front end puts here, or
// nothing that a program may read. Where reading has come to is shared by all
// threads, behind a lock, as in stdio.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "sync.h"

// front/lower/arguments.c knows these names.
const char *__heddle_stdin;
unsigned long __heddle_stdin_size;

static struct {
  int lock;
  int is_over; // somebody wanted more than there was
  unsigned long at;
} input;

void __heddle_unsupported_reading_stdin_without_the_option_stdin(void);
void __heddle_unsupported_reading_a_file(void);

static void begin(FILE *file) {
  if (file != stdin)
    __heddle_unsupported_reading_a_file();
  if (!__heddle_stdin)
    __heddle_unsupported_reading_stdin_without_the_option_stdin();
  __heddle_lock(&input.lock);
}

static void end(void) {
  __heddle_unlock(&input.lock);
}

// The next character; EOF: there is none.
static int next(void) {
  if (input.at < __heddle_stdin_size)
    return (unsigned char)__heddle_stdin[input.at++];
  input.is_over = 1;
  return EOF;
}

int fgetc(FILE *file) {
  begin(file);
  int c = next();
  end();
  return c;
}

int getc(FILE *file) {
  return fgetc(file);
}

int getchar(void) {
  return fgetc(stdin);
}

// Only what was read can be given back.
int ungetc(int c, FILE *file) {
  begin(file);
  int ok = c != EOF && input.at && __heddle_stdin[input.at - 1] == (char)c;
  input.at -= (unsigned long)ok;
  input.is_over &= !ok;
  end();
  return ok ? c : EOF;
}

char *fgets(char *restrict to, int size, FILE *restrict file) {
  int n = 0, c = 0;
  begin(file);
  while (n + 1 < size && c != '\n' && (c = next()) != EOF)
    to[n++] = (char)c;
  end();
  if (!n)
    return NULL;
  to[n] = 0;
  return to;
}

size_t fread(void *restrict to, size_t size, size_t count,
             FILE *restrict file) {
  size_t n = 0;
  int c;
  begin(file);
  while (n < size * count && (c = next()) != EOF)
    ((char *)to)[n++] = (char)c;
  end();
  return size ? n / size : 0;
}

ssize_t read(int file, void *to, size_t size) {
  cancel_point();
  return (ssize_t)fread(to, 1, size, file == 0 ? stdin : NULL);
}

ssize_t getline(char **restrict line, size_t *restrict room,
                FILE *restrict file) {
  size_t n = 0;
  int c = 0;
  begin(file);
  while (c != '\n' && (c = next()) != EOF) {
    if (!*line || n + 2 > *room) {
      *room = (n + 2) * 2;
      *line = realloc(*line, *room);
    }
    (*line)[n++] = (char)c;
  }
  end();
  if (n)
    (*line)[n] = 0;
  return n ? (ssize_t)n : -1;
}

int feof(FILE *file) {
  return file == stdin && __heddle_stdin && input.is_over;
}

void clearerr(FILE *file) {
  if (file == stdin && __heddle_stdin)
    input.is_over = 0;
}

int ferror(FILE *file) {
  (void)file;
  return 0;
}

int __heddle_scan(const char *text, const char **end, const char *format,
                  va_list args, int is_c23);

static int scan(FILE *file, const char *format, va_list args, int is_c23) {
  const char *stop;
  begin(file);
  int n = __heddle_scan(__heddle_stdin + input.at, &stop, format, args, is_c23);
  input.at = (unsigned long)(stop - __heddle_stdin);
  input.is_over |= n == EOF;
  end();
  return n;
}

// glibc's headers have other names for them, as for sscanf.
#define SCANF(prefix, is_c23)                                                  \
  int prefix##scanf(const char *restrict format, ...);                         \
  int prefix##fscanf(FILE *restrict file, const char *restrict format, ...);   \
  int prefix##vscanf(const char *restrict format, va_list args);               \
  int prefix##vfscanf(FILE *restrict file, const char *restrict format,        \
                      va_list args);                                           \
  int prefix##vfscanf(FILE *restrict file, const char *restrict format,        \
                      va_list args) {                                          \
    return scan(file, format, args, is_c23);                                   \
  }                                                                            \
  int prefix##vscanf(const char *restrict format, va_list args) {              \
    return scan(stdin, format, args, is_c23);                                  \
  }                                                                            \
  int prefix##scanf(const char *restrict format, ...) {                        \
    va_list args;                                                              \
    va_start(args, format);                                                    \
    int n = scan(stdin, format, args, is_c23);                                 \
    va_end(args);                                                              \
    return n;                                                                  \
  }                                                                            \
  int prefix##fscanf(FILE *restrict file, const char *restrict format, ...) {  \
    va_list args;                                                              \
    va_start(args, format);                                                    \
    int n = scan(file, format, args, is_c23);                                  \
    va_end(args);                                                              \
    return n;                                                                  \
  }
SCANF(, 0)
SCANF(__isoc99_, 0)
SCANF(__isoc23_, 1)
