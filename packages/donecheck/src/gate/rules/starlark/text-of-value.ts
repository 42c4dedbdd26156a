/** Values as texts: `str` and `repr`. */
import type { Machine } from './machine.ts'
import type { RangeValue, Value } from './value.ts'

/** A string is itself, everything else is as it is written. */
export function strOf(value: Value, machine: Machine): string {
  if (typeof value !== 'string') return reprOf(value, machine)
  machine.make(value.length)
  return value
}

/** As it is written in a file. @throws SourceFault for functions, whose text nobody should rely on */
export function reprOf(value: Value, machine: Machine, around: ReadonlySet<Value> = new Set()): string {
  machine.step()
  const text = written(value, machine, around)
  machine.make(text.length)
  return text
}

function written(value: Value, machine: Machine, around: ReadonlySet<Value>): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return quote(value, machine)
  if (value.kind === 'range') return rangeText(value)
  if (value.kind === 'function' || value.kind === 'built-in')
    throw machine.fault('the text of a function is not understood here')
  if (around.has(value)) return value.kind === 'dict' ? '{...}' : '[...]'
  const inside = new Set(around).add(value)
  const textOf = (item: Value) => reprOf(item, machine, inside)
  return machine.nested(() => {
    if (value.kind === 'dict')
      return `{${[...value.entries.values()].map(([key, item]) => `${textOf(key)}: ${textOf(item)}`).join(', ')}}`
    const items = value.items.map(textOf).join(', ')
    if (value.kind === 'list') return `[${items}]`
    return value.items.length === 1 ? `(${items},)` : `(${items})`
  })
}

function rangeText({ start, stop, step }: RangeValue): string {
  if (step !== 1) return `range(${start}, ${stop}, ${step})`
  return start === 0 ? `range(${stop})` : `range(${start}, ${stop})`
}

const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
}

function quote(text: string, machine: Machine): string {
  const chars = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    if (Object.hasOwn(named, char)) return named[char] ?? ''
    if (code >= 0x20 && code < 0x7f) return char
    if (code > 0x7f) throw machine.fault(`the quoted form of '${char}' is not understood here`)
    return `\\x${code.toString(16).padStart(2, '0')}`
  })
  return `"${chars.join('')}"`
}
