/** Methods of texts, lists and dicts. */
import { indexed, type Around } from './operators.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { Dict, isEqual, itemsOf, keyOf, represent, textOf, Tuple, typeOf, type Arguments, type Value } from './value.ts' // prettier-ignore

export function callMethod(value: Value, name: string, given: Arguments, around: Around): Value {
  const { at, meter } = around
  if (typeof value === 'string' && name === 'format') return meter.made(format(value, given, at), at)
  if (given.named.size > 0) throw new SourceFault(at, `'${name}' takes no arguments with names here`)
  const result =
    typeof value === 'string'
      ? textMethods[name]?.(value, given.values, at)
      : Array.isArray(value)
        ? ofList(value, name, given.values, around)
        : value instanceof Dict
          ? ofDict(value, name, given.values, around)
          : undefined
  if (result === undefined)
    throw new SourceFault(at, `a ${typeOf(value)} has no '${name}' that is understood here`)
  // What comes out of a list or dict is none that was made now.
  return typeof value === 'string' ? meter.made(result, at) : result
}

type TextMethod = (text: string, given: readonly Value[], at: Position) => Value | undefined

/** The first of what is given, which must be a text. */
function wordOf([first]: readonly Value[], at: Position): string {
  if (typeof first !== 'string') throw new SourceFault(at, 'a string is wanted here')
  return first
}

const strips =
  (atStart: boolean, atEnd: boolean): TextMethod =>
  (text, [letters]) =>
    stripped(text, typeof letters === 'string' ? letters : undefined, atStart, atEnd)

const splits =
  (isFromEnd: boolean): TextMethod =>
  (text, given, at) => {
    const [by = null, most] = given
    if (by !== null) return separated(text, wordOf(given, at), most, isFromEnd, at)
    return most === undefined ? text.split(/\s+/u).filter(Boolean) : undefined
  }

const begins =
  (test: (text: string, option: string) => boolean): TextMethod =>
  (text, given, at) => {
    const options = given[0] instanceof Tuple ? given[0].items.map(textOf) : [wordOf(given, at)]
    return options.some((option) => test(text, option))
  }

/** Undefined: not understood with what is given. */
const textMethods: Readonly<Record<string, TextMethod>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  title: (text) => text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
  strip: strips(true, true),
  lstrip: strips(true, false),
  rstrip: strips(false, true),
  removeprefix: (text, given, at) =>
    text.startsWith(wordOf(given, at)) ? text.slice(wordOf(given, at).length) : text,
  removesuffix: (text, given, at) =>
    text.endsWith(wordOf(given, at)) ? text.slice(0, text.length - wordOf(given, at).length) : text,
  startswith: begins((text, option) => text.startsWith(option)),
  endswith: begins((text, option) => text.endsWith(option)),
  join: (text, [list = null], at) =>
    itemsOf(list, at)
      .map((item) => wordOf([item], at))
      .join(text),
  split: splits(false),
  rsplit: splits(true),
  splitlines: (text) =>
    text.split(/\r\n|\n|\r/).filter((line, index, lines) => line !== '' || index < lines.length - 1),
  partition: (text, given, at) => {
    const [word, place] = [wordOf(given, at), text.indexOf(wordOf(given, at))]
    return new Tuple(
      place === -1 ? [text, '', ''] : [text.slice(0, place), word, text.slice(place + word.length)],
    )
  },
  replace: (text, given, at) => {
    const [, second, most] = given
    return typeof second === 'string'
      ? separated(text, wordOf(given, at), most, false, at).join(second)
      : undefined
  },
  find: (text, given, at) => {
    const place = text.indexOf(wordOf(given, at))
    return given.length > 1 ? undefined : place === -1 ? -1 : Array.from(text.slice(0, place)).length
  },
  count: (text, given, at) =>
    given.length > 1 ? undefined : separated(text, wordOf(given, at), undefined, false, at).length - 1,
  elems: (text) => Array.from(text),
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{Nd}]+$/u.test(text),
}

