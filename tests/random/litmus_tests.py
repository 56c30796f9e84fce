# SPDX-License-Identifier: MIT
"""Random litmus tests of all languages: two or three threads with a few
accesses of x and y, barriers, updates, and dependencies of all kinds.

A thread is a list of parts. A part is a list of rows or statements, or a Load,
which a test may wait on: then a loop reads until it sees a value."""
import re

AARCH64 = {
    "name": "AArch64", "init": "{p}:X1=x; {p}:X3=y;", "register": "X{}",
    "at": [1, 3], "to": [5, 6, 7, 8, 10, 11, 12, 13], "nop": "NOP",
    "const": "MOV W4,#{v}", "sum": "ADD W4,W9,#{v}",
    "loads": ["LDR W{r},[X{a}]"] * 3 + ["LDAR W{r},[X{a}]",
                                        "LDAPR W{r},[X{a}]"],
    "stores": ["STR W{r},[X{a}]"] * 3 + ["STLR W{r},[X{a}]"],
    "load at": "LDR W{r},[X{a},W9,SXTW]", "store at": "STR W4,[X{a},W9,SXTW]",
    "zero": ["EOR W9,W{r},W{r}", "AND W9,W{r},#0",
             "CMP W{r},#1; CSEL W9,WZR,WZR,NE",
             "CMP W{r},#1; CCMP WZR,#1,#2,EQ; CSET W9,EQ; AND W9,W9,#0"],
    "fences": ["DMB SY", "DMB LD", "DMB ST", "DSB SY", "DSB LD", "ISB"],
    "branch": "CMP W{r},#{v}; B.NE {l}",
    "updates": [f"{op}{how} W4,W{{r}},[X{{a}}]" for op in
                ("SWP", "LDADD", "LDSET", "LDCLR", "LDSMAX")
                for how in ("", "A", "L", "AL")] +
               ["LDADD W4,WZR,[X{a}]", "STADDL W4,[X{a}]"] +
               [f"MOV W{{r}},#0; CAS{how} W{{r}},W4,[X{{a}}]"
                for how in ("", "A", "L", "AL")],
    "linked": [f"LD{a}XR W{{r}},[X{{a}}]; ST{b}XR W{{s}},W4,[X{{a}}]"
               for a in ("", "A") for b in ("", "L")],
}
ARM = {
    "name": "ARM", "init": "{p}:R1=x; {p}:R3=y;", "register": "R{}",
    "at": [1, 3], "to": [5, 6, 7, 8, 10, 11], "nop": "NOP",
    "const": "MOV R4,#{v}", "sum": "ADD R4,R9,#{v}",
    "loads": ["LDR R{r},[R{a}]"],
    "stores": ["STR R{r},[R{a}]"] * 4 + ["CMP R5,#1; STREQ R{r},[R{a}]"],
    "load at": "LDR R{r},[R{a},R9]", "store at": "STR R4,[R{a},R9]",
    "zero": ["EOR R9,R{r},R{r}", "AND R9,R{r},#0",
             "CMP R{r},#1; MOVEQ R9,#0; MOVNE R9,#0",
             "CMP R{r},#1; CMPNE R{r},#2; MOVEQ R9,#0; MOVNE R9,#0"],
    "fences": ["DMB", "DMB ST", "DSB", "DSB ST", "ISB"],
    "branch": "CMP R{r},#{v}; BNE {l}", "updates": [],
    "linked": ["LDREX R{r},[R{a}]; STREX R{s},R4,[R{a}]",
               "LDREX R{r},[R{a}]; TEQ R{r},#0; STREXEQ R{s},R4,[R{a}]"],
}
ARMV8 = {**ARM,
         "loads": ARM["loads"] + ["LDA R{r},[R{a}]"] * 2,
         "stores": ARM["stores"] + ["STL R{r},[R{a}]"] * 3,
         "linked": ARM["linked"] + [
             "LDAEX R{r},[R{a}]; STREX R{s},R4,[R{a}]",
             "LDREX R{r},[R{a}]; STLEX R{s},R4,[R{a}]"]}
