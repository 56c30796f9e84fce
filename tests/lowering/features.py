# SPDX-License-Identifier: MIT
"""Parts of C for generate.py that deserve more than an expression: bit-fields,
unions, copies of bytes, variable arguments, floating point, 128-bit integers,
longjmp, vectors, arrays of variable length, linker sets, large atomic objects,
and threads that share without racing.

Each feature declares what it needs once (DECLARATIONS) and makes statements
that mix it with the variables in scope, all of type `unsigned long`. None of
them is undefined or depends on the compiler. What is read in another size than
it was written is local, since other threads' memory has one size a place.
"""

DECLARATIONS = """\
struct bits {
  unsigned a : 3;
  int b : 7;
  unsigned long c : 33;
  _Bool d : 1;
  signed char e : 5;
  unsigned : 0;
  unsigned short f : 9, g : 7;
  long h : 64;
};
struct packed_bits { unsigned char x : 1; int y : 20, z : 11; }
    __attribute__((packed));
static struct bits fields;
static struct packed_bits packed[2];
union word {
  unsigned long whole;
  unsigned half[2];
  unsigned short quarter[4];
  unsigned char byte[8];
  double real;
  struct { float low, high; } pair;
  struct { unsigned a : 5, b : 27; unsigned long c : 32; } fields;
};
struct mixed { char c; double d; short s; float f; };
typedef unsigned vec4 __attribute__((vector_size(16)));
typedef unsigned long vec2 __attribute__((vector_size(16)));
typedef unsigned char vec16 __attribute__((vector_size(16)));
static vec4 lanes = {3, 1, 4, 1};
struct large { unsigned long a, b, c, d; };
static _Atomic struct large large;
struct beside { atomic_uint lock; unsigned x : 5, y : 11; atomic_uchar c; };
static struct beside beside;
static volatile unsigned long set_a __attribute__((section("randset"), used)) = 5;
static volatile unsigned long set_b __attribute__((section("randset"), used)) = 6;
static volatile unsigned long set_c __attribute__((section("randset"), used)) = 7;
extern volatile unsigned long __start_randset[], __stop_randset[];
static unsigned long leap(jmp_buf *to, unsigned long depth, unsigned long v) {
  if (depth)
    return leap(to, depth - 1, v * 3 + 1) + 1;
  if (v & 1)
    longjmp(*to, (int)(v & 0xfff) + 1);
  return v;
}
static unsigned long bits_of(double x) {
  unsigned long u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static double bounded(double x) {
  return x > 1e9 || x < -1e9 || x != x ? 0.5 : x;
}
static unsigned long fields_sum(struct bits s) {
  return s.a + (unsigned long)s.b * 3 + s.c * 5 + s.d + (unsigned long)s.e * 7 +
         s.f + s.g * 11ul + (unsigned long)s.h;
}
static unsigned long gather(const char *kinds, ...) {
  unsigned long sum = 0;
  va_list ap, again;
  va_start(ap, kinds);
  va_copy(again, ap);
  for (const char *k = kinds; *k; k++)
    switch (*k) {
    case 'i':
      sum = sum * 31 + (unsigned long)va_arg(ap, int);
      break;
    case 'l':
      sum = sum * 31 + va_arg(ap, unsigned long);
      break;
    case 'd':
      sum = sum * 31 + bits_of(va_arg(ap, double));
      break;
    case 'm': {
      struct mixed m = va_arg(ap, struct mixed);
      sum = sum * 31 + (unsigned long)m.c + bits_of(m.d) + bits_of(m.f) +
            (unsigned long)m.s;
      break;
    }
    case 'p':
      sum = sum * 31 + *va_arg(ap, unsigned long *);
      break;
    default:
      sum += 1000;
    }
  if (*kinds == 'i')
    sum ^= (unsigned long)va_arg(again, int);
  va_end(again);
  va_end(ap);
  return sum;
}
"""


