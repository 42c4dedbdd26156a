/** Words of Python's test frameworks that leave tests out, by decorator or by statement. */
import { skipKinds, type SkipKind } from '../facts.ts'
import { argumentsAt, textOf, type Token } from '../../source/index.ts'
import type { Statement } from './tree.ts'

/** The one that leaves most out. */
export function strongestSkip(kinds: readonly SkipKind[]): SkipKind {
  return skipKinds.findLast((kind) => kinds.includes(kind)) ?? 'none'
}

/** Of a decorator, or of a statement of this kind, such as `pytestmark = …`. */
export function skipOfMark(text: string, kind = /^/u): SkipKind {
  if (!kind.test(text)) return 'none'
  if (/\bparametrize\b/u.test(text))
    return /\bmark \. (?:skip|skipif|xfail)\b/u.test(text) ? 'conditional' : 'none'
  if (/\b(?:xfail|expectedFailure)\b/u.test(text)) return 'expected-to-fail'
  if (/\bskip(?:_?if|If|_?unless|Unless)\b/u.test(text)) return isAlways(text) ? 'always' : 'conditional'
  return /\b(?:mark \. skip|unittest \. skip|SkipTest)\b|^@ skip\b/u.test(text) ? 'always' : 'none'
}

function isAlways(text: string): boolean {
  return /[iI]f \( (?:condition = )?(?:True|1|not False)\b|[uU]nless \( (?:False|0)\b/u.test(text)
}

const skipCall =
  /\b(?:pytest \. (?:skip|xfail|importorskip)|skipTest|unittest \. SkipTest|raise SkipTest|_pytest \. outcomes \. Skipped)\b/u

/** Of the statements of a body; one under a condition is conditional unless that always holds. */
export function skipOfBody(statements: readonly Statement[], isConditional = false): SkipKind {
  return strongestSkip(
    statements.map((statement): SkipKind => {
      if (skipCall.test(statement.text) && !statement.text.startsWith('with ')) {
        if (/\bxfail\b/u.test(statement.text)) return 'expected-to-fail'
        return isConditional || statement.text.includes('importorskip') ? 'conditional' : 'always'
      }
      if (/^(?:async )?def\b|^class\b/u.test(statement.text)) return 'none'
      return skipOfBody(
        statement.children,
        isConditional || !/^(?:with|try|if (?:True|1)$)/u.test(statement.text),
      )
    }),
  )
}

/** Rows of all `parametrize` marks, multiplied; null: none, or they cannot be counted. */
export function casesOf(decorators: readonly Statement[]): number | null {
  const counts = decorators.flatMap(({ tokens }) => {
    const at = tokens.findIndex((token) => /^(?:parametrize|expand|data)$/u.test(token.text))
    return at === -1 ? [] : [rowsOf(tokens, at)]
  })
  if (counts.length === 0) return null
  return counts.reduce<number | null>(
    (all, count) => (all === null || count === null ? null : all * count),
    1,
  )
}

function rowsOf(tokens: readonly Token[], at: number): number | null {
  const args = argumentsAt(tokens, at + 1)
  if (tokens[at]?.text === 'data') return args.length
  const isNamed = (arg: readonly Token[]) => arg[0]?.text === 'argvalues'
  const rows = args.find(isNamed)?.slice(2) ?? (tokens[at]?.text === 'expand' ? args[0] : args[1])
  if (rows === undefined || !/^[([]$/u.test(rows[0]?.text ?? '')) return null
  if (textOf(rows).includes(' for ')) return null
  return argumentsAt(rows, 0).length
}
