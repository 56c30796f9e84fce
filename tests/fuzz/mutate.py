# SPDX-License-Identifier: MIT
"""Damaged inputs for fuzz.py: bytes, C, LLVM assembly, litmus tests, models,
conditions and command lines.

Each function takes a random.Random and an input and yields a changed one. Text
is changed by tokens and lines, so that much of it still has a meaning and
reaches the code behind the parser; bytes are changed blindly.
"""
import re

NUMBERS = ["0", "1", "-1", "2", "3", "7", "8", "31", "32", "33", "63", "64",
           "65", "127", "128", "255", "256", "1000", "65535", "65536",
           "2147483647", "-2147483648", "4294967295", "4294967296",
           "9223372036854775807", "-9223372036854775808",
           "18446744073709551615", "99999999999999999999"]
# Tokens of LLVM's assembly that may stand for each other.
FAMILIES = [
    ["i1", "i7", "i8", "i16", "i17", "i32", "i33", "i64", "i65", "i127",
     "i128", "i129", "i1000", "float", "double", "half", "x86_fp80", "fp128",
     "ptr", "void", "label", "token", "<2 x float>", "<2 x i32>",
     "<1 x ptr>", "[0 x i32]", "[3 x i8]", "[2 x [2 x i16]]", "{}",
     "{ i32, i64 }", "<{ i8, i32 }>", "{ i32, [0 x i8] }"],
    ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr",
     "and", "or", "xor", "add nsw", "sub nuw", "fadd", "fdiv", "frem"],
    ["trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "fptosi",
     "fptoui", "sitofp", "uitofp", "fpext", "fptrunc", "addrspacecast",
     "freeze"],
    ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "oeq",
     "une", "uno", "ord"],
    ["monotonic", "acquire", "release", "acq_rel", "seq_cst", "unordered"],
    ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax",
     "umin", "fadd", "fmax", "uinc_wrap", "udec_wrap"],
    ["internal", "private", "external", "weak", "linkonce", "common",
     "extern_weak", "available_externally", "appending", "thread_local"],
    ["zeroinitializer", "undef", "poison", "null", "0", "1", "true",
     "zeroinitializer"],
    ["load", "store", "alloca", "fence", "ret", "br", "unreachable", "call",
     "invoke", "tail call", "load atomic", "store atomic", "load volatile"],
    ["file", "scope", "type", "baseType", "elements", "name", "line", "size",
     "offset", "entity", "unit"],
    ["DIFile", "DISubprogram", "DILexicalBlock", "DIBasicType",
     "DIDerivedType", "DICompositeType", "DILocalVariable", "DISubrange",
     "DILocation", "DIGlobalVariable", "DISubroutineType", "DIExpression"],
]
TYPES_WHOLE = ["i1", "i7", "i8", "i16", "i17", "i32", "i33", "i64", "i65",
               "i100", "i128", "i129"]
TYPES_REAL = ["float", "double", "half", "x86_fp80", "fp128"]
TYPES_ANY = FAMILIES[0]
FAMILY = {}
for _family in FAMILIES:
    for _word in _family:
        FAMILY.setdefault(_word, []).append(_family)
LL_TOKEN = re.compile(r"![A-Za-z0-9_.]+|[%@][-A-Za-z0-9_.$]+|-?\d+|"
                      r"[A-Za-z_][A-Za-z0-9_.]*|\"[^\"\n]*\"|\s+|.", re.S)
C_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+\w*|\"[^\"\n]*\"|->|\+\+|--|<<|>>|"
                     r"[=!<>]=|&&|\|\||\s+|.", re.S)
C_WORDS = ["int", "char", "long", "unsigned", "double", "float", "void", "_Bool",
           "__int128", "long double", "_Complex double", "struct", "union",
           "static", "volatile", "const", "_Atomic", "_Thread_local", "*", "&",
           "if", "while", "for", "goto", "return", "break", "continue",
           "sizeof", "(", ")", "{", "}", "[", "]", ";", ",", "=", "+", "-",
           "*", "/", "%", "<<", ">>", "==", "!=", "&&", "||", "!", "~", "?",
           ":", "->", ".", "++", "--", "NULL", "__builtin_trap()", "main",
           "memcpy", "malloc(1)", "free", "(int *)1", "((char *)0)"]
