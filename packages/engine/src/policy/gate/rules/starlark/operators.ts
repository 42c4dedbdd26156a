/** What operators make of values. */
import type { Meter } from './scope.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { Dict, isEqual, itemsOf, represent, textOf, Tuple, typeOf, keyOf, type Value } from './value.ts'

export interface Around {
  readonly at: Position
  readonly meter: Meter
}

/** `isInPlace`: what `+=` adds to a list is added to that very list. */
export function binary(
  sign: string,
  one: Value,
  other: Value,
  { at, meter, isInPlace = false }: Around & { readonly isInPlace?: boolean },
): Value {
  if (typeof one === 'number' && typeof other === 'number')
    return meter.made(arithmetic(sign, one, other, at), at)
  if (sign === '%' && typeof one === 'string') return formatPercent(one, other, { at, meter })
  if (sign === '*') return repeated(one, other, { at, meter })
  if (sign === '+' && typeof one === 'string' && typeof other === 'string') return meter.made(one + other, at)
  if (sign === '+' && Array.isArray(one) && Array.isArray(other)) {
    if (!isInPlace) return meter.made([...one, ...other], at)
    meter.assertFree(one, at)
    one.push(...meter.made([...other], at))
    return one
  }
  if (sign === '+' && one instanceof Tuple && other instanceof Tuple)
    return meter.made(new Tuple([...one.items, ...other.items]), at)
  if (sign === '|' && one instanceof Dict && other instanceof Dict) {
    const joined = new Dict()
    for (const [key, value] of [...one.entries.values(), ...other.entries.values()])
      joined.set(key, value, at)
    return meter.made(joined, at)
  }
  throw new SourceFault(at, `'${sign}' is not understood between ${typeOf(one)} and ${typeOf(other)}`)
}

function arithmetic(sign: string, one: number, other: number, at: Position): number {
  if ((sign === '%' || sign === '//') && other === 0) throw new SourceFault(at, 'a division by zero')
  const quotient = Math.floor(one / other)
  const results: Readonly<Record<string, number>> = { '+': one + other, '-': one - other, '*': one * other, '//': quotient, '%': one - other * quotient } // prettier-ignore
  const result = results[sign]
  if (result === undefined || !Number.isSafeInteger(result))
    throw new SourceFault(at, `'${sign}' of ${one} and ${other} is not understood`)
  return result
}

function repeated(one: Value, other: Value, { at, meter }: Around): Value {
  const [value, times] = typeof one === 'number' ? [other, one] : [one, other]
  if (typeof times !== 'number')
    throw new SourceFault(at, `'*' is not understood between ${typeOf(one)} and ${typeOf(other)}`)
  const count = Math.max(0, times)
  if (typeof value === 'string') {
    meter.reserve(value.length * count, at)
    return value.repeat(count)
  }
  const items = itemsOf(value, at)
  meter.reserve(items.length * count, at)
  const all = Array.from({ length: count }, () => items).flat()
  return meter.made(value instanceof Tuple ? new Tuple(all) : all, at)
}

export function contains(within: Value, wanted: Value, at: Position): boolean {
  if (typeof within === 'string' && typeof wanted === 'string') return within.includes(wanted)
  if (within instanceof Dict) return within.entries.has(keyOf(wanted, at))
  return itemsOf(within, at).some((item) => isEqual(item, wanted))
}

export function negative(value: Value, at: Position): Value {
  if (typeof value !== 'number') throw new SourceFault(at, `'-' is not understood before a ${typeOf(value)}`)
  return -value
}

export function indexed(value: Value, index: Value, at: Position): Value {
  if (value instanceof Dict) {
    const found = value.entries.get(keyOf(index, at))
    if (found === undefined) throw new SourceFault(at, `the dict has no ${represent(index).slice(0, 80)}`)
    return found[1]
  }
  const items = typeof value === 'string' ? Array.from(value) : itemsOf(value, at)
  return items[placeOf(items.length, index, at)] ?? null
}

export function setItem(value: Value, index: Value, item: Value, { at, meter }: Around): void {
  meter.assertFree(value, at)
  if (value instanceof Dict) {
    meter.reserve(1, at)
    value.set(index, item, at)
  } else if (Array.isArray(value)) value[placeOf(value.length, index, at)] = item
  else throw new SourceFault(at, `an item of a ${typeOf(value)} cannot be set`)
}

function placeOf(length: number, index: Value, at: Position): number {
  const place = typeof index === 'number' && index < 0 ? index + length : index
  if (typeof place !== 'number' || place < 0 || place >= length)
    throw new SourceFault(at, `there is no item ${represent(index).slice(0, 80)} of ${length}`)
  return place
}

export function sliced(
  value: Value,
  [from = null, to = null, by = null]: readonly Value[],
  at: Position,
): Value {
  const items = typeof value === 'string' ? Array.from(value) : itemsOf(value, at)
  const step = by ?? 1
  if (typeof step !== 'number' || step === 0)
    throw new SourceFault(at, 'a step of a slice must be a number that is not 0')
  const { length } = items
  const bound = (given: Value, standard: number): number => {
    if (given === null) return standard
    if (typeof given !== 'number') throw new SourceFault(at, 'the bounds of a slice must be numbers')
    const place = given < 0 ? given + length : given
    return step > 0 ? Math.min(Math.max(place, 0), length) : Math.min(Math.max(place, -1), length - 1)
  }
  const [start, end] =
    step > 0 ? [bound(from, 0), bound(to, length)] : [bound(from, length - 1), bound(to, -1)]
  const chosen: Value[] = []
  for (let place = start; step > 0 ? place < end : place > end; place += step)
    chosen.push(items[place] ?? null)
  if (typeof value === 'string') return chosen.map(textOf).join('')
  return value instanceof Tuple ? new Tuple(chosen) : chosen
}

/** `'%s of %d' % (…)`. */
function formatPercent(format: string, given: Value, { at, meter }: Around): string {
  const values = given instanceof Tuple ? [...given.items] : [given]
  const next = (): Value => {
    if (values.length === 0) throw new SourceFault(at, 'the format wants more values')
    return values.shift() ?? null
  }
  const text = format.replaceAll(/%(.?)/gs, (_, letter: string) => {
    if (letter === '%') return '%'
    if (letter === 's') return textOf(next())
    if (letter === 'r') return represent(next())
    const value = letter === 'd' ? next() : null
    if (typeof value !== 'number') throw new SourceFault(at, `'%${letter}' is not understood for this value`)
    return String(value)
  })
  if (values.length > 0) throw new SourceFault(at, 'the format wants fewer values')
  return meter.made(text, at)
}
