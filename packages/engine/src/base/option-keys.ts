/** Reports unknown option keys, which are misspelt choices. */
import { nearest } from '@donecheck/core/internal/base'
import { UsageError } from './errors.ts'

/** All keys, and which are required. The compiler checks both; plain JavaScript needs this at run time. */
export type OptionKeys<Options extends object> = {
  readonly [Key in keyof Options]-?: object extends Pick<Options, Key>
    ? true
    : undefined extends Options[Key]
      ? true
      : 'needed'
}

type WordsOfLine<
  Line extends string,
  Found extends string = never,
> = Line extends `${infer Word} ${infer Rest}` ? WordsOfLine<Rest, Found | Word> : Exclude<Found | Line, ''>

type WordsIn<Text extends string, Found extends string = never> = Text extends `${infer Line}\n${infer Rest}`
  ? WordsIn<Rest, Found | WordsOfLine<Line>>
  : Found | WordsOfLine<Text>

/** A key, with `!` if required. */
type KeyWord<Options extends object> = {
  [Key in keyof Options & string]-?: OptionKeys<Options>[Key] extends 'needed' ? `${Key}!` : Key
}[keyof Options & string]

type Complaint<Options extends object, Word extends string> = [Exclude<KeyWord<Options>, Word>] extends [
  never,
]
  ? [Exclude<Word, KeyWord<Options>>] extends [never]
    ? unknown
    : `there is no key ${Exclude<Word, KeyWord<Options>>}`
  : `missing: ${Exclude<KeyWord<Options>, Word>}`

/** `optionKeys<Options>()('name! patienceMs')` lists the keys, with `!` after required ones. */
export function optionKeys<Options extends object>(): <const Text extends string>(
  words: Text & Complaint<Options, WordsIn<Text>>,
) => OptionKeys<Options>
export function optionKeys(): (words: string) => object {
  return (words) =>
    Object.fromEntries(
      words
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word): [string, true | 'needed'] =>
          word.endsWith('!') ? [word.slice(0, -1), 'needed'] : [word, true],
        ),
    )
}

/** @param place owner, such as `hardCap` @throws {UsageError} for an unknown or missing key, or no object */
export function assertKnownKeys<Options extends object>(
  given: Options,
  keys: OptionKeys<Options>,
  place: string,
): void {
  if (!isObject(given)) throw new UsageError(`${place} takes an object of options, not ${kindOfValue(given)}`)
  const known = Object.keys(keys)
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(keys, key))
  if (unknown === undefined) {
    assertNothingMissing(given, keys, place)
    return
  }
  throw new UsageError(`${place} has no key "${unknown}"; ${suggestKey(unknown, known)}`)
}

/** Suggests the nearest known key, or lists all. */
export function suggestKey(unknown: string, known: readonly string[]): string {
  const near = nearest(unknown, known)
  return near === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`
}

function assertNothingMissing(given: object, keys: object, place: string): void {
  const there = new Map(Object.entries(given))
  const missing = Object.entries(keys).find(
    ([key, need]) => need === 'needed' && there.get(key) === undefined,
  )
  if (missing !== undefined) throw new UsageError(`${place} needs "${missing[0]}", which is not given`)
}

function isObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

function kindOfValue(given: unknown): string {
  return Array.isArray(given) ? 'a list' : given === null ? 'null' : typeof given
}

/** @param example how to pass it @throws {UsageError} unless it is a non-empty text */
export function assertText(given: unknown, name: string, example: string): asserts given is string {
  if (typeof given === 'string' && given.trim() !== '') return
  throw new UsageError(
    `${name} is ${typeof given === 'string' ? 'empty' : kindOfValue(given)}; give ${example}`,
  )
}
