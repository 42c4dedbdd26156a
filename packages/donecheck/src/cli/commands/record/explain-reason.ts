/** `donecheck explain REASON`: what a reason means, what to do next, and what other systems call it. */
import { knownColumns, type CliIo } from '../../process/io.ts'
import { paintLines } from '../../output/painter.ts'
import { findReason, type Reason } from '../../reasons/find-reason.ts'
import { namesOf } from '../../reasons/own-labels.ts'
import { labelLines, reasonLines } from '../../reasons/reasons-text.ts'
import {
  counterpartOf,
  kindOf,
  labels,
  ownLabels,
  type ForeignSystem,
  type Vocabulary,
} from '../../reasons/systems.ts'

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110

/** @returns whether the word is a reason, and was explained */
export function explainReason(word: string, isJson: boolean, io: CliIo): boolean {
  const reason = findReason(word)
  if (reason === undefined) return false
  const lines = () => paintLines(reasonLines(reason, readableWidth(io)), io)
  io.stdout.write(`${isJson ? JSON.stringify(reasonJson(reason)) : lines()}\n`)
  return true
}

export function listReasons(isJson: boolean, io: CliIo): void {
  const lines = () => paintLines(labelLines(labels, readableWidth(io)), io)
  io.stdout.write(`${isJson ? JSON.stringify(allReasonsJson()) : lines()}\n`)
}

function readableWidth(io: CliIo): number {
  return Math.min(knownColumns(io.stdout, 100), widest)
}

function reasonJson({ end, ...reason }: Reason): object {
  return { ...reason, ...end }
}

function allReasonsJson(): object {
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
    systems: labels.systems.map(systemJson),
  }
}

function namedMeanings(meanings: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(meanings).map(([name, meaning]) => ({ name, meaning }))
}

function systemJson({ id, title, seenIn, vocabularies }: ForeignSystem): object {
  return { id, title, seenIn, vocabularies: vocabularies.map(vocabularyJson) }
}

/** Both directions in full: nothing is grouped, so that a program can look up every label. */
function vocabularyJson(vocabulary: Vocabulary): object {
  const { field, isComplete, successWords, isSuccessWhenAbsent, ours } = vocabulary
  return {
    field,
    isComplete,
    successWords,
    isSuccessWhenAbsent,
    fromOurs: ownLabels.map((own) => ({ ...own, ...counterpartOf(vocabulary, own) })),
    toOurs: Object.entries(ours).map(([word, own]) => ({ word, ...own })),
  }
}
