/** What surrounds the tests of a Python file: hooks, exits, patches, marks of the whole file. */
import type { FileFacts, PlacedText } from '../facts.ts'
import type { Token } from '../source/tokens.ts'
import { skipOfMark } from './marks.ts'
import { blockText, everyStatement, type Statement } from './tree.ts'

type Surroundings = Pick<FileFacts, 'exits' | 'fileSkips' | 'mocks' | 'overrides' | 'limits' | 'suppressions'>

export function surroundingsOf(statements: readonly Statement[], comments: readonly Token[]): Surroundings {
  const imported = statements.filter(({ text }) => !text.startsWith('if __name__ == '))
  const all = everyStatement(imported)
  return {
    exits: placed(
      all,
      /\b(?:os \. _exit|sys \. exit|pytest \. exit|exit|quit|os \. kill|os \. abort) \(|^raise SystemExit\b/u,
    ),
    fileSkips: statements.flatMap(fileSkipOf),
    mocks: placed(
      all,
      /\b(?:monkeypatch \. (?:setattr|setitem)|(?:mock \. )?patch(?: \. (?:object|dict|multiple))?|mocker \. patch(?: \. \w+)?) \(/u,
    ),
    overrides: [
      ...placed(all, overwriting),
      ...imported.flatMap(hookOf),
      ...all.flatMap(alwaysEqual),
      ...all.flatMap(autouseOf(all)),
    ],
    limits: all.flatMap(limitsOf),
    suppressions: comments
      .filter(({ text }) =>
        /#\s*(?:type:\s*ignore|noqa|ruff:\s*noqa|flake8:\s*noqa|pragma:\s*no\s*(?:cover|branch)|pylint:\s*disable|nosec|pyright:\s*ignore|mypy:\s*ignore)/iu.test(
          text,
        ),
      )
      .map(({ line, text }) => ({ line, text: text.replaceAll(/\s+/gu, ' ') })),
  }
}

const overwriting =
  /^(?:pytest|unittest|builtins|__builtins__|_pytest)(?: \. \w+)+ = |^(?:\w+ \. )*TestCase \. \w+ = |^(?:\w+ \. )*assert\w+ = |^sys \. modules \[ .* \] = |\bsetattr \( (?:pytest|unittest|builtins|(?:\w+ \. )*TestCase)\b|\batexit \. register \(|\bsys \. exitstatus|\bexitstatus = (?:0|ExitCode \. OK|pytest \. ExitCode \. OK)|\bsys \. (?:excepthook|settrace) = /u

function placed(statements: readonly Statement[], pattern: RegExp): readonly PlacedText[] {
  return statements.filter(({ text }) => pattern.test(text)).map(({ line, text }) => ({ line, text }))
}

function fileSkipOf({ line, text, children }: Statement): readonly PlacedText[] {
  const isMark = /^pytestmark\b/u.test(text) && skipOfMark(text) !== 'none'
  const isCall =
    /^(?:(?:\w+ = )?pytest \. importorskip|pytest \. skip|raise (?:unittest \. )?SkipTest|collect_ignore(?:_glob)?\b|__test__ = False|del test|test\w* = None|(?:globals|locals) \( \) \. (?:pop|clear))/u
  if (isMark || isCall.test(text) || /\ballow_module_level = True\b/u.test(text)) return [{ line, text }]
  if (/^def load_tests\b/u.test(text) && !/\breturn tests\b/u.test(blockText(children)))
    return [{ line, text: `${text} : ${blockText(children)}` }]
  if (/^(?:if|try|else)\b/u.test(text)) return children.flatMap(fileSkipOf)
  if (!/^class\b/u.test(text)) return []
  const inner = children.flatMap(fileSkipOf)
  const cannotBeCollected = text.startsWith('class Test') && !text.includes('TestCase')
  const constructor = cannotBeCollected ? children.filter((child) => /^def __init__\b/u.test(child.text)) : []
  return [...inner, ...constructor.map((child) => ({ line: child.line, text: `${text} : ${child.text}` }))]
}

const touchesItems =
  /\bitems (?:\[ .*\] = |\. (?:clear|remove|pop) )|\bdel items\b|\bdeselect|\bskip|\bxfail|\bitems = /u
const touchesResult = /\boutcome\b|force_result|\bexcinfo\b|\bpassed\b|\bwasxfail\b|get_result/u

/** Hooks that can rewrite what is collected or what comes out. */
const hooks: Readonly<Record<string, RegExp>> = {
  pytest_collection_modifyitems: touchesItems,
  pytest_itemcollected: /\bskip|\bxfail/u,
  pytest_runtest_setup: /\bskip|\bxfail/u,
  pytest_runtest_makereport: touchesResult,
  pytest_runtest_logreport: touchesResult,
  pytest_report_teststatus: touchesResult,
  pytest_sessionfinish: /exitstatus =|exit \(|testsfailed/u,
  pytest_unconfigure: /exit \(/u,
  pytest_runtest_call: /./u,
  pytest_runtest_protocol: /./u,
  pytest_runtestloop: /./u,
  pytest_pyfunc_call: /./u,
  pytest_cmdline_main: /./u,
  pytest_ignore_collect: /./u,
  pytest_collect_file: /return None|return \[ \]/u,
  pytest_pycollect_makeitem: /./u,
  pytest_generate_tests: /\bskip|\bxfail/u,
  pytest_configure: /testpaths|deselect|exitstatus|keyword|markexpr|pytest \. \w+ = |TestCase/u,
  pytest_load_initial_conftests: /./u,
}

function hookOf({ line, text, children }: Statement): readonly PlacedText[] {
  const name = /^(?:async )?def (pytest_\w+)/u.exec(text)?.[1] ?? ''
  const body = blockText(children)
  return Object.hasOwn(hooks, name) && hooks[name]?.test(body) === true
    ? [{ line, text: `${name} : ${body}` }]
    : []
}

/** `def __eq__(self, other): return True`. */
function alwaysEqual({ line, text, children }: Statement): readonly PlacedText[] {
  const isComparison =
    /^def __(?:eq|ne|bool|contains|lt|gt|le|ge) __? ?/u.test(text) ||
    /^def __(?:eq|bool|contains)__\b/u.test(text)
  return isComparison && /^return True$/u.test(blockText(children))
    ? [{ line, text: `${text} : return True` }]
    : []
}

/** Fixtures that patch without being asked for. */
function autouseOf(
  all: readonly Statement[],
): (statement: Statement, index: number) => readonly PlacedText[] {
  return ({ line, text }, index) => {
    if (!/^@ .*\bautouse = True\b/u.test(text)) return []
    const owner = all.slice(index + 1).find((statement) => /^(?:async )?def\b/u.test(statement.text))
    const body = blockText(owner?.children ?? [])
    return /\bsetattr \(|\bpatch\b|\bskip \(|\. \w+ = lambda\b/u.test(body)
      ? [{ line, text: `autouse : ${body}` }]
      : []
  }
}

function limitsOf({ line, text }: Statement): FileFacts['limits'] {
  const examples = /\bmax_examples = (\d+)/u.exec(text)?.[1]
  return examples === undefined ? [] : [{ name: 'maxExamples', value: Number(examples), line }]
}
