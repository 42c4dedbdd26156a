/** What can be done with a string. */
import { isBlank, spacesIn, trim, trimEnd, trimStart } from '../build/white-space.ts'
import { formatBraces } from './format.ts'
import { integerFrom, onlyValues, textFrom } from './given.ts'
import { allItems } from './items.ts'
import type { Machine } from './machine.ts'
import { isKind, listOf, type Given, type Value } from './value.ts'

type Method = (text: string, given: Given, machine: Machine) => Value

export const stringMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['format', formatBraces],
  ['join', join],
  ['split', split],
  ['replace', replace],
  ['lower', bare((text) => text.toLowerCase())],
  ['upper', bare((text) => text.toUpperCase())],
  ['strip', stripping(trim, true, true)],
  ['lstrip', stripping(trimStart, true, false)],
  ['rstrip', stripping(trimEnd, false, true)],
  ['startswith', affix((text, part) => text.startsWith(part))],
  ['endswith', affix((text, part) => text.endsWith(part))],
  ['removeprefix', without((text, part) => (text.startsWith(part) ? text.slice(part.length) : text))],
  [
    'removesuffix',
    without((text, part) => (text.endsWith(part) ? text.slice(0, text.length - part.length) : text)),
  ],
])

function bare(change: (text: string) => string): Method {
  return (text, given, machine) => {
    onlyValues(given, 0, 0, machine)
    machine.make(text.length)
    return change(text)
  }
}

function without(change: (text: string, part: string) => string): Method {
  return (text, given, machine) => {
    const [part] = onlyValues(given, 1, 1, machine)
    machine.make(text.length)
    return change(text, textFrom(part, 'what is removed', machine))
  }
}

function affix(has: (text: string, part: string) => boolean): Method {
  return (text, given, machine) => {
    const [part] = onlyValues(given, 1, 1, machine)
    const parts = part !== undefined && isKind(part, 'tuple') ? part.items : [part]
    const texts = parts.map((candidate) => textFrom(candidate, 'what is looked for', machine))
    machine.make(texts.reduce((length, candidate) => length + candidate.length, 0))
    return texts.some((candidate) => has(text, candidate))
  }
}

/** White space, or any of the given characters. */
function stripping(ofSpace: (text: string) => string, atStart: boolean, atEnd: boolean): Method {
  return (text, given, machine) => {
    const [chars] = onlyValues(given, 0, 1, machine)
    machine.make(text.length)
    if (chars === undefined) return ofSpace(text)
    const stripped = new Set(textFrom(chars, 'what is stripped', machine))
    const all = Array.from(text)
    const isKept = (char: string) => !stripped.has(char)
    const first = atStart ? all.findIndex(isKept) : 0
    const last = atEnd ? all.findLastIndex(isKept) : all.length - 1
    return first === -1 ? '' : all.slice(first, last + 1).join('')
  }
}

function join(text: string, given: Given, machine: Machine): Value {
  const [items] = onlyValues(given, 1, 1, machine)
  const texts = allItems(items ?? null, machine).map((item) => textFrom(item, 'what is joined', machine))
  machine.make(texts.reduce((length, part) => length + part.length + text.length, 0))
  return texts.join(text)
}

function replace(text: string, given: Given, machine: Machine): Value {
  const [old, by, count] = onlyValues(given, 2, 3, machine)
  const search = textFrom(old, 'what is replaced', machine)
  const replacement = textFrom(by, 'the replacement', machine)
  const most = count === undefined ? Infinity : integerFrom(count, 'the count', machine)
  if (most < 0) throw machine.fault('the count is below 0')
  if (search === '') throw machine.fault('the replacement of an empty string is not understood here')
  const parts = text.split(search)
  const replaced = Math.min(most, parts.length - 1)
  machine.make(text.length + replaced * replacement.length)
  const head = parts.slice(0, replaced + 1).join(replacement)
  return [head, ...parts.slice(replaced + 1)].join(search)
}

/** By a string, or by runs of white space; at most so many times. */
function split(text: string, given: Given, machine: Machine): Value {
  const [separator = null, count] = onlyValues(given, 0, 2, machine)
  const most = count === undefined ? -1 : integerFrom(count, 'the count', machine)
  machine.make(text.length)
  const parts = separator === null ? words(text, most) : text.split(separatorOf(separator, machine))
  machine.make(parts.length)
  if (separator === null || most < 0 || parts.length <= most + 1) return listOf(parts)
  const rest = parts.slice(most).join(textFrom(separator, 'the separator', machine))
  return listOf([...parts.slice(0, most), rest])
}

function separatorOf(value: Value, machine: Machine): string {
  const separator = textFrom(value, 'the separator', machine)
  if (separator === '') throw machine.fault('a split at an empty string is not understood here')
  return separator
}

/** What is left at the end keeps the white space behind it. */
function words(text: string, most: number): readonly string[] {
  const parts: string[] = []
  const rest = trimStart(text)
  let start = 0
  for (const space of spacesIn(rest)) {
    if (parts.length === most) break
    parts.push(rest.slice(start, space.index))
    start = space.index + space[0].length
  }
  return isBlank(rest.slice(start)) ? parts : [...parts, rest.slice(start)]
}
