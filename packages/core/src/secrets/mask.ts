/** Masks secrets before anything is written. Pure: the recorder passes the known values. */
import { maskPieces, type Cut } from './mask-pieces.ts'
import { patternOf, secretsOf, type SecretShape, secretShapes } from './secret-shapes.ts'

/** Maps names (such as the variable's) to values. */
export type SecretValues = Readonly<Record<string, string>>

/** Shorter values would mask ordinary words. */
const shortestSecretLength = 6

/**
 * Turns known values, texts of a known shape, and the rest of a known value at a cut into `[masked:NAME]`.
 * Idempotent.
 * @param cut which end of the text was cut, if the text does not show it
 */
export function maskText(text: string, secrets: SecretValues, cut?: Cut): string {
  const { names, values, entries, byShape } = compileSecrets(secrets)
  const whole = hasOneOf(names, text)
    ? text.replace(values(), (found) => (names.has(found) ? `[masked:${names.get(found)}]` : found))
    : text
  const masked = maskPieces(whole, entries, cut)
  return byShape.reduce((before, { shape, pattern }) => {
    const found = secretsOf(shape, before, pattern)
    const kept = found.map(({ secretStart }, at) => before.slice(found[at - 1]?.end ?? 0, secretStart))
    return [...kept, before.slice(found.at(-1)?.end ?? 0)].join(`[masked:${shape.name}]`)
  }, masked)
}

interface CompiledSecrets {
  readonly names: ReadonlyMap<string, string>
  /** One pattern for all values, so that a secret's name is not masked as another secret. Built lazily. */
  readonly values: () => RegExp
  readonly entries: readonly (readonly [name: string, value: string])[]
  readonly byShape: readonly {
    readonly shape: SecretShape
    readonly pattern: () => RegExp
  }[]
}

/** Compiled once per run; the cache may be dropped at any time. */
const compiledFor = new WeakMap<SecretValues, CompiledSecrets>()

function compileSecrets(secrets: SecretValues): CompiledSecrets {
  const known = compiledFor.get(secrets)
  if (known !== undefined) return known
  const entries = longestFirst(secrets)
  // Only our own marks stay; a secret inside a made-up mark is masked.
  const ownNames = [...Object.keys(secrets), ...secretShapes.map(({ name }) => name)].map(escapePattern)
  const mark = `\\[masked:(?:${ownNames.join('|')})\\]`
  const result = {
    names: new Map(entries.map(([name, value]) => [value, name])),
    values: once(
      () => new RegExp([mark, ...entries.map(([, value]) => escapePattern(value))].join('|'), 'g'),
    ),
    entries,
    byShape: secretShapes.map((shape) => ({ shape, pattern: once(() => patternOf(shape, mark)) })),
  }
  compiledFor.set(secrets, result)
  return result
}

function hasOneOf(values: ReadonlyMap<string, string>, text: string): boolean {
  for (const value of values.keys()) if (text.includes(value)) return true
  return false
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function escapePattern(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** As it is, in a JSON text, and in a JSON text within one. */
function spellingsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  return [...new Set([value, inJson, JSON.stringify(inJson).slice(1, -1)])]
}

/** A secret that contains another one is replaced first. */
function longestFirst(secrets: SecretValues): [string, string][] {
  return Object.entries(secrets)
    .filter(([, value]) => value.length >= shortestSecretLength)
    .flatMap(([name, value]) => spellingsOf(value).map((spelling): [string, string] => [name, spelling]))
    .sort(([, one], [, other]) => other.length - one.length)
}

/** Masks every string inside a value, keys included. */
export function maskValue<Value>(value: Value, secrets: SecretValues): Value
export function maskValue(value: unknown, secrets: SecretValues): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (Array.isArray(value)) return value.map((entry) => maskValue<unknown>(entry, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskText(key, secrets), maskEntry(key, entry, secrets)]),
  )
}

/** A key may reveal that its value is secret. */
function maskEntry(key: string, entry: unknown, secrets: SecretValues): unknown {
  const masked: unknown = maskValue(entry, secrets)
  if (typeof masked !== 'string' || masked !== entry || /[\s"'`\\]/.test(masked)) return masked
  const named = `"${key}":"${masked}"`
  return maskText(named, {}) === named ? masked : '[masked:named-secret]'
}
