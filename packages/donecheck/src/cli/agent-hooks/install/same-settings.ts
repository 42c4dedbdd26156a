/** Whether two texts of settings say the same, whatever their spaces and comments: what was kept could have been forged. */
import { isDeepStrictEqual } from 'node:util'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'

/** Of a file that is made for hooks: they say nothing by themselves. */
const idleKeys: readonly string[] = ['version', '$schema']

/** @param original undefined: there was no file, which is as good as one with nothing in it */
export function isSameSettings(
  file: string,
  original: string | undefined,
  without: string | undefined,
): boolean {
  try {
    const rest = parseMeaning(file, without)
    const known = parseMeaning(file, original)
    return known === undefined ? isNothing(rest) : isDeepStrictEqual(known, rest)
  } catch {
    return false
  }
}

function isNothing(rest: unknown): boolean {
  return (
    rest === undefined ||
    (typeof rest === 'object' && rest !== null && Object.keys(rest).every((key) => idleKeys.includes(key)))
  )
}

/** @throws {SyntaxError} for what is neither */
function parseMeaning(file: string, text: string | undefined): unknown {
  const bare = text?.replace(/^\u{feff}/u, '').trim()
  if (bare === undefined || bare === '') return undefined
  if (file.endsWith('.toml')) return withoutEmpty(parseToml(bare))
  const errors: ParseError[] = []
  const value: unknown = parseJson(bare, errors, { allowTrailingComma: true })
  if (errors.length > 0) throw new SyntaxError(`${file} is no JSON`)
  return withoutEmpty(value)
}

/** Without objects and lists that hold nothing; undefined: nothing is left. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((one: unknown) => withoutEmpty(one))
  const kept = Object.entries(value)
    .map(([name, one]) => [name, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
