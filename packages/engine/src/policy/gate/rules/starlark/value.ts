/** The values of a rule file: literals, names that have one, and both joined by `+`. */
import type { Token } from './scan.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import type { TokenReader } from './token-reader.ts'

/** `null` is None; numbers are integers; a list may have lists in it, and those have none. */
export type Value = null | boolean | number | string | readonly Value[]

/** Deeper brackets are not read: the reader must not run out of stack. */
const maxDepth = 60
/** Characters and items that come into being in one file, all together. */
const maxSize = 2_000_000

export class ValueReader {
  private readonly reader: TokenReader
  private readonly names: ReadonlyMap<string, Value>
  private depth = 0
  private size = 0

  constructor(reader: TokenReader, names: ReadonlyMap<string, Value>) {
    this.reader = reader
    this.names = names
  }

  /** @throws SourceFault */
  read(): Value {
    let value = this.readPart()
    while (this.reader.isAt('+')) {
      const position = this.reader.take()
      value = this.join(value, this.readPart(), position)
    }
    return value
  }

  private readPart(): Value {
    const { reader } = this
    const value = this.readAtom(reader.next)
    if (reader.isAt('[')) throw notUnderstood(reader.next, 'an index', 'write the value itself')
    return value
  }

  private readAtom(next: Token): Value {
    const { reader } = this
    if (reader.isAt('+')) throw notUnderstood(next, 'a sign', 'write the value itself')
    if (reader.skip('(')) return this.nested(next, () => this.readParenthesis(next))
    if (reader.skip('[')) return this.nested(next, () => this.readList(next))
    if (next.kind !== 'literal' && next.kind !== 'name') throw reader.unexpected('a value')
    reader.take()
    if (next.kind === 'literal') return next.value
    const value = this.names.get(next.text)
    if (value === undefined)
      throw notUnderstood(next, `'${next.text}'`, 'write the value itself, or name it in a line above')
    return value
  }

  private readParenthesis(start: Position): Value {
    if (this.reader.isAt(')')) throw tuple(start)
    const value = this.read()
    if (this.reader.isAt(',')) throw tuple(start)
    this.reader.expect(')')
    return value
  }

  private readList(start: Position): Value {
    const items: Value[] = []
    while (!this.reader.skip(']')) {
      items.push(this.read())
      if (!this.reader.isAt(']')) this.reader.expect(',')
    }
    if (items.some((item) => isList(item) && item.some(isList)))
      throw notUnderstood(start, 'a list in a list in a list', 'no rule takes one')
    return this.counted(items, start)
  }

  private join(left: Value, right: Value, position: Position): Value {
    if (typeof left === 'string' && typeof right === 'string') return this.counted(left + right, position)
    if (isList(left) && isList(right)) return this.counted([...left, ...right], position)
    const what = `'+' between ${typeOf(left)} and ${typeOf(right)}`
    throw notUnderstood(position, what, 'it joins two strings or two lists')
  }

  /** What is named twice counts twice: so much would be written of it in a complaint. */
  private counted(value: Value, position: Position): Value {
    this.size += typeof value === 'string' ? value.length : 1
    if (this.size > maxSize)
      throw new SourceFault(position, `values of more than ${maxSize} characters and items`)
    if (isList(value)) for (const item of value) this.counted(item, position)
    return value
  }

  private nested(position: Position, read: () => Value): Value {
    if (this.depth === maxDepth)
      throw notUnderstood(position, `more than ${maxDepth} brackets in one another`, 'leave some out')
    this.depth += 1
    const value = read()
    this.depth -= 1
    return value
  }
}

export const tuple = (position: Position) => notUnderstood(position, 'a tuple', 'write a list')

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export function typeOf(value: Value): 'None' | 'bool' | 'int' | 'string' | 'list' {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  return typeof value === 'string' ? 'string' : 'list'
}