PPC = {
    "name": "PPC", "init": "{p}:r1=x; {p}:r3=y;", "register": "r{}",
    "at": [1, 3], "to": [5, 6, 7, 8, 10, 11, 12, 13], "nop": "nop",
    "const": "li r4,{v}", "sum": "addi r4,r9,{v}",
    "loads": ["lwz r{r},0(r{a})"], "stores": ["stw r{r},0(r{a})"],
    "load at": "lwzx r{r},r9,r{a}", "store at": "stwx r4,r9,r{a}",
    "zero": ["xor r9,r{r},r{r}", "rlwinm r9,r{r},0,1,0; andi. r9,r9,0"],
    "fences": ["sync", "lwsync", "eieio", "isync"],
    "branch": "cmpwi r{r},{v}; bne {l}", "updates": [],
    "linked": ["lwarx r{r},0,r{a}; stwcx. r4,0,r{a}",
               "lwarx r{r},0,r{a}; stwcx. r4,0,r{a}; li r{s},1; bne F{r}; "
               "li r{s},2; F{r}: nop"],
}
RISCV = {
    "name": "RISCV", "init": "{p}:x6=x; {p}:x8=y;", "register": "x{}",
    "at": [6, 8], "to": [11, 12, 13, 14, 15, 16, 17, 18], "nop": "nop",
    "const": "li x4,{v}", "sum": "addi x4,x9,{v}",
    "loads": ["lw x{r},0(x{a})"], "stores": ["sw x{r},0(x{a})"],
    "load at": "add x9,x9,x{a}; lw x{r},0(x9)",
    "store at": "add x9,x9,x{a}; sw x4,0(x9)",
    "zero": ["xor x9,x{r},x{r}", "andi x9,x{r},0"],
    "fences": [f"fence {a},{b}" for a in ("r", "w", "rw")
               for b in ("r", "w", "rw")] + ["fence.tso", "fence.i"],
    "branch": "li x5,{v}; bne x{r},x5,{l}",
    "updates": [f"{op}.w{how} x{{r}},x4,(x{{a}})"
                for op in ("amoswap", "amoadd", "amoor", "amomax")
                for how in ("", ".aq", ".rl", ".aqrl")],
    "linked": [f"lr.w{a} x{{r}},(x{{a}}); sc.w{b} x{{s}},x4,(x{{a}})"
               for a in ("", ".aq") for b in ("", ".rl", ".aqrl")],
}
X86 = {
    "name": "X86", "init": "", "scratch": "EAX", "register": "{}",
    "at": ["x", "y"],
    "to": ["EBX", "ECX", "EDX", "ESI"], "nop": "NOP",
    "const": "MOV EAX,${v}", "sum": None,
    "loads": ["MOV {r},[{a}]"], "stores": ["MOV [{a}],{r}"], "zero": [],
    "fences": ["MFENCE", "SFENCE", "LFENCE"],
    "branch": "CMP {r},${v}; JNE {l}",
    "updates": ["MOV {r},EAX; XCHG [{a}],{r}", "LOCK INC [{a}]",
                "LOCK ADD [{a}],EAX", "MOV {r},EAX; LOCK CMPXCHG [{a}],{r}",
                "MOV {r},EAX; LOCK XADD [{a}],{r}"],
    "linked": [],
}
LISA = {
    "name": "LISA", "init": "", "scratch": "r8", "register": "{}",
    "at": ["x", "y"],
    "to": ["r1", "r2", "r3", "r4", "r5"], "nop": "mov r9 0",
    "const": "mov r8 {v}", "sum": None,
    "loads": ["r[once] {r} {a}"] * 2 + ["r[acquire] {r} {a}"],
    "stores": ["w[once] {a} {r}"] * 2 + ["w[release] {a} {r}"],
    "fences": ["f[mb]", "f[rmb]", "f[wmb]"], "zero": [], "branch": None,
    "updates": [f"rmw[{how}] {{r}} r8 {{a}}"
                for how in ("once", "acquire", "release", "mb")],
    "linked": [],
}
BPF = {
    "name": "BPF", "init": "{p}:r1=x; {p}:r2=y; {p}:r10=z;", "scratch": "r8",
    "register": "{}", "at": ["r1", "r2"],
    "to": ["r3", "r4", "r5", "r6", "r7"], "nop": "r9 = 0",
    "const": "r8 = {v}", "sum": "r8 = {v}; r8 += r9",
    "loads": ["{r} = *(u32 *)({a} + 0)"] * 3 +
             ["{r} = load_acquire((u32 *)({a} + 0))"],
    "stores": ["*(u32 *)({a} + 0) = {r}"] * 3 +
              ["store_release((u32 *)({a} + 0), {r})"],
    "load at": "r9 += {a}; {r} = *(u32 *)(r9 + 0)",
    "store at": "r9 += {a}; *(u32 *)(r9 + 0) = r8",
    "zero": ["r9 = {r}; r9 ^= r9", "r9 = {r}; r9 &= 0"],
    "fences": ["r0 = 1; r0 = atomic_fetch_or((u64 *)(r10 + 0), r0)"],
    "branch": "if {r} != {v} goto {l}",
    "updates": [f"{{r}} = r8; {{r}} = atomic_fetch_{op}((u32 *)({{a}} + 0), {{r}})"
                for op in ("add", "xor")] +
               ["{r} = r8; {r} = xchg_64({a} + 0, {r})",
                "lock *(u32 *)({a} + 0) += r8", "lock *(u64 *)({a} + 0) |= r8",
                "r0 = 0; r0 = cmpxchg_64({a} + 0, r0, r8); {r} = r0"],
    "linked": [],
}
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]


