// SPDX-License-Identifier: MIT
// Formatted output (C17 7.21). What the program prints is part of the trace:
// it is shown in reports and never reaches the terminal. There is no input and
// there are no files.
#pragma once

#include <heddle_cdefs.h>
#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)
#define BUFSIZ 8192

#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

typedef struct _IO_FILE FILE;

__HEDDLE_BEGIN
#ifdef __HEDDLE_RT__ // the definitions: constants, so that no read is an event
extern FILE *const stdin;
extern FILE *const stdout;
extern FILE *const stderr;
#else
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#endif

int printf(const char *__restrict format, ...);
int fprintf(FILE *__restrict file, const char *__restrict format, ...);
int dprintf(int fd, const char *__restrict format, ...);
int sprintf(char *__restrict to, const char *__restrict format, ...);
int snprintf(char *__restrict to, size_t n, const char *__restrict format, ...);
int vprintf(const char *__restrict format, va_list args);
int vfprintf(FILE *__restrict file, const char *__restrict format,
             va_list args);
int vsprintf(char *__restrict to, const char *__restrict format, va_list args);
int vsnprintf(char *__restrict to, size_t n, const char *__restrict format,
              va_list args);

int asprintf(char **__restrict ret, const char *__restrict format, ...);
int vasprintf(char **__restrict ret, const char *__restrict format,
              va_list args);
int sscanf(const char *__restrict text, const char *__restrict format, ...);
int vsscanf(const char *__restrict text, const char *__restrict format,
            va_list args);

int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int puts(const char *s);
int fputs(const char *__restrict s, FILE *__restrict file);
size_t fwrite(const void *__restrict data, size_t size, size_t count,
              FILE *__restrict file);
void perror(const char *what);

int scanf(const char *__restrict format, ...);
int fscanf(FILE *__restrict file, const char *__restrict format, ...);
int vscanf(const char *__restrict format, va_list args);
int vfscanf(FILE *__restrict file, const char *__restrict format, va_list args);
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int c, FILE *file);
char *fgets(char *__restrict to, int size, FILE *__restrict file);
size_t fread(void *__restrict to, size_t size, size_t count,
             FILE *__restrict file);
long getline(char **__restrict line, size_t *__restrict room,
             FILE *__restrict file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fflush(FILE *file);
int setvbuf(FILE *__restrict file, char *__restrict buffer, int mode,
            size_t size);
void setbuf(FILE *__restrict file, char *__restrict buffer);
void setlinebuf(FILE *file);
__HEDDLE_END

#if defined __HEDDLE_HOST__ && __has_include_next(<stdio.h>)
// What is missing here, as the host declares it.
#include_next <stdio.h>
#endif
