/** A reason by its name, ours or another system's. */
import systemsFile from './systems.json' with { type: 'json' }
import {
  type EndLabel,
  detectorMeanings,
  endLabels,
  namesOf,
  refusalMeanings,
  turnMeanings,
  type EndName,
} from './own-labels.ts'
import { z } from 'zod'
import type { ContinueReason } from '@donecheck/core/transitions'
import type { DetectorName } from '@donecheck/core/settings'
import { bounds, capTable, type CapName } from '@donecheck/core/budgets'
import { capTexts } from '../options/cap-options.ts'

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

/** An end or a turn of ours. Two ends have a part: the cap, or the detector. */
export type OwnLabel =
  | { readonly kind: 'end'; readonly name: EndName; readonly cap?: CapName; readonly detector?: DetectorName }
  | { readonly kind: 'turn'; readonly reason: ContinueReason }

/** Every end that can be told from the others, then every turn. */
export const ownLabels: readonly OwnLabel[] = [
  ...endLabels.flatMap(({ name }): readonly OwnLabel[] => {
    if (name === 'hard_cap') return namesOf(capTexts).map((cap) => ({ kind: 'end', name, cap }))
    if (name !== 'loop_detected') return [{ kind: 'end', name }]
    return namesOf(detectorMeanings).map((detector) => ({ kind: 'end', name, detector }))
  }),
  ...namesOf(turnMeanings).map((reason): OwnLabel => ({ kind: 'turn', reason })),
]

/** Such as `hard_cap tokens`, as the last line of a run has it. */
export function labelText(own: OwnLabel): string {
  if (own.kind === 'turn') return own.reason
  return [own.name, own.cap ?? own.detector].filter((part) => part !== undefined).join(' ')
}

/** Of the words of others none means `task_complete`: only our own checks give that. */
const namedLabels: ReadonlyMap<string, OwnLabel> = new Map(
  [...ownLabels, ...(['hard_cap', 'loop_detected'] as const).map((name) => ({ kind: 'end', name }) as const)]
    .map((own) => [labelText(own), own] as const)
    .filter(([text]) => text !== 'task_complete'),
)

const note = z.string().min(1)

const counterpart = z
  .union([z.string(), z.tuple([z.string(), note]), z.tuple([z.null(), note])])
  .transform((entry) => (typeof entry === 'string' ? { word: entry } : { word: entry[0], note: entry[1] }))

const translated = counterpart.transform(({ word, ...rest }, context) => {
  if (word === null) return { kind: 'none' as const, ...rest }
  const own = namedLabels.get(word)
  if (own !== undefined) return { ...own, ...rest }
  context.issues.push({ code: 'custom', message: `${word} is no label of ours`, input: word })
  return z.NEVER
})

const vocabulary = z.strictObject({
  /** The field, attribute or exit code that holds the word. */
  field: z.string(),
  /** The words are all that the system has. Otherwise they are those that are known. */
  isComplete: z.boolean(),
  /** Words that a reader takes for success. Of ours only `task_complete` may become one. */
  successWords: z.array(z.string()),
  /** A reader takes the missing word for success, so every other end must have one. */
  isSuccessWhenAbsent: z.boolean().default(false),
  theirs: z.record(z.string(), counterpart),
  ours: z.record(z.string(), translated),
})

const system = z.strictObject({
  /** Short name for programs, such as `acp`. */
  id: z.string(),
  title: z.string(),
  /** Version or document in which the words were seen. */
  seenIn: z.string(),
  vocabularies: z.array(vocabulary),
})

export type Vocabulary = Readonly<z.infer<typeof vocabulary>>
export type ForeignSystem = Readonly<z.infer<typeof system>>

export const labels = {
  ends: endLabels,
  turns: turnMeanings,
  caps: capTexts,
  detectors: detectorMeanings,
  /** Of calls of tools that were not run. */
  refusals: refusalMeanings,
  /** Open conventions first, then agents, then libraries and runners of loops. */
  systems: z.array(system).readonly().parse(systemsFile),
} as const

export type Labels = typeof labels

/** The other system's word for one of ours, or why it has none. */
export interface Counterpart {
  readonly word: string | null
  readonly note?: string
}

/** @throws {TypeError} where the data have nothing for it, which a test rules out */
export function counterpartOf({ theirs, field }: Vocabulary, own: OwnLabel): Counterpart {
  const key = keysOf(own).find((name) => Object.hasOwn(theirs, name))
  const found = key === undefined ? undefined : theirs[key]
  if (found === undefined) throw new TypeError(`${field} has nothing for ${labelText(own)}`)
  return found
}

function keysOf(own: OwnLabel): readonly string[] {
  if (own.kind === 'turn') return [own.reason, 'every turn']
  const part = own.cap === undefined ? own.detector : kindOf(own.cap)
  return [`${own.name} ${part ?? ''}`, own.name, 'every end']
}

/** Other systems tell caps apart by kind at most. */
export function kindOf(cap: CapName): string | undefined {
  const bound = bounds.find((name) => capTable[name].cap === cap)
  return bound && capTable[bound].kind
}
