import { UsageError } from './errors.ts'
import { assertShape, suggestKey } from './explain-issue.ts'
import type { z } from 'zod'

/** A schema for each option; the compiler asks for all of them. */
export type OptionShape<Options extends object> = { readonly [Key in keyof Options]-?: z.ZodType }

/** @param place owner, such as `createAgentLoop` @throws {UsageError} naming the key, the value and what to type */
export function assertOptions(schema: z.ZodObject, options: object, place: string): void {
  const needs = Object.entries<z.ZodType>(schema.shape).map(
    ([key, one]) => [key, one.safeParse(undefined).success || 'needed'] as const,
  )
  assertKeys(options, Object.fromEntries(needs), place)
  assertShape(schema, options, place)
}

/** All keys, and which are required. The compiler checks both; plain JavaScript needs this at run time. */
export type OptionKeys<Options extends object> = {
  readonly [Key in keyof Options]-?: undefined extends Options[Key] ? true : 'needed'
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
  assertKeys(given, keys, place)
}

function assertKeys(given: unknown, keys: object, place: string): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(`${place} takes an object of options, not ${kindOfValue(given)}`)
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(keys, key))
  if (unknown !== undefined)
    throw new UsageError(`${place} has no key "${unknown}"; ${suggestKey(unknown, Object.keys(keys))}`)
  const isMissing = (key: string) => Reflect.get(given, key) === undefined
  const missing = Object.entries(keys).find(([key, need]) => need === 'needed' && isMissing(key))
  if (missing !== undefined) throw new UsageError(`${place} needs "${missing[0]}", which is not given`)
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
