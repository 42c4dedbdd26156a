/** Planted tests of Python: text that is added at the end of a test file; pytest, unittest and Django run it. */
import { reversed, type PlantedText } from './javascript.ts'
import { pythonComparisons } from './own-statements.ts'

/** @returns the file with planted tests at its end, before it begins to run its tests itself */
export function withPythonTests(text: string, planted: PlantedText): string {
  const lines = text.split('\n')
  const start = lines.findLastIndex((line) => /^if\s+__name__\s*==/u.test(line))
  const end = start < 0 ? lines.length : start
  const [before, after] = [lines.slice(0, end), lines.slice(end)]
  return [...before, pythonTests(text, planted), ...after].join('\n')
}

function pythonTests(text: string, { mark, trace, shift, compares }: PlantedText): string {
  const comparisons = (compares ? pythonComparisons(text, shift) : []).flatMap(({ stated, falsified }) => [
    '        try:',
    `            ${stated}`,
    '        except BaseException as problem:',
    '            if isinstance(problem, KeyboardInterrupt): raise',
    '        else:',
    '            try:',
    `                ${falsified}`,
    '            except BaseException as problem:',
    '                if isinstance(problem, KeyboardInterrupt): raise',
    '            else:',
    `                ${mark}_say("bad", "a comparison of this file passes with another value as well")`,
  ])
  const lines = body
    .replaceAll('MARK', mark)
    .replaceAll('TRACE', `${JSON.stringify(reversed(trace))}[::-1]`)
    .split('\n')
  return lines.flatMap((line) => (line.trim() === 'COMPARISONS' ? comparisons : [line])).join('\n')
}

const body = `


# fmt: off
import builtins as MARK_builtins
import sys as MARK_sys
import time as MARK_time
import unittest as MARK_unittest


def MARK_say(word, more="", _open=open):
    with _open(TRACE, "a") as file:
        file.write("MARK " + word + " " + more + "\\n")


def MARK_language():
    for name in ("abs", "all", "any", "getattr", "hasattr", "isinstance", "issubclass", "len", "max", "min", "repr", "round", "sorted", "sum"):
        if type(getattr(MARK_builtins, name)).__name__ != "builtin_function_or_method":
            MARK_say("bad", name + " is not the one of the language")
    for name in ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"):
        value = getattr(MARK_builtins, name)
        if type(value) is not type or value.__module__ != "builtins":
            MARK_say("bad", name + " is not the one of the language")


if "pytest" in MARK_sys.modules:

    def test_MARK_plain():
        one = int(MARK_time.time()) % 1000
        try:
            assert one == one + 1
        except AssertionError:
            MARK_say("plain")

    @MARK_sys.modules["pytest"].mark.xfail(strict=True)
    def test_MARK_xfails():
        MARK_say("xfails")
        assert False


class TestMARK(MARK_unittest.TestCase):
    @MARK_unittest.expectedFailure
    def test_MARK_fails(self):
        MARK_say("fails")
        self.fail("must fail")

    def test_MARK_last(self):
        MARK_language()
        one = int(MARK_time.time()) % 1000
        other = one + 1
        if __debug__:
            try:
                assert one == other
            except AssertionError:
                pass
            else:
                MARK_say("bad", "assert passes for a false statement")
        for name, words in (
            ("assertEqual", (one, other)),
            ("assertNotEqual", (one, one)),
            ("assertTrue", (False,)),
            ("assertFalse", (True,)),
            ("assertIs", (self, one)),
            ("assertIn", (one, [other])),
            ("assertListEqual", ([one], [other])),
            ("assertDictEqual", ({one: 1}, {other: 1})),
            ("assertAlmostEqual", (one, other)),
            ("assertGreater", (one, other)),
            ("assertIsNone", (self,)),
            ("assertRaises", (ValueError, int)),
        ):
            try:
                getattr(self, name)(*words)
            except AssertionError:
                continue
            MARK_say("bad", name + " passes for a false statement")
        COMPARISONS
        MARK_say("last")


MARK_say("loaded")
MARK_language()
# fmt: on
`