LL_LINES = [
    "  unreachable", "  ret void", "  fence seq_cst",
    "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
    "zeroinitializer",
    "@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] "
    "zeroinitializer",
    "@odd = global i65 0", "@none = external global [0 x i8]",
    "@twin = alias i32, ptr @main", "@late = ifunc i32 (), ptr @main",
    "module asm \"nop\"", "target triple = \"x86_64-unknown-linux-gnu\"",
    "target datalayout = \"e-p:32:32\"", "target datalayout = \"E\"",
    "  %odd.v = alloca i128, align 16",
    "  %odd.w = alloca i32, i64 1000000000000",
    "  call void asm sideeffect \"nop\", \"\"()",
    "  call void @llvm.trap()", "declare void @llvm.trap()",
]


def replace_at(items, index, new):
    return items[:index] + new + items[index + 1:]


def change_bytes(rng, data):
    """Blind: bits, bytes, cuts and copies."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not data:
            break
        at = rng.randrange(len(data))
        how = rng.randrange(6)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            data[at] = rng.randrange(256)
        elif how == 2:
            word = rng.choice([0, 1, 0x7fffffff, 0xffffffff])
            data[at:at + 4] = word.to_bytes(4, "little")
        elif how == 3:
            length = rng.randrange(1, 64)
            source = rng.randrange(len(data))
            data[at:at + length] = data[source:source + length]
        elif how == 4:
            del data[at:at + rng.randrange(1, 16)]
        elif rng.random() < 0.2:
            del data[at:]
    return bytes(data)


def change_lines(rng, text, others, extra=()):
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    how = rng.randrange(5)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(rng.randrange(len(lines)), lines[at])
    elif how == 2:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 3 and extra:
        lines.insert(at, rng.choice(extra))
    else:
        lines.insert(at, rng.choice(rng.choice(others).split("\n")))
    return "\n".join(lines)


def other_ll_token(rng, token, tokens):
    if token[0] in "%@!" and len(token) > 1 and rng.random() < 0.9:
        same = [t for t in tokens if t[0] == token[0] and len(t) > 1]
        if token[0] == "!" and rng.random() < 0.2:
            return "null"
        return rng.choice(same)
    if re.fullmatch(r"-?\d+", token):
        return rng.choice(NUMBERS)
    if token in FAMILY:
        return rng.choice(rng.choice(FAMILY[token]))
    if rng.random() < 0.1:
        return rng.choice([t for t in tokens if not t.isspace()])
    return token


def change_any(rng, text):
    """Some token becomes another of its kind."""
    tokens = LL_TOKEN.findall(text)
    for _ in range(20):
        at = rng.randrange(len(tokens))
        new = other_ll_token(rng, tokens[at], tokens)
        if new != tokens[at]:
            return "".join(replace_at(tokens, at, [new]))
    return text


def substitute(rng, text, pattern, new):
    """Replaces one match of the pattern's last group, chosen at random;
    new(match) says by what."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    group = pattern.groups
    return (text[:match.start(group)] + new(match)
            + text[match.end(group):])


def change_type(rng, text):
    """One type everywhere, or in one function: mostly still well-formed."""
    start, end = 0, len(text)
    bodies = list(re.finditer(r"^define .*?^}", text, re.M | re.S))
    if bodies and rng.random() < 0.5:
        start, end = rng.choice(bodies).span()
    old = rng.choice(["i1", "i8", "i16", "i32", "i32", "i64", "i64", "float",
                      "double", "ptr"])
    others = TYPES_ANY if rng.random() < 0.2 else (
        TYPES_REAL if old in TYPES_REAL else TYPES_WHOLE)
    part = re.sub(rf"\b{old}\b", rng.choice(others), text[start:end])
    return text[:start] + part + text[end:]


