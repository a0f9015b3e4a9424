#!/usr/bin/env python3
"""Words are plain: no words and turns that a second-language reader trips over.

Each pattern has the better words beside it. What is quoted, in a block of code, or data of a test is not looked at.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish, named, project_files  # noqa: E402

# What is not written, and what is written instead.
WORDS = [
    (r"(?i:\bwho(?:m)?ever\b)", "name who: the reader, the caller, the client"),
    (r"(?i:\bnobody\b)", "'no one', or say what does not happen: 'is not used'"),
    (r"(?i:\b(?:go|goes|going|went|gone) on\b)", "'continue', 'resume', or 'advance'"),
    (r"(?i:\btold of\b)", "'reported', or 'gets'"),
    (r"(?i:\banew\b)", "'again', or 'new'"),
    (r"(?i:\bmend(?:s|ed|ing)?\b)", "'fix', or 'correct'"),
    (r"\b(?:[Nn](?:il|ull)|NULL|None|[Ff]alse) where\b", "'if': 'nil if there is none'"),
    (r"(?<!all\s)(?<!none\s)(?<!each\s)(?<!most\s)(?<!some\s)(?<!any\s)\b[Oo]f which\b", "'whose', 'with', or a sentence of its own"),
    (r"(?:^|[.;] )Of (?!course)[a-z]", "begin with the subject: 'If there are several …'"),
    (r"(?i:\bwhat there is\b)", "name it: 'the files', 'the members'"),
    (r"\bis what (?:it|they|\w+s) (?:is|are) for\b", "'exists because', or 'is for'"),
    (r"\bto be said of\b|\bthere is to (?:say|report)\b", "'the notes on', 'has to be reported'"),
    (r"(?i:\bwho (?:needs|wants|has|gives) [^.;,]* says\b)", "'to …, say …'"),
    (r"\b(?:that|which|it) (?:is|are) no (?!longer|more|matter|such|one)[a-z]+\b", "'is not a …'"),
    (r"\bbehind (?:a|an|the|it|each|any|one) (?:comma|colon|key|record|element|member|end|first|value|document)\b", "'after'"),
    (r"(?i:\btoo little\b)", "'not enough'"),
]
# A turn may be broken by the end of a line.
BETTER = [(re.compile(pattern.replace(" ", r"\s+"), re.M), better) for pattern, better in WORDS]
# Data, licences, and this list.
NOT_PROSE = re.compile(r"(?:^|/)(?:Findings|Fixtures)/|^LICENSE|^Tests/House/Sources/words\.py$")
CODE = {".swift", ".c", ".h", ".cpp", ".js", ".inc"}
SCRIPTS = {".py", ".sh", ".yml", ".yaml", ".html", ".service", ""}
COMMENT = re.compile(r"(?P<text>\"\"\"[\s\S]*?\"\"\"|#\"[^\n]*?\"#|\"(?:\\.|[^\"\\\n])*\")|/\*(?P<block>[\s\S]*?)\*/|//(?P<line>[^\n]*)|`(?P<name>[^`\n]* [^`\n]*)`")


def prose(path):
    """The file's text with blanks instead of all that is not prose, in the same lines."""
    text = path.read_text()
    if path.suffix in CODE:
        # Comments, names of tests, and in sources the texts of messages.
        is_source = path.relative_to(ROOT).parts[0] == "Sources"

        def kept(match):
            groups = [match["block"], match["line"], match["name"]] + ([match["text"]] if is_source else [])
            return next((part for part in groups if part is not None), "\n" * match[0].count("\n"))

        parts, place = [], 0
        for match in COMMENT.finditer(text):
            parts += [" \n" * text.count("\n", place, match.start()), " ", kept(match)]
            place = match.end()
        text = "".join(parts)
        # In a comment, code is in backquotes.
        text = re.sub(r"^ *[/*!]+ ?", "", text, flags=re.M)
    elif path.suffix == ".md":
        text = re.sub(r"^( *)```[\s\S]*?^\1```", lambda match: "\n" * match[0].count("\n"), text, flags=re.M)
    elif path.suffix == ".json":
        text = "\n".join(" ".join(re.findall(r'"description": "((?:\\.|[^"\\])*)"', line)) for line in text.splitlines())
    text = re.sub(r"``?[^`\n]*``?", "code", text) if path.suffix == ".md" else text
    return re.sub(r"^ *#+ ?", "", text, flags=re.M) if path.suffix in SCRIPTS else text


def findings(text):
    """The faults: lines, what is there, and the better words."""
    for pattern, better in BETTER:
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), better


count, problems = 0, []
for path in project_files():
    name = named(path)
    if NOT_PROSE.search(name) or path.is_symlink():
        continue
    if path.suffix not in CODE | SCRIPTS | {".md"} and not name.startswith("Schemas/"):
        continue
    try:
        text = prose(path)
    except UnicodeDecodeError:
        continue
    count += 1
    problems += [f"{name}:{line}: '{found}': write {better}" for line, found, better in findings(text)]

finish("words", f"{count} files", problems)
