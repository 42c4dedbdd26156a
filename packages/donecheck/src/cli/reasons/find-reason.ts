/** A reason by its name, ours or another system's. */
import type { EndLabel } from './own-labels.ts'
import { counterpartOf, labels, labelText, ownLabels, type OwnLabel } from './systems.ts'

export interface Reason {
  readonly name: string
  /** Such as `cap` or `detector`; `foreign` if only other systems have the word. */
  readonly kind: 'end' | 'cap' | 'detector' | 'turn' | 'refusal' | 'foreign'
  readonly meaning: string
  readonly end?: EndLabel
  /** What other systems call it; of a foreign word, what it is here. */
  readonly elsewhere: readonly Elsewhere[]
}

export interface Elsewhere {
  readonly system: string
  /** The field, attribute or exit code that holds the word. */
  readonly field: string
  readonly words: readonly string[]
}

/** @returns undefined if no system has such a word */
export function findReason(name: string): Reason | undefined {
  const end = labels.ends.find((one) => one.name === name)
  if (end !== undefined)
    return { name, kind: 'end', meaning: end.meaning, end, elsewhere: namesElsewhere(name) }
  const { caps, detectors, turns, refusals } = labels
  const capMeanings = Object.fromEntries(Object.entries(caps).map(([cap, { meaning }]) => [cap, meaning]))
  const tables = { cap: capMeanings, detector: detectors, turn: turns, refusal: refusals } as const
  for (const kind of ['cap', 'detector', 'turn', 'refusal'] as const) {
    const meaning = new Map(Object.entries(tables[kind])).get(name)
    if (meaning !== undefined) return { name, kind, meaning, elsewhere: namesElsewhere(name) }
  }
  return findForeignWord(name)
}

function namesElsewhere(name: string): readonly Elsewhere[] {
  const named = ownLabels.filter((own) => namesIn(own).includes(name))
  return labels.systems.flatMap(({ title, vocabularies }) =>
    vocabularies.flatMap((vocabulary) => {
      const words = named.flatMap((own) => counterpartOf(vocabulary, own).word ?? [])
      return words.length === 0
        ? []
        : [{ system: title, field: vocabulary.field, words: [...new Set(words)] }]
    }),
  )
}

function namesIn(own: OwnLabel): readonly (string | undefined)[] {
  return own.kind === 'turn' ? [own.reason] : [own.name, own.cap, own.detector]
}

/** Without a lower-case letter it is more likely an exit code or the id of a run. */
function findForeignWord(name: string): Reason | undefined {
  if (!/[a-z]/.test(name)) return undefined
  const elsewhere = labels.systems.flatMap(({ title, vocabularies }) =>
    vocabularies.flatMap(({ field, ours }) => {
      const own = new Map(Object.entries(ours)).get(name)
      if (own === undefined) return []
      return [{ system: title, field, words: [own.kind === 'none' ? 'nothing' : labelText(own)] }]
    }),
  )
  if (elsewhere.length === 0) return undefined
  return { name, kind: 'foreign', meaning: 'A word of other systems.', elsewhere }
}