def of_order(call, last, orders):
    return [f"atomic_{call}_explicit({{a}}{last}, memory_order_{o})"
            for o in orders]


C = {
    "name": "C", "params": "atomic_int *x, atomic_int *y",
    "loads": of_order("load", "", ["relaxed", "acquire", "seq_cst"]),
    "stores": of_order("store", ", {v}", ["relaxed", "release", "seq_cst"]),
    "updates": of_order("exchange", ", {v}", ORDERS) +
               of_order("fetch_add", ", {v}", ORDERS),
    "fences": [f"atomic_thread_fence(memory_order_{o})" for o in ORDERS[1:]],
    "blocks": [],
}
LKMM = {
    "name": "LKMM", "params": "int *x, int *y, spinlock_t *s",
    "loads": ["READ_ONCE(*{a})", "READ_ONCE(*{a})", "smp_load_acquire({a})"],
    "stores": ["WRITE_ONCE(*{a}, {v})", "WRITE_ONCE(*{a}, {v})",
               "smp_store_release({a}, {v})"],
    "updates": [f"{call}{how}({{a}}, {last})" for how in
                ("", "_acquire", "_release", "_relaxed")
                for call, last in (("xchg", "{v}"), ("cmpxchg", "0, {v}"))],
    "fences": ["smp_mb()", "smp_rmb()", "smp_wmb()", "synchronize_rcu()",
               "smp_mb__before_atomic(); atomic_inc(y)"],
    "blocks": [("spin_lock(s)", "spin_unlock(s)"),
               ("rcu_read_lock()", "rcu_read_unlock()")],
}
MIPS = {
    "name": "MIPS", "init": "{p}:$4=x; {p}:$5=y;", "register": "${}",
    "at": [4, 5], "to": [16, 17, 18, 19, 20, 21], "nop": "nop",
    "const": "li $8,{v}", "sum": "addiu $8,$9,{v}",
    "loads": ["lw ${r},0(${a})"], "stores": ["sw ${r},0(${a})"],
    "load at": "addu $9,$9,${a}; lw ${r},0($9)",
    "store at": "addu $9,$9,${a}; sw $8,0($9)",
    "zero": ["xor $9,${r},${r}", "andi $9,${r},0"],
    "fences": ["sync"], "branch": "li $10,{v}; bne ${r},$10,{l}",
    "updates": [], "linked": ["ll ${r},0(${a}); move ${s},$8; sc ${s},0(${a})"],
}
MACHINES = [AARCH64, ARM, ARMV8, PPC, RISCV, X86, LISA, BPF, MIPS]
LANGUAGES = [*MACHINES, C, LKMM]


class Load:
    """Of a machine: rows; of C: an expression."""

    def __init__(self, to, code):
        self.to, self.code = to, code