def bit_fields(g, scope):
    """Members of odd widths, written and read."""
    member = g.pick("abcdefgh")
    value, target = g.expression(scope, 1), g.pick(scope)
    index = g.random.randrange(2)
    part = g.pick("xyz")
    return g.pick([
        [f"fields.{member} = {value};",
         f"{target} += (unsigned long)fields.{member};"],
        [f"fields.{member} {g.pick(['+=', '^=', '|=', '&='])} ({value} & 7);"],
        [f"{target} ^= fields_sum(fields);"],
        ["{", "struct bits copy = fields;", f"copy.{member} = {value};",
         f"{target} += fields_sum(copy);", "}"],
        [f"packed[{index}].{part} = {value} & 1023;",
         f"{target} += (unsigned long)packed[{index}].{part};"]])


def unions(g, scope):
    """Written as one member, read as another."""
    name, target = g.fresh("u"), g.pick(scope)
    writes = [f"{name}.whole = {g.expression(scope, 1)};",
              f"{name}.half[{g.random.randrange(2)}] = "
              f"(unsigned){g.expression(scope, 1)};",
              f"{name}.quarter[{g.random.randrange(4)}] += 77;",
              f"{name}.byte[{g.pick(scope)} & 7] = "
              f"(unsigned char){g.pick(scope)};",
              f"{name}.real = (double)({g.pick(scope)} & 4095) / 3;",
              f"{name}.pair.high = (float)({g.pick(scope)} & 255) * 0.1f;",
              f"{name}.fields.b = (unsigned){g.pick(scope)} & 0x7ffffff;"]
    g.random.shuffle(writes)
    reads = [f"{target} += {name}.whole;",
             f"{target} ^= {name}.half[{g.pick(scope)} & 1];",
             f"{target} += {name}.quarter[{g.pick(scope)} & 3];",
             f"{target} -= {name}.byte[{g.pick(scope)} & 7];",
             f"{target} += {name}.fields.a + {name}.fields.c;"]
    return ["{", f"union word {name} = {{{g.expression(scope, 1)}}};",
            *writes[:g.random.randint(1, 4)],
            *g.random.sample(reads, 2), "}"]


def copies(g, scope):
    """Bytes moved around in local memory, by any amount."""
    name, target = g.fresh("t"), g.pick(scope)
    start, length = g.random.randrange(8), g.random.randint(1, 16)
    lines = ["{", f"unsigned char {name}[32];",
             f"memset({name}, {g.random.randrange(256)}, sizeof {name});",
             f"memcpy({name} + {start}, &{g.pick(scope)}, 8);"]
    lines.append(g.pick([
        f"memmove({name} + {g.random.randrange(8)}, {name} + {start}, "
        f"{length});",
        f"memcpy({name} + 16, {name}, {length});",
        f"{name}[{g.pick(scope)} & 31] ^= 0x5a;"]))
    read = g.fresh("w")
    lines += [f"unsigned long {read} = 0;",
              f"memcpy(&{read}, {name} + {g.random.randrange(24)}, "
              f"{g.random.randint(1, 8)});",
              f"{target} += {read} + (unsigned long)(memcmp({name}, "
              f"{name} + {start}, {length}) > 0);", "}"]
    return lines


def variable_arguments(g, scope):
    kinds, values, before = "", [], []
    for _ in range(g.random.randint(0, 9)):
        kind = g.pick("iilddmp")
        kinds += kind
        if kind == "i":
            values.append(f"(int)({g.expression(scope, 1)} & 0x7fffffff)")
        elif kind == "l":
            values.append(g.expression(scope, 1))
        elif kind == "d":
            values.append(f"(double)({g.pick(scope)} & 0xffff) / "
                          f"{g.random.randint(1, 9)}.0")
        elif kind == "m":
            values.append(f"(struct mixed){{1, {g.random.randrange(99)}.5, "
                          f"(short)({g.pick(scope)} & 99), 0.25f}}")
        else:
            values.append(f"&{g.pick(scope)}")
    call = ", ".join([f'"{kinds}"', *values])
    return [*before, f"{g.pick(scope)} += gather({call});"]


