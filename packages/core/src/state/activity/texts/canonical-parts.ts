/** The parts of an object's canonical text: pieces of text, and the values in it, one at a time. */
import { leafText, longText, withTag } from './canonical-leaf.ts'

/** Text as it is; or a value to be written here, or to be collected as text of its own. */
export type Part = string | { readonly value: unknown; readonly collect?: (text: string) => void }

/** Bytes in one piece of text. */
const pieceBytes = 16 * 1024

/** Never throws: what cannot be looked at is written as `!`. */
export function* partsOf(value: object): Generator<Part, undefined> {
  const name = classOf(value)
  const list = tryOr(() => (isList(value) ? value : undefined), undefined)
  if (list !== undefined) yield* listParts(list, name)
  else if (ArrayBuffer.isView(value)) yield* byteParts(value, name)
  else {
    const kind = inwardKinds.find(({ isOne }) => tryOr(() => isOne(value), false))
    yield withTag(kind?.tag ?? 'o', name)
    if (kind !== undefined) yield* kind.parts(value)
    if (kind?.tag !== 'B') yield* keyedParts(value, keysOf(value))
  }
  return undefined
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Empty for plain objects and lists. */
function classOf(value: object): string {
  return tryOr(() => {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) return ''
    return nameOf(prototype)
  }, '!')
}

function nameOf(prototype: unknown): string {
  if (typeof prototype !== 'object' || prototype === null) return ''
  const maker: unknown = Reflect.get(prototype, 'constructor')
  return typeof maker === 'function' && typeof maker.name === 'string' ? maker.name : ''
}

interface InwardKind {
  readonly tag: string
  readonly isOne: (value: object) => boolean
  readonly parts: (value: object) => Generator<Part, undefined>
}

/** Objects with something in them that only the methods of their kind can read; asking these tells an impostor. */
const inwardKinds: readonly InwardKind[] = [
  inward('D', Date.prototype, (date) => text(leafText(Date.prototype.getTime.call(date)))),
  inward('M', Map.prototype, (map: ReadonlyMap<unknown, unknown>) => memberParts(entriesOf(map))),
  inward('S', Set.prototype, (set: ReadonlySet<unknown>) => memberParts(membersOf(set))),
  inward('R', RegExp.prototype, (pattern) => text(withTag('/', RegExp.prototype.toString.call(pattern)))),
  inward('E', Error.prototype, errorParts),
  inward('A', ArrayBuffer.prototype, (buffer) => byteParts(new Uint8Array(buffer), '')),
  inward('A', SharedArrayBuffer.prototype, (buffer) => byteParts(new Uint8Array(buffer), '')),
  inward('B', Number.prototype, (box) => leaf(Number.prototype.valueOf.call(box))),
  inward('B', String.prototype, (box) => leaf(String.prototype.valueOf.call(box))),
  inward('B', Boolean.prototype, (box) => leaf(Boolean.prototype.valueOf.call(box))),
  inward('B', BigInt.prototype, (box) => leaf(BigInt.prototype.valueOf.call(box))),
  inward('B', Symbol.prototype, (box) => leaf(Symbol.prototype.valueOf.call(box))),
]

function inward<Kind extends object>(
  tag: string,
  prototype: Kind,
  parts: (value: Kind) => Generator<Part, undefined>,
): InwardKind {
  const isKind = (value: object): value is Kind => Object.prototype.isPrototypeOf.call(prototype, value)
  return {
    tag,
    isOne: isKind,
    *parts(value) {
      const known = isKind(value) ? tryOr(() => parts(value), undefined) : undefined
      if (known === undefined) yield '!;'
      else yield* known
      return undefined
    },
  }
}

function entriesOf(map: ReadonlyMap<unknown, unknown>): readonly (readonly unknown[])[] {
  return [...(Map.prototype.entries.call(map) as Iterable<readonly unknown[]>)]
}