/** @param most cuts at most */
function separated(
  text: string,
  by: string,
  most: Value | undefined,
  isFromEnd: boolean,
  at: Position,
): string[] {
  if (by === '') throw new SourceFault(at, 'the separator must not be empty')
  const parts = text.split(by)
  if (typeof most !== 'number' || most < 0 || most >= parts.length) return parts
  const rest = parts.length - most
  return isFromEnd
    ? [parts.slice(0, rest).join(by), ...parts.slice(rest)]
    : [...parts.slice(0, most), parts.slice(most).join(by)]
}

function stripped(text: string, letters: string | undefined, atStart: boolean, atEnd: boolean): string {
  const goes = (letter: string) => (letters === undefined ? /\s/u.test(letter) : letters.includes(letter))
  const all = Array.from(text)
  const from = atStart ? all.findIndex((letter) => !goes(letter)) : 0
  const to = atEnd ? all.findLastIndex((letter) => !goes(letter)) + 1 : all.length
  return from === -1 ? '' : all.slice(from, to).join('')
}

/** `{}`, `{0}` and `{name}`. */
function format(text: string, { values, named }: Arguments, at: Position): string {
  let next = 0
  return text.replaceAll(
    /\{\{|\}\}|\{([^{}!:.[]*)(![rs])?\}|[{}]/g,
    (all: string, name?: string, conversion?: string) => {
      if (all === '{{' || all === '}}') return all.charAt(0)
      if (name === undefined) throw new SourceFault(at, `'${all}' in a format is not understood`)
      const value = name === '' ? values[next++] : /^\d+$/.test(name) ? values[Number(name)] : named.get(name)
      if (value === undefined) throw new SourceFault(at, `the format has no value for '${all}'`)
      return conversion === '!r' ? represent(value) : textOf(value)
    },
  )
}

function ofList(
  list: Value[],
  name: string,
  given: readonly Value[],
  { at, meter }: Around,
): Value | undefined {
  const [first = null, second = null] = given
  if (name === 'index') {
    const place = list.findIndex((item) => isEqual(item, first))
    if (place === -1) throw new SourceFault(at, 'the list has no such item')
    return place
  }
  if (!['append', 'extend', 'insert', 'pop', 'remove', 'clear'].includes(name)) return undefined
  meter.assertFree(list, at)
  if (name === 'append') list.push(meter.made(first, at))
  else if (name === 'extend') list.push(...meter.made([...itemsOf(first, at)], at))
  else if (name === 'insert' && typeof first === 'number') list.splice(first, 0, meter.made(second, at))
  else if (name === 'clear') list.length = 0
  else {
    const place =
      name === 'remove'
        ? list.findIndex((item) => isEqual(item, first))
        : given.length === 0
          ? list.length - 1
          : first
    const taken = indexed(list, place, at)
    list.splice(Number(place), 1)
    return name === 'pop' ? taken : null
  }
  return null
}

function ofDict(dict: Dict, name: string, given: readonly Value[], { at, meter }: Around): Value | undefined {
  const [first = null, second = null] = given
  const pairs = [...dict.entries.values()]
  if (name === 'keys')
    return meter.made(
      pairs.map(([key]) => key),
      at,
    )
  if (name === 'values')
    return meter.made(
      pairs.map(([, value]) => value),
      at,
    )
  if (name === 'items')
    return meter.made(
      pairs.map((pair) => new Tuple(pair)),
      at,
    )
  if (name === 'get') return dict.entries.get(keyOf(first, at))?.[1] ?? second
  if (!['setdefault', 'pop', 'update', 'clear'].includes(name)) return undefined
  meter.assertFree(dict, at)
  const found = name === 'update' || name === 'clear' ? undefined : dict.entries.get(keyOf(first, at))
  if (name === 'clear') dict.entries.clear()
  else if (name === 'update') {
    if (!(first instanceof Dict)) return undefined
    for (const [key, value] of first.entries.values()) dict.set(key, value, at)
  } else if (name === 'pop') {
    if (found === undefined && given.length < 2)
      throw new SourceFault(at, `the dict has no ${represent(first).slice(0, 80)}`)
    dict.entries.delete(keyOf(first, at))
    return found === undefined ? second : found[1]
  } else if (found === undefined) {
    meter.reserve(1, at)
    dict.set(first, second, at)
    return second
  } else return found[1]
  return null
}
