/** What a label of ours is called elsewhere: one by one, and as the rows of a table. */
import type { CapName, ContinueReason, DetectorName } from '../../events/index.ts'
import { capLabels } from './caps.ts'
import { detectorMeanings } from './detectors.ts'
import { endLabels, type EndName } from './ends.ts'
import { turnMeanings } from './turns.ts'
import type { Counterpart, Vocabulary } from './vocabulary.ts'

/** An end of ours. Cap and detector may be left out, or be those of a rule of the user's. */
export interface OwnEnd {
  readonly kind: 'end'
  readonly name: EndName
  readonly cap?: CapName
  readonly detector?: string
}

export interface OwnTurn {
  readonly kind: 'turn'
  readonly reason: ContinueReason
}

/** One line of the table from our labels to theirs. */
export interface LabelRow {
  readonly own: OwnEnd | OwnTurn
  readonly counterpart: Counterpart
}

/** Every end that can be told from the others, then every turn. */
export function ownLabels(): readonly (OwnEnd | OwnTurn)[] {
  return [
    ...endLabels.flatMap(({ name }): readonly OwnEnd[] => {
      if (name === 'hard_cap') return namesOf(capLabels).map((cap) => ({ kind: 'end', name, cap }))
      if (name !== 'loop_detected') return [{ kind: 'end', name }]
      return namesOf(detectorMeanings).map((detector) => ({ kind: 'end', name, detector }))
    }),
    ...namesOf(turnMeanings).map((reason): OwnTurn => ({ kind: 'turn', reason })),
  ]
}

export function counterpartOf(vocabulary: Vocabulary, own: OwnEnd | OwnTurn): Counterpart {
  if (own.kind === 'turn') return vocabulary.turns[own.reason]
  switch (own.name) {
    case 'hard_cap':
      return own.cap === undefined ? anyCap(vocabulary) : vocabulary.caps[capLabels[own.cap].kind]
    case 'loop_detected':
      return isDetectorName(own.detector)
        ? (vocabulary.detectors?.[own.detector] ?? vocabulary.loops)
        : vocabulary.loops
    default:
      return vocabulary.ends[own.name]
  }
}

export function rowsOf(vocabulary: Vocabulary): readonly LabelRow[] {
  return ownLabels().map((own) => ({ own, counterpart: counterpartOf(vocabulary, own) }))
}

/** Such as `hard_cap tokens`, as the last line of a run has it. */
export function labelText(own: OwnEnd | OwnTurn): string {
  if (own.kind === 'turn') return own.reason
  return [own.name, own.cap ?? own.detector].filter((part) => part !== undefined).join(' ')
}

/** A cap that nobody named has a word only where all caps share one. */
function anyCap(vocabulary: Vocabulary): Counterpart {
  const [first, ...others] = Object.values(vocabulary.caps)
  return first !== undefined && others.every(({ word }) => word === first.word)
    ? first
    : { word: null, note: 'its word depends on the cap' }
}

function isDetectorName(name: string | undefined): name is DetectorName {
  return name !== undefined && Object.hasOwn(detectorMeanings, name)
}

/** The keys of a table that is total over a union are that union. */
function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[]
}
