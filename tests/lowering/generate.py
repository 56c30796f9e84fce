# SPDX-License-Identifier: MIT
"""Random C programs without undefined behaviour, for differential.py: functions
over integers of all widths, structs by value, arrays, pointers to locals,
atomics, loops, switches and what features.py adds; main shows everything that
was computed. Every second program has threads.

With -DEXPECTED=V,W,... the program asserts that it shows these values instead of
printing them, so that Heddle compares in every execution."""

import random

import features

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef EXPECTED
static const unsigned long expected[] = {EXPECTED};
static int shown;
#define SHOW(name, value) assert((unsigned long)(value) == expected[shown++])
#else
#define SHOW(name, value) printf("%s %lu\\n", name, (unsigned long)(value))
#endif
static void bump(unsigned long *p) { *p ^= *p >> 3; }
"""
TYPES = ["unsigned char", "short", "unsigned short", "int", "unsigned",
         "long", "unsigned long", "_Bool"]
WIDE = ["unsigned", "unsigned long"]  # results of arithmetic are kept in these


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.structs = []  # lists of (type, member)
        self.globals = []  # (name, type, length or None, is_atomic)
        self.functions = []  # (name, parameter types, struct index or None)
        self.names = 0

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def pick(self, choices):
        return self.random.choice(choices)

    def struct(self):
        members = []
        for i in range(self.random.randint(1, 6)):
            kind = self.pick(TYPES + ["double", "float"])
            members.append((kind, f"m{i}"))
        index = len(self.structs)
        body = " ".join(f"{t} {m};" for t, m in members)
        sum_up = " + ".join(f"(unsigned long)s.{m}" for _, m in members)
        change = " ".join(f"p->{m} = ({t})((v + {i}) & 63);"
                          for i, (t, m) in enumerate(members))
        self.lines += [
            f"struct s{index} {{ {body} }};",
            f"static struct s{index} h{index}[2];",
            f"static unsigned long sum{index}(struct s{index} s) "
            f"{{ return {sum_up}; }}",
            f"static void change{index}(struct s{index} *p, unsigned long v) "
            f"{{ {change} }}"]
        self.structs.append(members)

    def variable(self):
        name, kind = self.fresh("g"), self.pick(TYPES[:-1])
        shape = self.random.randrange(3)
        if shape == 0:
            length = self.pick([1, 4, 8])
            values = ", ".join(str(self.random.randrange(100))
                               for _ in range(length))
            self.lines.append(f"{kind} {name}[{length}] = {{{values}}};")
            self.globals.append((name, kind, length, False))
        else:
            atomic = shape == 1
            prefix = "_Atomic " if atomic else ""
            self.lines.append(
                f"{prefix}{kind} {name} = {self.random.randrange(100)};")
            self.globals.append((name, kind, None, atomic))

    # Expressions of type `unsigned long`, so that nothing overflows.
    def expression(self, scope, depth=3):
        roll = self.random.randrange(10)
        if depth == 0 or roll < 2:
            return self.leaf(scope)
        a = self.expression(scope, depth - 1)
        b = self.expression(scope, depth - 1)
        if roll < 5:
            return f"({a} {self.pick('+-*&|^')} {b})"
        if roll == 5:
            return f"({a} {self.pick(['/', '%'])} ({b} | 1))"
        if roll == 6:
            return f"({a} {self.pick(['<<', '>>'])} ({b} & 31))"
        if roll == 7:
            how = self.pick(["<", "<=", "==", "!=", ">", "&&", "||"])
            return f"(unsigned long)({a} {how} {b})"
        if roll == 8:
            return f"({a} ? {b} : {self.leaf(scope)})"
        return f"(unsigned long)({self.pick(TYPES)})({a} & 127)"

    def leaf(self, scope):
        roll = self.random.randrange(4)
        if roll == 0 or not scope:
            return f"{self.random.randrange(1 << self.pick([4, 12, 40]))}ul"
        if roll == 1 and self.globals:
            name, _, length, _ = self.pick(self.globals)
            place = f"{name}[{self.pick(scope)} & {length - 1}]" if length \
                else name
            return f"(unsigned long){place}"
        return self.pick(scope)

    def assignment(self, scope):
        value = self.expression(scope)
        if self.globals and self.random.randrange(2):
            name, kind, length, atomic = self.pick(self.globals)
            if atomic:
                if self.random.randrange(2):
                    how = self.pick(["add", "sub", "or", "and", "xor"])
                    return [f"atomic_fetch_{how}(&{name}, ({kind})({value} & 63));"]
                return [f"atomic_store(&{name}, ({kind})({value} & 127));"]
            place = f"{name}[{self.expression(scope, 1)} & {length - 1}]" \
                if length else name
            return [f"{place} = ({kind})({value} & 127);"]
        target = self.pick(scope)
        return [f"{target} {self.pick(['=', '+=', '^=', '-='])} {value};"]

    def struct_statement(self, scope):
        index = self.random.randrange(len(self.structs))
        target, other = self.pick(["h%d[0]", "h%d[1]"]), self.pick(scope)
        target = target % index
        return self.pick([
            [f"{other} += sum{index}({target});"],
            [f"change{index}(&{target}, {self.expression(scope, 1)});"],
            [f"h{index}[0] = h{index}[{other} & 1];"],
            [f"memcpy(&h{index}[1], &h{index}[0], sizeof h{index}[0]);"],
            [f"memset(&{target}, 0, sizeof {target});"],
            ["{", f"struct s{index} local = {target};",
             f"change{index}(&local, {self.expression(scope, 1)});",
             f"{other} ^= sum{index}(local);", f"{target} = local;", "}"]])

    def call(self, scope):
        if not self.functions:
            return self.assignment(scope)
        name, count, struct = self.pick(self.functions)
        values = [self.expression(scope, 1) for _ in range(count)]
        if struct is None:
            return [f"{self.pick(scope)} += {name}({', '.join(values)});"]
        local = self.fresh("r")
        lines = [f"struct s{struct} {local} = {name}({', '.join(values)});"]
        for _, member in self.structs[struct]:
            lines.append(f"{self.pick(scope)} += (unsigned long){local}.{member};")
        return lines

    def statements(self, scope, depth, count):
        lines = []
        for _ in range(count):
            roll = self.random.randrange(12)
            if roll > 8:
                lines += self.pick(features.STATEMENTS)(self, scope)
            elif roll == 8:
                lines += self.struct_statement(scope)
            elif roll < 3 or depth == 0:
                lines += self.assignment(scope)
            elif roll == 3:
                lines += self.call(scope)
            elif roll == 4:
                index = self.fresh("i")
                bound = self.random.randint(1, 4)
                lines.append(f"for (unsigned long {index} = 0; "
                             f"{index} < {bound}; {index}++) {{")
                lines += self.statements(scope, depth - 1, 2)
                if self.random.randrange(3) == 0:
                    lines.append(f"if ({self.expression(scope, 1)} & 1) "
                                 f"{self.pick(['break', 'continue'])};")
                lines.append("}")
            elif roll == 5:
                lines.append(f"if ({self.expression(scope)}) {{")
                lines += self.statements(scope, depth - 1, 2)
                lines.append("} else {")
                lines += self.statements(scope, depth - 1, 1)
                lines.append("}")
            elif roll == 6:
                lines.append(f"switch ({self.expression(scope)} & 3) {{")
                for case in range(self.random.randint(1, 3)):
                    lines.append(f"case {case}:")
                    lines += self.statements(scope, 0, 1)
                    if self.random.randrange(3):
                        lines.append("break;")
                lines.append("default:")
                lines += self.statements(scope, 0, 1)
                lines.append("}")
            else:
                pointer = self.fresh("p")
                lines.append("{")
                lines.append(f"unsigned long *{pointer} = &{self.pick(scope)};")
                lines.append(f"*{pointer} += {self.expression(scope, 2)};")
                lines.append(f"bump({pointer});")
                lines.append("}")
        return lines

    def function(self):
        name, count = self.fresh("f"), self.random.randint(0, 8)
        scope = [self.fresh("a") for _ in range(count)]
        struct = self.random.randrange(len(self.structs)) \
            if self.random.randrange(2) else None
        parameters = ", ".join(f"unsigned long {a}" for a in scope) or "void"
        result = f"struct s{struct}" if struct is not None else "unsigned long"
        self.lines.append(f"static {result} {name}({parameters}) {{")
        for _ in range(2):
            local = self.fresh("v")
            self.lines.append(f"unsigned long {local} = "
                              f"{self.expression(scope, 1)};")
            scope.append(local)
        self.lines += self.statements(scope, 2, 4)
        if struct is None:
            self.lines.append(f"return {self.expression(scope)};")
        else:
            self.lines.append(f"struct s{struct} result;")
            for kind, member in self.structs[struct]:
                self.lines.append(
                    f"result.{member} = ({kind})({self.expression(scope, 2)} & 127);")
            self.lines.append("return result;")
        self.lines.append("}")
        self.functions.append((name, count, struct))

    def local_statements(self, scope, count):
        """Statements on locals alone, as a thread may do them."""
        shared, self.globals = self.globals, []
        makers = [f for f in features.STATEMENTS
                  if f not in features.ON_GLOBALS]
        lines = []
        for _ in range(count):
            lines += (self.pick(makers)(self, scope)
                      if self.random.randrange(2) else self.assignment(scope))
        self.globals = shared
        return lines

    def show_everything(self):
        self.lines += [f'SHOW("{v}", {v});' for v in "xyz"]
        for name, _, length, _ in self.globals:
            for i in range(length or 1):
                place = f"{name}[{i}]" if length else name
                self.lines.append(f'SHOW("{place}", {place});')
        for i in range(len(self.structs)):
            self.lines += [f'SHOW("h{i}", sum{i}(h{i}[{k}]));'
                           for k in range(2)]
        self.lines.append('SHOW("fields", fields_sum(fields));')

    def program(self):
        has_threads = self.random.randrange(2)
        self.lines = (HEAD + features.DECLARATIONS).splitlines()
        for _ in range(3):
            self.struct()
        for _ in range(6):
            self.variable()
        for _ in range(6):
            self.function()
        if has_threads:
            self.lines += features.SHARED.splitlines()
            for i in range(2):
                self.lines += features.thread(self, i)
        self.lines.append("int main(void) {")
        self.lines.append("unsigned long x = 1, y = 2, z = 3;")
        self.lines += self.statements(["x", "y", "z"], 3, 8)
        self.show_everything()
        if has_threads:
            self.lines += features.threads_in_main()
        self.lines.append("return (int)(x & 127);")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"