def floats(g, scope):
    name, kind = g.fresh("d"), g.pick(["double", "double", "float"])
    a = f"({kind})(long)({g.expression(scope, 1)} & 0xfffff)"
    steps = [f"{name} = ({kind})bounded({name} {g.pick('+-*')} {a});",
             f"{name} = ({kind})bounded({name} / ({a} + 1));",
             f"{name} = {name} < {a} ? -{name} : {name} * ({kind})0.1;",
             f"{name} += ({kind})(({g.pick(scope)} & 1) ? 1e-9 : 1e9);",
             f"if ({name} {g.pick(['<', '<=', '>', '==', '!='])} {a}) "
             f"{name} = ({kind}){g.random.randrange(50)};",
             f"{name} = __builtin_fabs({name});"]
    g.random.shuffle(steps)
    target = g.pick(scope)
    return ["{", f"{kind} {name} = {a} / 7;",
            *steps[:g.random.randint(1, 4)],
            f"{target} ^= bits_of({name});",
            f"{target} += (unsigned long)(long)bounded({name});", "}"]


def wide(g, scope):
    name, target = g.fresh("q"), g.pick(scope)
    kind = g.pick(["unsigned __int128", "__int128"])
    a = f"({kind})(({kind}){g.expression(scope, 1)} & 0xffffffffffff)"
    steps = [f"{name} {g.pick(['+=', '^=', '|=', '&='])} {a};",
             f"{name} = ({kind})((unsigned __int128){name} * 3 - 1);",
             f"{name} = ({kind})((unsigned __int128){name} << "
             f"({g.pick(scope)} & 127));",
             f"{name} = ({kind})((unsigned __int128){name} >> "
             f"({g.pick(scope)} & 127));",
             f"{target} += {name} {g.pick(['<', '>', '==', '<='])} {a};"]
    g.random.shuffle(steps)
    return ["{", f"{kind} {name} = {a};", *steps[:g.random.randint(1, 4)],
            f"{target} ^= (unsigned long){name};",
            f"{target} += (unsigned long)((unsigned __int128){name} >> 64);",
            "}"]


def jumps(g, scope):
    """Out of some calls, or not; tries are counted in a volatile variable."""
    buf, tries, way = g.fresh("jb"), g.fresh("n"), g.fresh("way")
    target, value = g.pick(scope), g.expression(scope, 1)
    return ["{", "jmp_buf " + buf + ";",
            f"volatile unsigned long {tries} = 0;",
            f"int {way} = setjmp({buf});", f"{tries}++;",
            f"if ({tries} < {g.random.randint(2, 4)})",
            f"{target} += leap(&{buf}, {g.random.randrange(4)}, {value});",
            f"{target} ^= (unsigned long){way} + {tries};", "}"]


def vectors(g, scope):
    name, target = g.fresh("v"), g.pick(scope)
    lane = f"{g.pick(scope)} & 3"
    other = (f"(vec4){{(unsigned){g.pick(scope)}, {g.random.randrange(9)}, "
             f"(unsigned)({g.expression(scope, 1)}), 7}}")
    mask = ", ".join(str(g.random.randrange(8)) for _ in range(4))
    steps = [f"{name} {g.pick(['+=', '-=', '*=', '^=', '|=', '&='])} {other};",
             f"{name} = {name} {g.pick(['<<', '>>'])} {g.random.randrange(32)};",
             f"{name} = {name} / ({other} | 1);",
             f"{name} += (vec4)({name} {g.pick(['<', '==', '>='])} {other});",
             f"{name}[{lane}] += 3;",
             f"{name} = __builtin_shufflevector({name}, {other}, {mask});",
             f"{name} = (vec4)((vec2){name} + {g.random.randrange(99)});",
             f"{name} = (vec4)((vec16){name} ^ (vec16){other});"]
    if g.globals:  # else it is for a thread
        steps += [f"lanes += {name};", f"{name} ^= lanes;"]
    g.random.shuffle(steps)
    return ["{", f"vec4 {name} = {other};", *steps[:g.random.randint(1, 5)],
            f"{target} += {name}[{lane}] + {name}[{g.random.randrange(4)}];",
            "}"]


def variable_length(g, scope):
    name, n = g.fresh("a"), g.fresh("k")
    target = g.pick(scope)
    take = g.pick([f"unsigned long {name}[{n}];",
                   f"unsigned long *{name} = __builtin_alloca({n} * 8);"])
    return ["{", f"unsigned long {n} = ({g.pick(scope)} & 7) + 1;", take,
            f"for (unsigned long i = 0; i < {n}; i++)",
            f"{name}[i] = {g.expression(scope, 1)} + i;",
            f"for (unsigned long i = 0; i < {n}; i++)",
            f"{target} = {target} * 5 + {name}[i];", "}"]


