/** Which assertions of a function are reached. */
import type { AssertionFacts } from '../facts.ts'
import { assertionsIn } from './assertions.ts'
import { everyStatement, type Statement } from './tree.ts'

const ends = /^(?:return|raise|continue|break)\b|^(?:sys \. exit|os \. _exit|exit|quit|pytest \. exit) \(/u
const neverHolds = /^(?:if|while|elif) (?:\( )?(?:False|0|None|"")(?: \))?(?: and .*)?$/u

export function reachedAssertions(body: readonly Statement[]): readonly AssertionFacts[] {
  return reached(body, mentionsIn(body)).flatMap(assertionsIn)
}

/** How often each name stands there. */
function mentionsIn(body: readonly Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tokens } of everyStatement(body))
    for (const { kind, text } of tokens) if (kind === 'word') counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Inner functions are reached where something speaks of them. */
function reached(
  statements: readonly Statement[],
  mentions: ReadonlyMap<string, number>,
): readonly Statement[] {
  const end = statements.findIndex(({ text }) => ends.test(text))
  const alive = end === -1 ? statements : statements.slice(0, end + 1)
  return alive.flatMap((statement, index) => {
    if (isSwallowed(statement, alive[index + 1])) return []
    const name = /^(?:(?:async )?def|class) (\w+)/u.exec(statement.text)?.[1]
    if (neverHolds.test(statement.text) || (name !== undefined && (mentions.get(name) ?? 0) < 2)) return []
    return [statement, ...reached(statement.children, mentions)]
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