class Thread:
    def __init__(self, r, language, size):
        self.r, self.language = r, language
        self.parts, self.read, self.used = [], [], 0
        # Cycles are likely if threads go to and fro between the locations.
        self.swings, self.turn = r.random() < 0.7, r.randrange(2)
        for _ in range(size):
            if language in MACHINES:
                self.add_rows()
            else:
                self.add_statement()

    def fresh(self):
        """A register that nothing was read into yet."""
        if self.language not in MACHINES:
            to = f"r{self.used}"
        elif self.used < len(self.language["to"]):
            to = self.language["to"][self.used]
        else:
            return None
        self.used += 1
        return to

    def value(self):
        return self.r.randrange(1, 4)

    def place(self, places):
        self.turn = 1 - self.turn if self.swings else self.r.randrange(2)
        return places[self.turn]

    # -- machines

    def zero(self):
        """Rows that make the index zero, from what was read; or none."""
        ways = self.language["zero"]
        if not self.read or not ways or self.r.random() < 0.4:
            return None
        return self.r.choice(ways).format(r=self.r.choice(self.read))

    def add_rows(self):
        m, r = self.language, self.r
        kind = r.random()
        if 0.7 < kind < 0.8:
            self.parts.append([r.choice(m["fences"])])
            return
        a = self.place(m["at"])
        if kind < 0.4 and (to := self.fresh()):
            self.add_load(m, a, to)
        elif kind < 0.7:
            self.add_store(m, a)
        elif kind < 0.88 and m["branch"] and self.read:
            branch = m["branch"].format(r=r.choice(self.read), v=r.randrange(2),
                                        l=f"Over{len(self.parts)}")
            store = r.choice(m["stores"]).format(r=m.get("scratch", 4), a=a)
            self.parts.append([branch, m["const"].format(v=self.value()), store,
                               f"Over{len(self.parts)}: {m['nop']}"])
        elif m["updates"] + m["linked"]:
            self.add_update(m, a)

    def add_load(self, m, a, to):
        zero = self.zero()
        if zero:
            self.parts.append([zero, m["load at"].format(r=to, a=a)])
        else:
            self.parts.append(
                Load(to, self.r.choice(m["loads"]).format(r=to, a=a)))
        self.read.append(to)
        if self.r.random() < 0.3 and m["updates"] + m["linked"]:
            self.add_update(m, a)  # as locks do

    def add_store(self, m, a):
        v, zero = self.value(), self.zero()
        const = m.get("scratch", 4)
        store = self.r.choice(m["stores"])
        if zero and self.r.random() < 0.5:
            rows = [zero, m["const"].format(v=v), m["store at"].format(a=a)]
        elif zero:
            rows = [zero, m["sum"].format(v=v), store.format(r=const, a=a)]
        elif self.read and self.r.random() < 0.4:
            rows = [store.format(r=self.r.choice(self.read), a=a)]
        else:
            rows = [m["const"].format(v=v), store.format(r=const, a=a)]
        self.parts.append(rows)

    def add_update(self, m, a):
        to, status = self.fresh(), self.fresh()
        if not status:
            return
        code = self.r.choice(m["updates"] + m["linked"] * 2)
        self.parts.append([m["const"].format(v=self.value()),
                           code.format(r=to, s=status, a=a)])
        self.read += [x for x, name in ((to, "{r}"), (status, "{s}"))
                      if name in code]

    # -- C

    def written(self):
        return (self.r.choice(self.read)
                if self.read and self.r.random() < 0.35 else self.value())

    def add_statement(self):
        m, r = self.language, self.r
        kind = r.random()
        if 0.6 < kind < 0.7:
            self.parts.append([r.choice(m["fences"]) + ";"])
            return
        a = self.place("xy")
        store = r.choice(m["stores"]).format(a=a, v=self.written()) + ";"
        if kind < 0.35:
            self.parts.append(Load(self.fresh(), r.choice(m["loads"]).format(
                a=a)))
            self.read.append(self.parts[-1].to)
            if r.random() < 0.3:
                self.add_c_update(m, a)
        elif kind < 0.6:
            self.parts.append([store])
        elif kind < 0.8 and self.read:
            self.parts.append([f"if ({r.choice(self.read)} == {r.randrange(2)})"
                               f" {{ {store} }}"])
        elif kind < 0.87 and m["blocks"]:
            begin, end = r.choice(m["blocks"])
            self.parts.append([f"{begin}; {store} {end};"])
        else:
            self.add_c_update(m, a)

    def add_c_update(self, m, a):
        update = self.r.choice(m["updates"]).format(a=a, v=self.written())
        self.parts.append([f"int r{self.used} = {update};"])
        self.read.append(self.fresh())


