/** f-strings. */
import type { Expression, ExpressionReader } from './expression.ts'
import { SourceFault } from './source-fault.ts'
import { TokenReader } from './tokens/token-reader.ts'
import { represent, textOf } from './value.ts'

/** An f-string: what stands in its braces is read as an expression of its own. */
export function readInterpolated(parser: ExpressionReader): Expression {
  const at = parser.reader.next
  parser.reader.take()
  const source = at.kind === 'f-string' ? at.value : ''
  const parts = [...source.matchAll(/\{\{|\}\}|\{([^{}]*?)(![rs])?\}|[{}]|[^{}]+/g)].map(
    ([all, inside, conversion]): Expression => {
      if (all === '{{' || all === '}}') return () => all.charAt(0)
      if (all === '{' || all === '}') throw new SourceFault(at, `a '${all}' in an f-string has no partner`)
      if (inside === undefined) return () => all
      const reader = new TokenReader(inside.trim(), at)
      const value = parser.nested(() => parser.inside(reader).readList())
      if (reader.next.kind !== 'line-end') throw reader.unexpected("the '}' of the f-string")
      return (scope) => (conversion === '!r' ? represent(value(scope)) : textOf(value(scope)))
    },
  )
  return (scope) => scope.meter.made(parts.map((part) => textOf(part(scope))).join(''), at)
}
