import type { AssertionFacts, FunctionFacts, ReadFacts, SkipKind, TestFacts } from '../facts.ts'
import { endsEarlyAt, reachedAssertions, swallowsAt } from './flow.ts'
import { casesOf, numberOfMark, skipOfBody, skipOfMark, strongestSkip } from './marks.ts'
import { surroundingsOf } from './surroundings.ts'
import { blockText, pythonTree, type Statement } from './tree.ts'

interface Found {
  readonly tests: TestFacts[]
  readonly functions: FunctionFacts[]
  readonly helperAssertions: AssertionFacts[]
}

interface Scope {
  /** Names of the classes around. */
  readonly names: readonly string[]
  readonly skip: SkipKind
  /** The runner looks for tests here. */
  readonly isCollected: boolean
}

/** Tests of pytest and unittest, with what surrounds them. */
export function readPythonFacts(text: string): ReadFacts {
  const file = pythonTree(text)
  if (file.isBroken) return { kind: 'unreadable', problem: 'its brackets do not match' }
  const found: Found = { tests: [], functions: [], helperAssertions: [] }
  visit(file.statements, { names: [], skip: 'none', isCollected: true }, found)
  const tests = found.tests.filter(isLastOfItsName)
  return { kind: 'facts', facts: { ...found, tests, ...surroundingsOf(file.statements, file.comments) } }
}

/** A later definition takes the place of an earlier one: only the last is run. */
function isLastOfItsName({ name }: TestFacts, index: number, tests: readonly TestFacts[]): boolean {
  return tests.findLastIndex((other) => other.name === name) === index
}

function visit(statements: readonly Statement[], scope: Scope, found: Found): void {
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
    else readFunction({ statement, name, decorators, scope }, found)
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
  const marks = children.filter((child) => child.text.startsWith('pytestmark'))
  const skips = [...decorators, ...marks].map((mark) => skipOfMark(mark.text))
  const isCollected =
    scope.isCollected &&
    (/^_?Test/u.test(name)
      ? name.startsWith('Test')
      : /TestCase|Tests?\b/u.test(text.slice(text.indexOf('('))) && text.includes('('))
  return { names: [...scope.names, name], skip: strongestSkip([scope.skip, ...skips]), isCollected }
}

interface FunctionPlace {
  readonly statement: Statement
  readonly name: string
  readonly decorators: readonly Statement[]
  readonly scope: Scope
}

function readFunction({ statement, name, decorators, scope }: FunctionPlace, found: Found): void {
  const { line, children } = statement
  const isFixture = decorators.some(({ text }) => /\bfixture\b/u.test(text))
  const tables = decorators.filter(({ text }) => /\b(?:parametrize|expand|data|given)\b/u.test(text))
  const body = [...tables.map(({ text }) => text), blockText(children)].join(' ; ')
  if (!scope.isCollected || !name.startsWith('test') || isFixture) {
    found.functions.push({ name, line, body })
    found.helperAssertions.push(...reachedAssertions(children))
    return
  }
  const timeoutSeconds = numberOfMark(decorators, /\btimeout\b/u)
  found.tests.push({
    name: [...scope.names, name].join(' > '),
    line,
    skip: strongestSkip([
      scope.skip,
      ...decorators.map(({ text }) => skipOfMark(text)),
      skipOfBody(children),
    ]),
    isFocused: false,
    endsEarlyAt: endsEarlyAt(children, line),
    swallowsAt: swallowsAt(children),
    assertions: reachedAssertions(children),
    timeoutMs: timeoutSeconds === null ? null : timeoutSeconds * 1000,
    retries: numberOfMark(decorators, /\b(?:flaky|rerun\w*|retry)\b/u),
    body,
    cases: casesOf(decorators),
  })
}
