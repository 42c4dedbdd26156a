/** Which statements of a test are reached, what ends it, and what swallows its failures. */
import type { AssertionFacts } from '../facts.ts'
import { assertionsIn } from './assertions.ts'
import { blockText, everyStatement, type Statement } from './tree.ts'

const ends =
  /^(?:return\b|sys \. exit \(|os \. _exit \(|exit \(|quit \(|raise SystemExit\b|pytest \. exit \()/u
const neverHolds = /^(?:if|while|elif) (?:\( )?(?:False|0|None|"")(?: \))?(?: and .*)?$/u
const isFunction = /^(?:async )?def\b|^class\b/u

/** Statements that can be reached, inner functions only where they are called. */
export function reached(statements: readonly Statement[]): readonly Statement[] {
  const whole = blockText(statements)
  const end = statements.findIndex(({ text }) => ends.test(text) || /^(?:raise|continue|break)\b/u.test(text))
  const alive = end === -1 ? statements : statements.slice(0, end + 1)
  return alive.flatMap((statement) => {
    if (neverHolds.test(statement.text)) return []
    if (isFunction.test(statement.text) && !isCalled(statement, whole)) return []
    return [statement, ...reached(statement.children)]
  })
}

function isCalled({ text }: Statement, whole: string): boolean {
  const name = /^(?:async )?(?:def|class) (\w+)/u.exec(text)?.[1]
  return name !== undefined && whole.split(new RegExp(`\\b${name}\\b`, 'u')).length > 2
}

export function reachedAssertions(body: readonly Statement[]): readonly AssertionFacts[] {
  return reached(body).flatMap(assertionsIn)
}

/** Line of what ends the test before its first assertion; null: nothing does. */
export function endsEarlyAt(body: readonly Statement[], line: number): number | null {
  if (body.every(({ text, tokens }) => /^(?:pass|\.\.\.)$/u.test(text) || tokens[0]?.kind === 'string'))
    return line
  const all = everyReachable(body)
  const first = all.findIndex((statement) => assertionsIn(statement).length > 0)
  const end = all.findIndex(({ text }) => ends.test(text))
  const dead = body.find(({ text, children }) => neverHolds.test(text) && hasAssertion(children))
  if (end !== -1 && (first === -1 || end < first))
    return hasAssertion(body) || first === -1 ? endLine(all, end, body) : null
  return first === -1 && dead !== undefined ? dead.line : null
}

/** A `return` at the very end of a test without assertions ends nothing. */
function endLine(all: readonly Statement[], end: number, body: readonly Statement[]): number | null {
  const statement = all[end]
  if (statement === undefined) return null
  return statement === body.at(-1) && statement.text.startsWith('return') ? null : statement.line
}

/** In order, without inner functions. */
function everyReachable(statements: readonly Statement[]): readonly Statement[] {
  return statements
    .filter(({ text }) => !isFunction.test(text))
    .flatMap((statement) => [statement, ...everyReachable(statement.children)])
}

function hasAssertion(statements: readonly Statement[]): boolean {
  return everyStatement(statements).some((statement) => assertionsIn(statement).length > 0)
}

const catchesFailures = /^except$|^except (?:\( )?(?:.*\b)?(?:AssertionError|Exception|BaseException)\b/u
const suppresses =
  /^with .*\b(?:suppress|raises|assertRaises) \( (?:.*\b)?(?:AssertionError|Exception|BaseException)\b/u

/** Line of what swallows a failing assertion; null: nothing does. */
export function swallowsAt(body: readonly Statement[]): number | null {
  for (const [index, statement] of body.entries()) {
    if (suppresses.test(statement.text) && hasAssertion(statement.children)) return statement.line
    const found =
      statement.text === 'try' && hasAssertion(statement.children) ? handlerAfter(body, index) : null
    const inner = found ?? swallowsAt(statement.children)
    if (inner !== null) return inner
  }
  return null
}

function handlerAfter(body: readonly Statement[], start: number): number | null {
  for (const handler of body.slice(start + 1)) {
    if (!/^(?:except|else|finally)\b/u.test(handler.text)) return null
    const raises = everyStatement(handler.children).some(({ text }) =>
      /^raise\b|\bfail \(|^assert\b/u.test(text),
    )
    if (catchesFailures.test(handler.text) && !raises) return handler.line
    if (handler.text === 'finally' && handler.children.some(({ text }) => text.startsWith('return')))
      return handler.line
  }
  return null
}