OPERATOR = re.compile(r"= ((?:%s)\b(?: nsw| nuw)*)" % "|".join(
    word for word in FAMILIES[1] if " " not in word))
PREDICATE = re.compile(r"[if]cmp ([a-z]+)")
ORDER = re.compile(r"\b(monotonic|acquire|release|acq_rel|seq_cst)\b")
NUMBER = re.compile(r"\b(?:i\d+|, i\d+) (-?\d+)\b")
VALUE = re.compile(r"\b(ptr|i\d+|double|float) (%[\w.]+|@[\w.]+|-?\d+|null)")
FIELD = re.compile(r"^!\d+ = .*?\b(\w+: (?:![^,)]*|[^,)!]+))(?=[,)])", re.M)
REFERENCE = re.compile(r"^!\d+ = .*?: (!\d+)\b", re.M)
LENGTH = re.compile(r"\[(\d+) x ")
SIZE = re.compile(r"\b(?:align|addrspace\()\s*(\d+)")


def change_operand(rng, text):
    """Another value of the same type stands there."""
    values = VALUE.findall(text)

    def other(match):
        same = [value for kind, value in values if kind == match.group(1)]
        return rng.choice(same + ["undef", "poison", "zeroinitializer"])
    return substitute(rng, text, VALUE, other)


def change_debug(rng, text):
    """Metadata: fields go, point elsewhere or have other values."""
    how = rng.randrange(3)
    if how == 0:
        nodes = re.findall(r"^(!\d+) = ", text, re.M)
        return substitute(rng, text, REFERENCE,
                          lambda _: rng.choice(nodes + ["null"]))
    if how == 1:
        return substitute(rng, text, FIELD, lambda match: re.sub(
            r": .*", f": {rng.choice(NUMBERS + ['null', '!{}'])}",
            match.group(1)))
    return re.sub(r", ,|\(, ", lambda m: "(" if "(" in m.group() else ",",
                  substitute(rng, text, FIELD, lambda _: ""))


CHANGES = [
    change_type, change_operand, change_operand, change_debug, change_any,
    lambda rng, text: substitute(rng, text, OPERATOR, lambda _: rng.choice(
        FAMILIES[1])),
    lambda rng, text: substitute(rng, text, PREDICATE, lambda _: rng.choice(
        FAMILIES[3])),
    lambda rng, text: substitute(rng, text, ORDER, lambda _: rng.choice(
        FAMILIES[4])),
    lambda rng, text: substitute(rng, text, NUMBER, lambda _: rng.choice(
        NUMBERS)),
    lambda rng, text: substitute(rng, text, LENGTH, lambda _: rng.choice(
        NUMBERS)),
    lambda rng, text: substitute(rng, text, SIZE, lambda _: rng.choice(
        ["1", "2", "8", "16", "4096", "4294967296"])),
]


def change_ll(rng, text, others):
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.1:
            text = change_lines(rng, text, others, LL_LINES)
        else:
            text = rng.choice(CHANGES)(rng, text)
    return text


C_FAMILIES = [
    ["int", "char", "long", "unsigned", "short", "signed char", "_Bool",
     "double", "float", "__int128", "long double", "_Complex double",
     "unsigned long", "long long", "void *", "__bf16", "_BitInt(37)"],
    ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", ">",
     "&&", "||", ","],
    ["static", "volatile", "const", "_Atomic", "_Thread_local", "extern",
     "inline", "register", "_Alignas(64)", ""],
    ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
    ["if", "while"], ["break", "continue", "return 0", "abort()"],
    ["struct", "union"], ["0", "NULL", "(void *)1", "-1", "1"],
]
C_FAMILY = {word: family for family in C_FAMILIES for word in family}


