// SPDX-License-Identifier: MIT
// What errors are called, as glibc says it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <string.h>

int __xpg_strerror_r(int error, char *to, size_t size);

static const char *const texts[] = {
    [0] = "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [6] = "No such device or address", // ENXIO
    [E2BIG] = "Argument list too long",
    [8] = "Exec format error", // ENOEXEC
    [EBADF] = "Bad file descriptor",
    [ECHILD] = "No child processes",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EFAULT] = "Bad address",
    [15] = "Block device required", // ENOTBLK
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [18] = "Invalid cross-device link", // EXDEV
    [ENODEV] = "No such device",
    [20] = "Not a directory", // ENOTDIR
    [21] = "Is a directory",  // EISDIR
    [EINVAL] = "Invalid argument",
    [ENFILE] = "Too many open files in system",
    [EMFILE] = "Too many open files",
    [ENOTTY] = "Inappropriate ioctl for device",
    [26] = "Text file busy", // ETXTBSY
    [27] = "File too large", // EFBIG
    [ENOSPC] = "No space left on device",
    [29] = "Illegal seek",          // ESPIPE
    [30] = "Read-only file system", // EROFS
    [31] = "Too many links",        // EMLINK
    [EPIPE] = "Broken pipe",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [37] = "No locks available", // ENOLCK
    [ENOSYS] = "Function not implemented",
    [39] = "Directory not empty",               // ENOTEMPTY
    [40] = "Too many levels of symbolic links", // ELOOP
    [42] = "No message of desired type",        // ENOMSG
    [43] = "Identifier removed",                // EIDRM
    [44] = "Channel number out of range",       // ECHRNG
    [45] = "Level 2 not synchronized",          // EL2NSYNC
    [46] = "Level 3 halted",                    // EL3HLT
    [47] = "Level 3 reset",                     // EL3RST
    [48] = "Link number out of range",          // ELNRNG
    [49] = "Protocol driver not attached",      // EUNATCH
    [50] = "No CSI structure available",        // ENOCSI
    [51] = "Level 2 halted",                    // EL2HLT
    [52] = "Invalid exchange",                  // EBADE
    [53] = "Invalid request descriptor",        // EBADR
    [54] = "Exchange full",                     // EXFULL
    [55] = "No anode",                          // ENOANO
    [56] = "Invalid request code",              // EBADRQC
    [57] = "Invalid slot",                      // EBADSLT
    [59] = "Bad font file format",              // EBFONT
    [60] = "Device not a stream",               // ENOSTR
    [61] = "No data available",                 // ENODATA
    [62] = "Timer expired",                     // ETIME
    [63] = "Out of streams resources",          // ENOSR
    [64] = "Machine is not on the network",     // ENONET
    [65] = "Package not installed",             // ENOPKG
    [66] = "Object is remote",                  // EREMOTE
    [67] = "Link has been severed",             // ENOLINK
    [68] = "Advertise error",                   // EADV
    [69] = "Srmount error",                     // ESRMNT
    [70] = "Communication error on send",       // ECOMM
    [71] = "Protocol error",                    // EPROTO
    [72] = "Multihop attempted",                // EMULTIHOP
    [73] = "RFS specific error",                // EDOTDOT
    [74] = "Bad message",                       // EBADMSG
    [EOVERFLOW] = "Value too large for defined data type",
    [76] = "Name not unique on network",                      // ENOTUNIQ
    [77] = "File descriptor in bad state",                    // EBADFD
    [78] = "Remote address changed",                          // EREMCHG
    [79] = "Can not access a needed shared library",          // ELIBACC
    [80] = "Accessing a corrupted shared library",            // ELIBBAD
    [81] = ".lib section in a.out corrupted",                 // ELIBSCN
    [82] = "Attempting to link in too many shared libraries", // ELIBMAX
    [83] = "Cannot exec a shared library directly",           // ELIBEXEC
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [85] = "Interrupted system call should be restarted", // ERESTART
    [86] = "Streams pipe error",                          // ESTRPIPE
    [87] = "Too many users",                              // EUSERS
    [88] = "Socket operation on non-socket",              // ENOTSOCK
    [89] = "Destination address required",                // EDESTADDRREQ
    [90] = "Message too long",                            // EMSGSIZE
    [91] = "Protocol wrong type for socket",              // EPROTOTYPE
    [92] = "Protocol not available",                      // ENOPROTOOPT
    [93] = "Protocol not supported",                      // EPROTONOSUPPORT
    [94] = "Socket type not supported",                   // ESOCKTNOSUPPORT
    [EOPNOTSUPP] = "Operation not supported",
    [96] = "Protocol family not supported",                  // EPFNOSUPPORT
    [97] = "Address family not supported by protocol",       // EAFNOSUPPORT
    [98] = "Address already in use",                         // EADDRINUSE
    [99] = "Cannot assign requested address",                // EADDRNOTAVAIL
    [100] = "Network is down",                               // ENETDOWN
    [101] = "Network is unreachable",                        // ENETUNREACH
    [102] = "Network dropped connection on reset",           // ENETRESET
    [103] = "Software caused connection abort",              // ECONNABORTED
    [104] = "Connection reset by peer",                      // ECONNRESET
    [105] = "No buffer space available",                     // ENOBUFS
    [106] = "Transport endpoint is already connected",       // EISCONN
    [107] = "Transport endpoint is not connected",           // ENOTCONN
    [108] = "Cannot send after transport endpoint shutdown", // ESHUTDOWN
    [109] = "Too many references: cannot splice",            // ETOOMANYREFS
    [ETIMEDOUT] = "Connection timed out",
    [111] = "Connection refused",            // ECONNREFUSED
    [112] = "Host is down",                  // EHOSTDOWN
    [113] = "No route to host",              // EHOSTUNREACH
    [114] = "Operation already in progress", // EALREADY
    [115] = "Operation now in progress",     // EINPROGRESS
    [116] = "Stale file handle",             // ESTALE
    [117] = "Structure needs cleaning",      // EUCLEAN
    [118] = "Not a XENIX named type file",   // ENOTNAM
    [119] = "No XENIX semaphores available", // ENAVAIL
    [120] = "Is a named type file",          // EISNAM
    [121] = "Remote I/O error",              // EREMOTEIO
    [122] = "Disk quota exceeded",           // EDQUOT
    [123] = "No medium found",               // ENOMEDIUM
    [124] = "Wrong medium type",             // EMEDIUMTYPE
    [ECANCELED] = "Operation canceled",
    [126] = "Required key not available",  // ENOKEY
    [127] = "Key has expired",             // EKEYEXPIRED
    [128] = "Key has been revoked",        // EKEYREVOKED
    [129] = "Key was rejected by service", // EKEYREJECTED
    [EOWNERDEAD] = "Owner died",
    [ENOTRECOVERABLE] = "State not recoverable",
    [132] = "Operation not possible due to RF-kill", // ERFKILL
};

static const char *text_of(int error) {
  return error >= 0 && error < (int)(sizeof texts / sizeof *texts)
             ? texts[error]
             : NULL;
}

// A number without a name is written where the next one is, too.
char *strerror(int error) {
  static _Thread_local char other[32];
  const char *text = text_of(error);
  if (text)
    return (char *)text;
  snprintf(other, sizeof other, "Unknown error %d", error);
  return other;
}

// That of POSIX, and that of GNU, which need not use the room.
int __xpg_strerror_r(int error, char *to, size_t size) {
  const char *text = text_of(error);
  int n = text ? snprintf(to, size, "%s", text)
               : snprintf(to, size, "Unknown error %d", error);
  return !text ? EINVAL : (size_t)n >= size ? ERANGE : 0;
}

char *strerror_r(int error, char *to, size_t size) {
  const char *text = text_of(error);
  if (text)
    return (char *)text;
  snprintf(to, size, "Unknown error %d", error);
  return to;
}