def linker_sets(g, scope):
    target = g.pick(scope)
    return [f"set_{g.pick('abc')} += {g.expression(scope, 1)};",
            "for (volatile unsigned long *p = __start_randset; p < __stop_randset; p++)",
            f"{target} += *p;",
            f"{target} += (unsigned long)(__stop_randset - __start_randset);"]


def large_atomics(g, scope):
    name, target = g.fresh("o"), g.pick(scope)
    value = (f"((struct large){{{g.expression(scope, 1)}, {g.pick(scope)}, 3, "
             f"{g.pick(scope)} & 1}})")
    step = g.pick([f"atomic_store(&large, {value});",
                   f"{name} = atomic_exchange(&large, {value});",
                   f"{target} += atomic_compare_exchange_strong(&large, "
                   f"&{name}, {value});"])
    return ["{", f"struct large {name} = atomic_load(&large);", step,
            f"{target} ^= {name}.a + {name}.b * 3 + {name}.d;",
            f"beside.{g.pick('xy')} = (unsigned){g.pick(scope)} & 31;",
            f"atomic_fetch_add(&beside.{g.pick(['lock', 'c'])}, 3);",
            f"{target} += beside.x + beside.y * 7 + beside.lock + beside.c;",
            "}"]


def divisions(g, scope):
    a, b, target = g.fresh("p"), g.fresh("q"), g.pick(scope)
    kind = g.pick(["unsigned __int128", "__int128"])
    return ["{", f"{kind} {a} = ({kind}){g.expression(scope, 1)} * 1000003;",
            f"{kind} {b} = ({kind})({g.expression(scope, 1)} | 1);",
            f"{target} += (unsigned long)({a} / {b});",
            f"{target} ^= (unsigned long)({a} % {b});", "}"]


STATEMENTS = [bit_fields, unions, copies, variable_arguments, floats, wide,
              jumps, vectors, variable_length, linker_sets, large_atomics,
              divisions]
ON_GLOBALS = [bit_fields, linker_sets, large_atomics]  # not for threads

# Threads. What they share is under the mutex and only ever added to, or atomic,
# or handed over at the creation and the end of a thread: the result is the same
# in every order.
SHARED = """\
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;
static struct bits guarded;
static atomic_ulong counter;
struct task { unsigned long in, out; unsigned char bytes[16]; };
static struct task tasks[2];
"""


def thread(g, index):
    """A thread function on tasks[index]."""
    lines = [f"static void *work{index}(void *argument) {{",
             "struct task *task = argument;",
             "unsigned long x = task->in, y = 5, z = x ^ 9;"]
    lines += g.local_statements(["x", "y", "z"], 5)
    lines += ["pthread_mutex_lock(&mutex);", "total += x & 0xffff;",
              f"guarded.{g.pick('afg')} += {g.random.randrange(1, 4)};",
              "pthread_mutex_unlock(&mutex);"]
    order = g.pick(["relaxed", "acq_rel", "seq_cst"])
    lines.append("atomic_fetch_add_explicit(&counter, y & 0xff, "
                 f"memory_order_{order});")
    lines += [f"for (int i = 0; i < {g.random.randrange(17)}; i++)",
              "task->bytes[i] = (unsigned char)(z + (unsigned)i);",
              "task->out = x + z;", "return task;", "}"]
    return lines


def threads_in_main():
    """Statements of main: starts the threads and takes what they made."""
    lines = ["pthread_t ids[2];", "unsigned long ended = 0;"]
    for i in range(2):
        lines += [f"tasks[{i}].in = x + {i};",
                  f"pthread_create(&ids[{i}], NULL, work{i}, &tasks[{i}]);"]
    lines += ["for (int i = 0; i < 2; i++) {", "void *result;",
              "pthread_join(ids[i], &result);",
              "ended += ((struct task *)result)->out;",
              "for (int k = 0; k < 16; k++)",
              "ended += tasks[i].bytes[k] * (unsigned)(k + 1);", "}",
              'SHOW("ended", ended);', 'SHOW("total", total);',
              'SHOW("counter", atomic_load(&counter));',
              'SHOW("guarded", fields_sum(guarded));']
    return lines
