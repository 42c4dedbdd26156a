/**
 * One text for one value of any kind, for telling whether two values say the same. Every value carries its kind and every
 * text its length, so values of different kinds never have one text: `1`, `'1'`, `1n`, `[1]`, `new Set([1])` and
 * `new Number(1)` are six. Neither the order of keys nor that of a Map or a Set matters.
 *
 * What decides: an absent key is not a key with `undefined`, a hole is not `undefined`, `-0` is not `0`, NaN is itself.
 * Dictionaries without a prototype are like other plain objects; instances of classes carry the name of their class.
 * Functions are told by name and source, symbols by description, errors by name, message, cause and own keys (not by
 * stack). `toJSON` is not asked. A getter that throws is written as one that throws; a part that leads back to one that
 * it is in, as the number of steps up; one that is merely used twice, twice. What cannot be looked into (a Promise, a
 * WeakMap, a Proxy that refuses) is told by its class alone.
 */
import { capText, type CappedText } from './capped-text.ts'
import { partsOf, type Part } from './canonical-parts.ts'
import { leafText, longText } from './canonical-leaf.ts'
import { runningHash } from './text-hash.ts'

export interface CanonicalLimits {
  /** UTF-16 units that are written; of the rest only its length and hash. */
  readonly maxCharacters: number
  /** Values in values that are looked at: a small value may hold one part a billion times. The rest is one sign. */
  readonly maxValues: number
}

/** A key of a Map or a member of a Set is compared by so much of its text, and the hash of the rest. */
const memberCharacters = 64

const standardLimits: CanonicalLimits = { maxCharacters: 1_000_000, maxValues: 4_000_000 }

/** A value that is being written: what is still to come of it, and where to. */
interface Level {
  readonly value: object
  readonly parts: Iterator<Part, undefined>
  readonly text: CappedText
  /** Called when all of it is written. */
  readonly done: () => void
}

/**
 * Writes the canonical form piece by piece; it never throws, whatever the value, and needs no call stack for deep ones.
 * @param write called with pieces of at most 64 Ki UTF-16 units
 */
export function writeCanonical(
  value: unknown,
  write: (piece: string) => void,
  limits: Partial<CanonicalLimits> = {},
): void {
  const { maxCharacters, maxValues } = { ...standardLimits, ...limits }
  const text = capText(write, maxCharacters)
  const open = new Map<object, number>()
  const levels: Level[] = []
  let valuesLeft = maxValues

  const begin = (part: unknown, into: CappedText, done: () => void): void => {
    valuesLeft -= 1
    if (isContainer(part)) {
      const depth = open.get(part)
      if (depth === undefined && valuesLeft >= 0) {
        open.set(part, levels.length)
        levels.push({ value: part, parts: partsOf(part), text: into, done })
        return
      }
      into.put(depth === undefined ? 'z;' : `c${levels.length - depth};`)
    } else if (typeof part === 'string') for (const piece of longText('s', part)) into.put(piece)
    else into.put(leafText(part))
    done()
  }

  begin(value, text, () => undefined)
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { done: isOver, value: part } = level.parts.next()
    if (isOver === true) {
      levels.pop()
      open.delete(level.value)
      level.done()
    } else if (typeof part === 'string') level.text.put(part)
    else {
      const { collect } = part
      if (collect === undefined) begin(part.value, level.text, () => undefined)
      else {
        const pieces: string[] = []
        const member = capText((piece) => pieces.push(piece), memberCharacters)
        begin(part.value, member, () => {
          member.end()
          collect(pieces.join(''))
        })
      }
    }
  }
  text.end()
}

/** Functions are leaves: nobody compares what was hung on them. */
function isContainer(part: unknown): part is object {
  return typeof part === 'object' && part !== null
}

/** Equal for values that say the same, in 53 bits and their length; not for security. */
export function identityOf(value: unknown): string {
  const hash = runningHash()
  let length = 0
  writeCanonical(
    value,
    (piece) => {
      hash.add(piece)
      length += piece.length
    },
    { maxCharacters: Number.POSITIVE_INFINITY },
  )
  return `${length.toString(36)}-${hash.digest()}`
}
