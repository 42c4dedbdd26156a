import { closest } from 'fastest-levenshtein'
import { UsageError } from '@donecheck/engine/base'
import { knownColumns, type CliIo } from '../process/io.ts'
import { paintLines } from '../output/painter.ts'
import { labelLines, systemLines } from '../reasons/reasons-text.ts'
import { namesOf } from '../reasons/own-labels.ts'
import { kindOf, labels, type ForeignSystem, type Vocabulary } from '../reasons/systems.ts'
import { rowsOf } from '../reasons/table-rows.ts'

export interface ReasonsFlags {
  readonly json?: boolean
  /** Id of one system: its words instead of our labels. */
  readonly system?: string
}

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110

/** @throws {UsageError} naming the nearest system, where there is none of that name */
export async function reasonsCommand({ json, system }: ReasonsFlags, io: CliIo): Promise<number> {
  const wanted = system === undefined ? undefined : systemNamed(system)
  if (json === true) {
    const value = wanted === undefined ? asJson() : systemAsJson(wanted)
    io.stdout.write(`${JSON.stringify(value)}\n`)
    return 0
  }
  const width = Math.min(knownColumns(io.stdout, 100), widest)
  const lines = wanted === undefined ? labelLines(labels, width) : systemLines(wanted, width)
  io.stdout.write(`${paintLines(lines, io)}\n`)
  return 0
}

function systemNamed(name: string): ForeignSystem {
  const ids = labels.systems.map(({ id }) => id)
  const found = labels.systems.find(({ id }) => id === name.trim().toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(
    `there is no system "${name}"; did you mean ${closest(name.toLowerCase(), ids)}? Known are ${ids.join(', ')}`,
  )
}

function asJson(): object {
  return {
    ends: labels.ends,
    caps: namesOf(labels.caps).map((name) => ({
      name,
      kind: kindOf(name),
      meaning: labels.caps[name].meaning,
    })),
    detectors: namedMeanings(labels.detectors),
    turns: namedMeanings(labels.turns),
    refusals: namedMeanings(labels.refusals),
    systems: labels.systems.map(systemAsJson),
  }
}

function namedMeanings(meanings: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(meanings).map(([name, meaning]) => ({ name, meaning }))
}

function systemAsJson({ id, title, seenIn, vocabularies }: ForeignSystem): object {
  return { id, title, seenIn, vocabularies: vocabularies.map(vocabularyAsJson) }
}

/** Both directions in full: nothing is grouped, so that a program can look up every label. */
function vocabularyAsJson(vocabulary: Vocabulary): object {
  const { field, isComplete, successWords, isSuccessWhenAbsent, ours } = vocabulary
  return {
    field,
    isComplete,
    successWords,
    isSuccessWhenAbsent,
    fromOurs: rowsOf(vocabulary).map(({ own, counterpart }) => ({ ...own, ...counterpart })),
    toOurs: Object.entries(ours).map(([word, own]) => ({ word, ...own })),
  }
}
