/** A key that an option object cannot have is a mistake in writing, and would be a choice that nobody made. */
import { distance } from 'fastest-levenshtein'
import { UsageError } from './errors.ts'

/** All of them: the compiler asks for one that is missing, and takes none that there is not. */
export type OptionKeys<Options extends object> = Readonly<Record<keyof Options, true>>

/**
 * @param place what the object is, such as `hardCap`
 * @throws {UsageError} naming the key, and the nearest known one
 */
export function assertKnownKeys<Options extends object>(
  given: Options,
  keys: OptionKeys<Options>,
  place: string,
): void {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(keys, key))
  if (unknown === undefined) return
  const known = Object.keys(keys)
  const near = nearest(unknown, known)
  const wayOut = near === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`
  throw new UsageError(`${place} has no key "${unknown}"; ${wayOut}`)
}

/** The known word that is few letters away; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, letters: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((one, other) => one.letters - other.letters)
  const best = ranked[0]
  return best !== undefined && best.letters <= Math.max(2, Math.floor(word.length / 3))
    ? best.candidate
    : undefined
}
