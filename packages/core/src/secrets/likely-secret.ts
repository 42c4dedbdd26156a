/** What has no known shape and looks like a key all the same. It is neither masked nor a reason to stop: a person is told. */
export interface LikelySecret {
  /** The word it stands beside, as it is written; the value itself is told to nobody. */
  readonly near: string
  readonly length: number
}

/** In UTF-16 units; what stands behind is not looked at. */
const furthest = 262_144
const maxCandidates = 50

/** A name with such a word in it, then a sign that sets it or a blank, then a text without a gap. */
const candidates =
  /((?:secret|token|passw(?:or)?d|passphrase|credential|(?:api|access|private|auth|signing)[_-]?key)[\w-]{0,30})(?:\\?["'`)]){0,2}(?:[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}|[ \t](?:(?:is|was)[ \t])?)\\?["'`]?([\w+/.~=-]{20,200})/giu

/** The first of a text; undefined: there is none. */
export function likelySecretIn(text: string): LikelySecret | undefined {
  let seen = 0
  for (const [, near = '', value = ''] of text.slice(0, furthest).matchAll(candidates)) {
    if (looksRandom(value)) return { near, length: value.length }
    if ((seen += 1) >= maxCandidates) return undefined
  }
  return undefined
}

/** Digests, ids, paths, versions and sums of packages; names and examples, which people have thought of. */
const known =
  /^[0-9a-f]+$|^[0-9A-F]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^sha\d+[-=]|^[./~]|^\d[\d.:TZ+-]*$|^iVBOR|^\/9j\/|^R0lGOD|^PHN2Zy|example|xxxx|your|change|placeholder|dummy|fake|sample|redacted|\.\w+\(|(?:^|\.)env\./iu

function looksRandom(value: string): boolean {
  if (known.test(value)) return false
  const kinds = Array.from(value, kindOf)
  const digits = kinds.filter((kind) => kind === 'digit').length
  const letters = kinds.filter((kind) => kind === 'small' || kind === 'capital').length
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
  // Names change from small letters to capitals or to a hyphen once in a word; a word has more than three letters.
  return digits >= 2 && letters >= 8 && changes * 3 >= value.length && bitsPerLetter(value) >= 3.5
}

function kindOf(letter: string): 'digit' | 'small' | 'capital' | 'sign' {
  if (letter >= '0' && letter <= '9') return 'digit'
  if (letter >= 'a' && letter <= 'z') return 'small'
  return letter >= 'A' && letter <= 'Z' ? 'capital' : 'sign'
}

function bitsPerLetter(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / text.length) * Math.log2(count / text.length),
    0,
  )
}