def other_c_token(rng, token, tokens):
    if token in C_FAMILY:
        return rng.choice(C_FAMILY[token])
    if re.fullmatch(r"\d+\w*", token):
        return rng.choice(NUMBERS)
    match = re.fullmatch(r"memory_order_\w+", token)
    if match:
        return "memory_order_" + rng.choice(C_FAMILIES[3])
    if token.isidentifier() and rng.random() < 0.3:
        return rng.choice([t for t in tokens if t.isidentifier()])
    return token


def change_c(rng, text, others):
    """Mostly a token becomes one of its kind, in a line that is no #include."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.1:
            text = change_lines(rng, text, others)
            continue
        lines = text.split("\n")
        at = rng.choice([i for i, line in enumerate(lines)
                         if not line.startswith(("#", "//"))] or [0])
        tokens = C_TOKEN.findall(lines[at])
        solid = [i for i, t in enumerate(tokens) if not t.isspace()]
        if not solid:
            continue
        k = rng.choice(solid)
        if rng.random() < 0.15:
            new = rng.choice([[], [tokens[k], " ", tokens[k]],
                              [" ", rng.choice(C_WORDS), " "]])
        else:
            new = [other_c_token(rng, tokens[k], tokens)]
        lines[at] = "".join(replace_at(tokens, k, new))
        text = "\n".join(lines)
    return text


WORD = re.compile(r"[A-Za-z_][\w.-]*|\d+|\"[^\"\n]*\"|\s+|.", re.S)


def kind_of(token):
    return ("word" if token[0].isalpha() else
            "number" if token[0].isdigit() else
            "space" if token.isspace() else "sign")


def change_tokens(rng, text, other):
    """Tokens of any language become others of their kind, out of this text or
    another; or they go, come twice, or many times."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.1:
            text = change_lines(rng, text, [other])
            continue
        tokens = WORD.findall(text)
        solid = [i for i, t in enumerate(tokens) if not t.isspace()]
        if not solid:
            continue
        at = rng.choice(solid)
        token, how = tokens[at], rng.random()
        same = [t for t in tokens + WORD.findall(other)
                if kind_of(t) == kind_of(token)]
        if kind_of(token) == "number":
            same += NUMBERS
        if how < 0.15:
            new = rng.choice([[], [token, " ", token],
                              [token + " "] * rng.choice([3, 300, 30000])])
        elif how < 0.25:
            new = [token, " ", rng.choice(tokens)]
        else:
            new = [rng.choice(same)]
        text = "".join(replace_at(tokens, at, new))
    return text


VALUES = ["", "0", "1", "2", "-1", "3:", ":3", "main:2", "nofn:3", "nan", "inf",
          "1e9", "0x10", " 1", "1 ", "18446744073709551616", "sc", "rc11",
          "imm", "armv8", "race", "race,assertion", ",", "race,", "all", "auto",
          "json", "never", "always", "c11", "llsc", "ldar", "/", ".", "%s%n",
          "\u00fc", "a" * 5000, "/dev/null", "x=y", "-", "--"]


def command_line(rng, options, files):
    """Words after `heddle`; `options` are (name, takes an argument)."""
    words = [rng.choice(["check"] * 8 + ["compare", "explore", "test"] * 2
                        + ["dump", "models", "help", "doc", "chekc", "", "--",
                           "-"])]
    for _ in range(rng.randrange(6)):
        name, has_argument = rng.choice(options)
        value = rng.choice(VALUES)
        how = rng.random()
        if how < 0.5:
            words += [name, value] if has_argument else [name]
        elif how < 0.75:
            words.append(f"{name}={value}")
        elif how < 0.85:
            words.append(name[:rng.randrange(1, len(name) + 1)])
        else:
            words.append(value)
    for _ in range(rng.choice([0, 1, 1, 1, 1, 2])):
        words.insert(rng.randrange(1, len(words) + 1), rng.choice(files))
    if rng.random() < 0.2:
        words += ["--", rng.choice(["-DX", "-O2", "-E", "-S", "-o", "@none",
                                    "-include", "-x", "-w", "--version"])]
    return [word.replace("\0", "") for word in words]
