/** The calls of a rule file, and the names that it gives to values. */
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import { TokenReader } from './token-reader.ts'
import { tuple, ValueReader, type Value } from './value.ts'

export interface Call extends Position {
  readonly name: string
  /** Those without a name, in their order. */
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

const constants: readonly (readonly [string, Value])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
]

/** `functions` may be called, each in a line of its own. @throws SourceFault for all that is not understood */
export function readCalls(text: string, functions: readonly string[]): readonly Call[] {
  const reader = new TokenReader(text)
  const names = new Map(constants)
  const reserved = [...names.keys(), ...functions]
  const values = new ValueReader(reader, names)
  const calls: Call[] = []
  while (reader.next.kind !== 'file-end') {
    do readStatement()
    while (reader.skip(';') && reader.next.kind !== 'line-end')
    if (reader.isAt(',')) throw tuple(reader.next)
    if (reader.next.kind !== 'line-end') throw reader.unexpected('the end of the line')
    reader.take()
  }
  return calls

  function readStatement(): void {
    const { line, column } = reader.next
    const callee = reader.skipName('(')
    if (callee !== undefined) {
      if (!functions.includes(callee))
        throw notUnderstood({ line, column }, `'${callee}(…)'`, `only ${functions.join(', ')} can be called`)
      calls.push({ line, column, name: callee, ...readArguments(reader, values) })
      return
    }
    const name = reader.skipName('=')
    if (name !== undefined && reserved.includes(name))
      throw notUnderstood({ line, column }, `another meaning of '${name}'`, 'take another name')
    const value = values.read()
    if (name !== undefined) names.set(name, value)
    else if (typeof value !== 'string')
      throw notUnderstood({ line, column }, 'a value on its own', 'give it a name, or leave it out')
  }
}

/** Up to and with the closing bracket. */
function readArguments(reader: TokenReader, values: ValueReader): Pick<Call, 'values' | 'named'> {
  const unnamed: Value[] = []
  const named = new Map<string, Value>()
  while (!reader.skip(')')) {
    const { next } = reader
    const name = reader.skipName('=')
    if (name === undefined && named.size > 0)
      throw new SourceFault(next, 'an argument without a name behind one with a name')
    if (name === undefined) unnamed.push(values.read())
    else if (named.has(name)) throw new SourceFault(next, `'${name}' is given twice`)
    else named.set(name, values.read())
    if (!reader.isAt(')')) reader.expect(',')
  }
  return { values: unnamed, named }
}