class Test:
    def __init__(self, r, language, most):
        n = r.choice([2, 2, 2, 3])
        self.language = language
        self.threads = [Thread(r, language, r.randrange(1, most + (n == 2)))
                        for _ in range(n)]
        self.waits = {}  # by thread and part: the value that is waited for
        for t, thread in enumerate(self.threads):
            for i, part in enumerate(thread.parts):
                if (isinstance(part, Load) and language.get("branch", True) and
                        r.random() < 0.5):
                    self.waits[t, i] = r.choice([0, 0, 1, 2, 3])

    def text(self, how="plain"):
        """With "loops", threads wait for the values of `waits`; with "ends",
        they end if they do not see them, and such executions are filtered."""
        is_machine = self.language in MACHINES
        body = self.columns(how) if is_machine else self.functions(how)
        shown = [f"{t}:{self.name(to)}" for t, thread in enumerate(self.threads)
                 for to in thread.read]
        sees = [f"{t}:{self.name(self.threads[t].parts[i].to)}={v}"
                for (t, i), v in self.waits.items()]
        seen = " /\\ ".join(sees)
        wants = f"filter ({seen})\n" if seen and how != "plain" else ""
        return (f"{body}locations [{' '.join(x + ';' for x in shown)} x; y;]\n"
                f"{wants}exists (x=1)\n")

    def name(self, to):
        form = self.language.get("register", "{}")
        return form.format(to)

    def columns(self, how):
        m, columns = self.language, []
        for t, thread in enumerate(self.threads):
            rows = []
            for i, part in enumerate(thread.parts):
                rows += self.rows_of(how, t, i, part)
            rows.append(f"End: {m['nop']}")
            columns.append([cell.strip() for row in rows
                            for cell in row.split(";")])
        init = " ".join(m["init"].format(p=t) for t in range(len(columns)))
        text = f"{m['name']} random\n{{ {init} }}\n"
        text += " | ".join(f"P{t}" for t in range(len(columns))) + " ;\n"
        for i in range(max(map(len, columns))):
            text += " | ".join(c[i] if i < len(c) else "" for c in columns)
            text += " ;\n"
        return text

    def rows_of(self, how, t, i, part):
        if not isinstance(part, Load):
            return part
        v = self.waits.get((t, i))
        if how == "plain" or v is None:
            return [part.code]
        label = f"Again{i}" if how == "loops" else "End"
        branch = self.language["branch"].format(r=part.to, v=v, l=label)
        return [f"Again{i}: {part.code}", branch]

    def functions(self, how):
        text = "C random\n{ }\n"
        for t, thread in enumerate(self.threads):
            depth = 0
            text += f"P{t}({self.language['params']})\n{{\n"
            for i, part in enumerate(thread.parts):
                if not isinstance(part, Load):
                    text += "".join(f"  {line}\n" for line in part)
                    continue
                text += f"  int {part.to} = {part.code};\n"
                v = self.waits.get((t, i))
                if how == "loops" and v is not None:
                    text += (f"  while ({part.to} != {v}) "
                             f"{{ {part.to} = {part.code}; }}\n")
                elif how == "ends" and v is not None:
                    text += f"  if ({part.to} == {v}) {{\n"
                    depth += 1
            text += "  " + "}" * depth + "}\n"
        return text


JUNK = ["{", "}", "(", ")", "[", "]", ";", ":", "|", "*", "&", "~", "#", "$",
        "-1", "0x", "99999999999999999999", "/\\", "\\/", "=>", "exists",
        "forall", "locations", "filter", '"', "(*", "*)", "//", "<<", ">>",
        "P9", "0:", "7:X0", "x", "zz", "X99", "r0", "\n", "\0", "=", "==", "!=",
        "{1,2}", "int", "uint64_t", "ATOMIC_INIT(3)", "L0:", "if", "while",
        "else", "return", "&&", ",", ",,", ".", "spinlock_t", "not", "true",
        "with", "x[3]", "x[-1]", "x[99999999]"]


def damaged(r, text):
    words = re.findall(r"\w+|\s+|.", text, re.S)
    for _ in range(r.choice([1, 1, 1, 2, 4])):
        i = r.randrange(len(words))
        kind = r.randrange(5)
        if kind == 0:
            words[i:i + r.randrange(1, 6)] = []
        elif kind == 1:
            words[i:i] = [r.choice(JUNK)]
        elif kind == 2:
            words[i] = r.choice(JUNK)
        elif kind == 3:
            k = r.randrange(len(words))
            words[i], words[k] = words[k], words[i]
        else:
            words[i:i] = words[i:i + r.randrange(1, 12)]
        words = words or ["x"]
    return "".join(words)
