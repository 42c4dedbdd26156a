import { canonicalJson } from '../../base/index.ts'
import type { JsonValue } from '../../events/index.ts'
import { textHash } from './texts/text-hash.ts'

/** Longer arguments hold contents, and contents are not the pieces of a list. */
const maxArgumentsLength = 1000
const words = /[^\s"'`,;:=()<>|&\\]+/g
const ending = /[\w-]\.[a-z]\w{0,4}$/i
/** What a failure says of a piece that does not exist: whoever guesses names works through no list. */
const missing =
  /\bno such file|\bthere is no (?:file|folder)\b|\bnot found\b|\bdoes(?: not|n't) exist|\bcannot (?:find|stat|open|access)\b|\bENOENT\b/i

/**
 * Equal for calls that differ in nothing but the paths that they name, as in `lint a.ts`, `lint b.ts`. Undefined: it names no
 * path, or its result says that there is no such thing.
 */
export function listPattern(tool: string, args: JsonValue, result: string): string | undefined {
  const text = canonicalJson(args)
  if (text.length > maxArgumentsLength || missing.test(result.slice(0, maxArgumentsLength))) return undefined
  const pattern = text.replace(words, (word) => (isPath(word) ? '/' : word))
  return pattern === text ? undefined : textHash(`${tool} ${pattern}`)
}

function isPath(word: string): boolean {
  return word !== '/' && (word.includes('/') || ending.test(word))
}
