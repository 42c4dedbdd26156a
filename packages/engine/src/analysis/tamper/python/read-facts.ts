import type { FileFacts, FunctionFacts, SkipKind, TestFacts, AssertionFacts } from '../facts.ts'
import { casesOf, skipOfBody, skipOfMark, strongestSkip } from './marks.ts'
import { blockText, pythonTree, type Statement, everyStatement } from './tree.ts'
import { assertionsIn } from './assertions.ts'

interface CollectedFacts {
  readonly tests: TestFacts[]
  readonly functions: FunctionFacts[]
}

interface Scope {
  /** Names of the classes around. */
  readonly names: readonly string[]
  readonly skip: SkipKind
  /** The runner looks for tests here. */
  readonly isCollected: boolean
}

/** Tests of pytest and unittest. Undefined: its brackets do not match. */
export function readPythonFacts(text: string): FileFacts | undefined {
  const file = pythonTree(text)
  if (file.isBroken) return undefined
  const found: CollectedFacts = { tests: [], functions: [] }
  const skips = file.statements.map(({ text: line }) =>
    leavesOut.test(line) ? 'always' : skipOfMark(line, /^pytestmark\b/u),
  )
  visit(file.statements, { names: [], skip: strongestSkip(skips), isCollected: true }, found)
  const last = new Map(found.tests.map((test) => [test.name, test]))
  for (const { text: line } of file.statements)
    last.delete(/^(?:del (test\w*)|(test\w*) = None)$/u.exec(line)?.slice(1).find(Boolean) ?? '')
  // A later definition takes the place of an earlier one: only the last is run.
  return { tests: found.tests.filter((test) => last.get(test.name) === test), functions: found.functions }
}

const leavesOut = /^(?:\w+ = )?pytest \. (?:skip|importorskip) \(|^raise (?:unittest \. )?SkipTest\b/u

function visit(statements: readonly Statement[], scope: Scope, found: CollectedFacts): void {
  let decorators: Statement[] = []
  for (const statement of statements) {
    if (statement.text.startsWith('@ ')) {
      decorators.push(statement)
      continue
    }
    const name = /^(?:async )?(?:def|class) (\w+)/u.exec(statement.text)?.[1]
    if (name === undefined) visit(statement.children, blockScope(statement, scope), found)
    else if (statement.text.startsWith('class'))
      visit(statement.children, classScope(statement, name, decorators, scope), found)
    else readFunction(statement, name, decorators, scope, found)
    decorators = []
  }
}

/** Tests under an `if` or a `try` of the file. */
function blockScope({ text }: Statement, scope: Scope): Scope {
  if (/^if (?:False|0)$/u.test(text)) return { ...scope, isCollected: false }
  return text.startsWith('if ') ? { ...scope, skip: strongestSkip([scope.skip, 'conditional']) } : scope
}

function classScope(
  { text, children }: Statement,
  name: string,
  decorators: readonly Statement[],
  scope: Scope,
): Scope {
  const skips = [
    ...decorators.map((mark) => skipOfMark(mark.text)),
    ...children.map((child) => skipOfMark(child.text, /^pytestmark\b/u)),
  ]
  const isHidden = children.some(
    (child) =>
      child.text === '__test__ = False' ||
      (child.text.startsWith('def __init__') && !text.includes('TestCase')),
  )
  const isCollected =
    scope.isCollected &&
    !isHidden &&
    (/^_?Test/u.test(name)
      ? name.startsWith('Test')
      : /TestCase|Tests?\b/u.test(text.slice(text.indexOf('('))) && text.includes('('))
  return { names: [...scope.names, name], skip: strongestSkip([scope.skip, ...skips]), isCollected }
}

function readFunction(
  { line, children }: Statement,
  name: string,
  decorators: readonly Statement[],
  scope: Scope,
  found: CollectedFacts,
): void {
  const isFixture = decorators.some(({ text }) => /\bfixture\b/u.test(text))
  const tables = decorators.filter(({ text }) => /\b(?:parametrize|expand|data|given)\b/u.test(text))
  const body = [...tables.map(({ text }) => text), blockText(children)].join(' ; ')
  if (!scope.isCollected || !name.startsWith('test') || isFixture) {
    found.functions.push({ name, line, body, assertions: reachedAssertions(children) })
    return
  }
  found.tests.push({
    name: [...scope.names, name].join(' > '),
    line,
    skip: strongestSkip([
      scope.skip,
      ...decorators.map(({ text }) => skipOfMark(text)),
      skipOfBody(children),
    ]),
    isFocused: false,
    assertions: reachedAssertions(children),
    body,
    cases: casesOf(decorators),
  })
}

/** Which assertions of a function are reached. */

const ends = /^(?:return|raise|continue|break)\b|^(?:sys \. exit|os \. _exit|exit|quit|pytest \. exit) \(/u
const neverHolds = /^(?:if|while|elif) (?:\( )?(?:False|0|None|"")(?: \))?(?: and .*)?$/u

function reachedAssertions(body: readonly Statement[]): readonly AssertionFacts[] {
  return reachableStatements(body, mentionsIn(body)).flatMap(assertionsIn)
}

/** How often each name stands there. */
function mentionsIn(body: readonly Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tokens } of everyStatement(body))
    for (const { kind, text } of tokens) if (kind === 'word') counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Inner functions are reached where something speaks of them. */
function reachableStatements(
  statements: readonly Statement[],
  mentions: ReadonlyMap<string, number>,
): readonly Statement[] {
  const end = statements.findIndex(({ text }) => ends.test(text))
  const alive = end === -1 ? statements : statements.slice(0, end + 1)
  return alive.flatMap((statement, index) => {
    if (isSwallowed(statement, alive[index + 1])) return []
    const name = /^(?:(?:async )?def|class) (\w+)/u.exec(statement.text)?.[1]
    if (neverHolds.test(statement.text) || (name !== undefined && (mentions.get(name) ?? 0) < 2)) return []
    return [statement, ...reachableStatements(statement.children, mentions)]
  })
}

/** What fails in it fails nobody. */
function isSwallowed({ text }: Statement, next: Statement | undefined): boolean {
  if (/^with .*\bsuppress \( (?:AssertionError|Exception|BaseException)\b/u.test(text)) return true
  const isHandled = /^except(?:$| .*\b(?:AssertionError|Exception|BaseException)\b)/u.test(next?.text ?? '')
  return (
    text === 'try' &&
    isHandled &&
    next?.children.every((child) => /^(?:pass|\.\.\.|return)$/u.test(child.text)) === true
  )
}
