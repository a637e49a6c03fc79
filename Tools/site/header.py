"""A public C header as a page: its sections, each declaration with the comment before it."""
import re

NAME = re.compile(r"(?:const|void) \w[^.;:]*(?:\.\.\.)?[^.;:]*;|\btaskhost\w*\.h\b|\btaskhost_\w+(?:\.\w+)?|\bTASKHOST_\w+|\b[a-z]+(?:_[a-z0-9]+)+(?:\(\))?|\b[a-z]\w*\(\)|\bNULL\b|<\w+\.h>|\$[A-Z]+|\w+->\w+|-f\w+=\w+")


def plain(code):
    """A declaration without what only the compiler reads."""
    return code.replace("TASKHOST_NONNULL ", "").replace("TASKHOST_NULLABLE", "_Nullable").replace("TASKHOST_EXPORT ", "")


def marked(text):
    """Prose of a comment, with names as code."""
    parts = re.split(r"(`[^`]*`)", text)
    for place, part in enumerate(parts):
        if part.startswith("`"):
            continue
        pieces, last = [], 0
        for match in NAME.finditer(part):
            pieces += [escaped(part[last:match.start()]), f"`{match.group()}`"]
            last = match.end()
        parts[place] = "".join(pieces + [escaped(part[last:])])
    return "".join(parts)


def escaped(text):
    return re.sub(r"([\\*_<>\[\]])", r"\\\1", text)


def prose(lines):
    """The lines of a comment as paragraphs and lists."""
    text = "\n".join(lines)
    text = re.sub(r"^\s*/\*+ ?|\s*\*/\s*$", "", text)
    lines = [re.sub(r"^\s*\* ?", "", line) for line in text.split("\n")]
    blocks, current = [], []
    for line in lines:
        is_item = re.match(r"\s*(- |\d+\. )", line)
        if not line.strip() or is_item:
            if current:
                blocks.append(current)
            current = [line] if line.strip() else []
        else:
            current.append(line)
    if current:
        blocks.append(current)
    out = []
    was_item = False
    for block in blocks:
        text = " ".join(re.sub(r"\s{2,}", " ", line.strip()) for line in block)
        item = re.match(r"(- |\d+\. )(.*)", text)
        if item and not was_item:
            out.append("")
        if not item:
            out.append("")
        out.append((item.group(1) + marked(item.group(2))) if item else marked(text))
        was_item = bool(item)
    return "\n".join(out).strip()


def code(lines):
    text = plain("\n".join(lines).rstrip())
    return f"```c\n{text}\n```"


def chunks(lines):
    """Runs of lines between empty lines outside of braces; a comment at the beginning of a line begins another."""
    current, depth, is_comment = [], 0, False
    for line in lines:
        begins = line.startswith("/*") and depth == 0 and not is_comment
        if (not line.strip() and depth == 0 and not is_comment) or begins:
            if current:
                yield current
            current = []
        if line.strip() or depth:
            current.append(line)
        bare = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", line)
        if is_comment:
            is_comment = "*/" not in line
            continue
        is_comment = "/*" in bare
        depth += bare.split("/*")[0].count("{") - bare.split("/*")[0].count("}")
    if current:
        yield current


def split(chunk):
    """The comment before a declaration, and the declaration."""
    comment = []
    if chunk and chunk[0].lstrip().startswith("/*"):
        for place, line in enumerate(chunk):
            comment.append(line)
            if "*/" in line:
                if line.rstrip().endswith("*/"):
                    return comment, chunk[place + 1:]
                return [], chunk
    return [], chunk


def table(lines):
    """A table of functions: its members that are data, and each function with its comment."""
    head, body, tail = lines[0], lines[1:-1], lines[-1]
    data, functions, current = [], [], []
    groups = []
    for line in body:
        if not line.strip():
            if current:
                groups.append(current)
            current = []
        else:
            current.append(line)
    if current:
        groups.append(current)
    for group in groups:
        comment, rest = split([line[4:] if line.startswith("    ") else line for line in group])
        text = "\n".join(rest)
        name = re.search(r"\(\*TASKHOST_N\w+ (\w+)\)", text)
        if name:
            functions.append((name.group(1), comment, rest))
        else:
            data += group + [""]
    while data and not data[-1]:
        data.pop()
    out = [code([head] + data + (["    …"] if functions else []) + [tail])]
    return out, functions


def page(file):
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    end = next(place for place, line in enumerate(lines) if "*/" in line)
    about = prose(lines[:end + 1])
    about = re.sub(rf"^`?{file.name}`?(:| -) ", "", about)
    out = [f"# {file.name}", "", about[0].upper() + about[1:], ""]
    section, sections = None, []
    for line in lines[end + 1:]:
        title = re.match(r"/\* ---- (.+?) -+ \*/", line)
        if title:
            section = (title.group(1), [])
            sections.append(section)
        elif section is not None:
            section[1].append(line)
    out.append(f"`_Nullable` marks what may be `NULL`; all other pointers may not. The header itself: [{file.name}](../files/Sources/CTaskHost/include/{file.name}).")
    for title, body in sections:
        if title.startswith("Layout"):
            continue
        out += ["", f"## {title}", ""]
        for chunk in chunks(body):
            comment, rest = split(chunk)
            if not rest or re.match(r"#(if|endif|else|ifdef|pragma|undef)", rest[0]):
                if comment:
                    out += [prose(comment), ""]
                if not rest:
                    continue
                rest = [line for line in rest if not line.startswith(("#", "}", "extern \"C\""))]
                if not rest:
                    continue
            whole = "\n".join(rest)
            if "static inline" in whole:
                signatures = re.findall(r"static inline ([^{]+?)\s*\{", whole)
                rest = [re.sub(r"\s+", " ", signature) + ";" for signature in signatures]
            name = re.search(r"^(?:typedef )?struct (taskhost_\w+) \{", whole, re.MULTILINE)
            if name and not name.group(1).endswith("_t"):
                out += [f"### {name.group(1)}_t", ""]
            elif callback := re.search(r"typedef \w+ \(\*(taskhost_\w+)\)", whole):
                out += [f"### {callback.group(1)}", ""]
            if comment:
                out += [prose(comment), ""]
            if name and "(*TASKHOST_N" in whole:
                first, functions = table(rest)
                out += first + [""]
                for member, remark, declaration in functions:
                    out += [f"#### {member}", ""] + ([prose(remark), ""] if remark else []) + [code(declaration), ""]
            else:
                out += [code(rest), ""]
    return "\n".join(out) + "\n"
