/** Texts with holes: `'%s' % value` and `'{}'.format(value)`. */
import type { Machine } from './machine.ts'
import { reprOf, strOf } from './text-of-value.ts'
import { isKind, typeOf, type Given, type Value } from './value.ts'

/** A tuple fills one hole with each of its items, everything else fills one hole. @throws SourceFault */
export function formatPercent(text: string, value: Value, machine: Machine): string {
  const values = isKind(value, 'tuple') ? value.items : [value]
  let used = 0
  const result = text.replace(/%([^]?)/gu, (_, letter: string) => {
    if (letter === '%') return '%'
    if (letter === '') throw machine.fault("a format ends with '%'")
    if (!'srdxXo'.includes(letter)) throw machine.fault(`'%${letter}' is not understood here`)
    const item = values[used]
    if (item === undefined) throw machine.fault('a format has more holes than values')
    used += 1
    return formatOne(letter, item, machine)
  })
  if (used < values.length) throw machine.fault('a format has fewer holes than values')
  machine.make(result.length)
  return result
}

function formatOne(letter: string, value: Value, machine: Machine): string {
  if (letter === 's') return strOf(value, machine)
  if (letter === 'r') return reprOf(value, machine)
  if (typeof value !== 'number') throw machine.fault(`'%${letter}' wants an int, not a ${typeOf(value)}`)
  if (letter === 'd') return String(value)
  if (letter === 'o') return value.toString(8)
  return letter === 'x' ? value.toString(16) : value.toString(16).toUpperCase()
}

/** `{}` in turn or `{0}` by number, not both; `{name}`; each with `!s` or `!r`. @throws SourceFault */
export function formatBraces(text: string, given: Given, machine: Machine): string {
  const used = { inTurn: 0, byNumber: 0 }
  const valueOf = (field: string): Value | undefined => {
    if (field === '') return given.values[used.inTurn++]
    if (!/^[0-9]+$/.test(field)) return given.named.get(field)
    used.byNumber += 1
    return given.values[Number(field)]
  }
  const result = text.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/gu, (found: string, field: string | undefined) => {
    if (found === '{{' || found === '}}') return found.charAt(0)
    if (field === undefined) throw machine.fault(`a single '${found}' in a format`)
    const [, name = '', conversion] = /^([^!.,[\]]*)(?:!([rs]))?$/.exec(field) ?? []
    if (!/^[^!.,[\]]*(?:![rs])?$/.test(field)) throw machine.fault(`'{${field}}' is not understood here`)
    const value = valueOf(name)
    if (value === undefined) throw machine.fault(`nothing is given for '{${field}}'`)
    return conversion === 'r' ? reprOf(value, machine) : strOf(value, machine)
  })
  if (used.inTurn > 0 && used.byNumber > 0) throw machine.fault("a format has both '{}' and '{0}'")
  machine.make(result.length)
  return result
}