function membersOf(set: ReadonlySet<unknown>): readonly (readonly unknown[])[] {
  return Array.from(Set.prototype.values.call(set) as Iterable<unknown>, (member) => [member])
}

function* text(piece: string): Generator<Part, undefined> {
  yield piece
  return undefined
}

function* leaf(value: unknown): Generator<Part, undefined> {
  yield { value }
  return undefined
}

/** Sorted by their texts. A member is its own text, an entry the text of its key and then its value. */
function* memberParts(members: readonly (readonly unknown[])[]): Generator<Part, undefined> {
  const texts: string[] = []
  for (const member of members) {
    const text: string[] = []
    for (const value of member) yield { value, collect: (piece) => text.push(piece) }
    texts.push(text.join('='))
  }
  yield `${members.length}(`
  for (const text of texts.sort()) yield withTag('', text)
  yield ')'
  return undefined
}

function* errorParts(error: Error): Generator<Part, undefined> {
  for (const key of ['name', 'message', 'cause', 'errors']) {
    const isThere = key === 'name' || tryOr(() => Object.hasOwn(error, key), false)
    if (isThere) yield* namedParts(error, key)
  }
  return undefined
}

/** Values of a list in their order, runs of holes as their length; then what else was hung on it. */
function* listParts(list: readonly unknown[], name: string): Generator<Part, undefined> {
  yield `${withTag('a', name)}${tryOr(() => list.length, 0)}[`
  const keys = keysOf(list)
  let next = 0
  let at = 0
  for (; at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    const index = indexOf(key)
    if (index === undefined) break
    if (index > next) yield `h${index - next};`
    yield reading(list, key)
    next = index + 1
  }
  yield ']'
  if (at < keys.length) yield* keyedParts(list, keys.slice(at))
  return undefined
}

function indexOf(key: string | symbol): number | undefined {
  if (typeof key === 'symbol' || !/^(?:0|[1-9]\d{0,9})$/.test(key)) return undefined
  const index = Number(key)
  return index < 4_294_967_295 ? index : undefined
}

function* byteParts(view: ArrayBufferView, name: string): Generator<Part, undefined> {
  const bytes = tryOr(() => new Uint8Array(view.buffer, view.byteOffset, view.byteLength), new Uint8Array())
  yield `${withTag('t', name)}${bytes.length}:`
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    let text = ''
    for (const byte of bytes.subarray(start, start + pieceBytes)) text += byte.toString(16).padStart(2, '0')
    yield text
  }
  return undefined
}

function* keyedParts(value: object, keys: readonly (string | symbol)[]): Generator<Part, undefined> {
  const texts = keys.filter((key) => typeof key === 'string').sort()
  const symbols = keys.filter((key) => typeof key === 'symbol')
  const labels = symbols.map((key) => ({ key, label: leafText(key) }))
  yield '{'
  for (const key of texts) yield* namedParts(value, key)
  for (const { key } of labels.sort((one, other) => (one.label < other.label ? -1 : 1)))
    yield* namedParts(value, key)
  yield '}'
  return undefined
}

function* namedParts(value: object, key: string | symbol): Generator<Part, undefined> {
  if (typeof key === 'symbol') yield leafText(key)
  else yield* longText('k', key)
  yield reading(value, key)
  return undefined
}

/** A getter that throws gives a sign of its own. */
function reading(value: object, key: string | symbol): Part {
  return tryOr<Part>(() => ({ value: Reflect.get(value, key) as unknown }), '!;')
}

/** Own keys that can be listed, numbers first as the language orders them. */
function keysOf(value: object): readonly (string | symbol)[] {
  return tryOr(() => {
    const symbols = Object.getOwnPropertySymbols(value).filter((key) =>
      Object.prototype.propertyIsEnumerable.call(value, key),
    )
    return [...Object.keys(value), ...symbols]
  }, [])
}

function tryOr<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look()
  } catch {
    return otherwise
  }
}
