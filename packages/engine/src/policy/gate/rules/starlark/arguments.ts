/** What a call gives, with `*` and `**`. */
import type { Expression, ExpressionReader } from './expression.ts'
import type { Scope } from './scope.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { Dict, itemsOf, textOf, typeOf, type Arguments, type Value } from './value.ts'

export function readArguments(parser: ExpressionReader): (scope: Scope) => Arguments {
  const { reader } = parser
  const parts: { name: string | null; sign: '' | '*' | '**'; value: Expression; at: Position }[] = []
  while (!reader.skip(')')) {
    const at = reader.next
    const sign = reader.skip('**') ? '**' : reader.skip('*') ? '*' : ''
    const name = sign === '' ? (reader.skipName('=') ?? null) : null
    if (name === null && sign === '' && parts.some((part) => part.name !== null || part.sign !== ''))
      throw new SourceFault(at, 'an argument without a name behind one with a name')
    parts.push({ name, sign, value: parser.read(), at })
    if (!reader.isAt(')')) reader.expect(',')
  }
  return (scope) => {
    const values: Value[] = []
    const named = new Map<string, Value>()
    const bind = (name: string, value: Value, at: Position) => {
      if (named.has(name)) throw new SourceFault(at, `'${name}' is given twice`)
      named.set(name, value)
    }
    for (const { name, sign, value, at } of parts) {
      const result = value(scope)
      if (name !== null) bind(name, result, at)
      else if (sign === '') values.push(result)
      else if (sign === '*') values.push(...itemsOf(result, at))
      else if (!(result instanceof Dict))
        throw new SourceFault(at, `** wants a dict, not a ${typeOf(result)}`)
      else for (const [key, entry] of result.entries.values()) bind(textOf(key), entry, at)
    }
    return { values, named }
  }
}
