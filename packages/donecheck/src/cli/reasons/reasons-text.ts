/** The labels as a person reads them, as wide as the terminal and no wider than is pleasant. */
import type { EndLabel } from './own-labels.ts'
import type { ForeignSystem, Labels, Vocabulary } from './systems.ts'
import { labelRows, wordRows, type TableRow } from './table-rows.ts'
import type { Line } from '@donecheck/engine/report'
import { indentText } from '../output/wrap.ts'

const indent = '  '
const blank: Line = { tone: 'plain', text: '' }

/** Ends, turns, and which systems they can be compared with. */
export function labelLines(labels: Labels, width: number): readonly Line[] {
  return [
    strong('Ends: a run has one, with its outcome and its exit code'),
    ...labels.ends.flatMap((end) => [blank, ...endLines(end, labels, width)]),
    blank,
    strong('Turns that go on'),
    blank,
    ...nameLines(labels.turns, '', width),
    blank,
    strong('Tool calls that were refused'),
    blank,
    ...nameLines(labels.refusals, '', width),
    blank,
    strong('Words of other systems: donecheck reasons --system <name>'),
    blank,
    ...nameLines(Object.fromEntries(labels.systems.map(({ id, title }) => [id, title])), '', width),
  ]
}

const resumeWords: Readonly<Record<EndLabel['resume'], readonly string[]>> = {
  yes: ['can be resumed'],
  'with-top-up': ['can be resumed with a top-up'],
  no: [],
}

function endLines(end: EndLabel, labels: Labels, width: number): readonly Line[] {
  const { name, reason, outcome, exitCode, resume, meaning, next } = end
  const stands = [
    outcome,
    `exit ${exitCode}`,
    ...resumeWords[resume],
    ...(name === reason ? [] : [`reason ${reason}`]),
  ]
  const head = `${name}${indent}${stands.join(' · ')}`
  return [
    { tone: outcome === 'verified' ? 'good' : 'strong', text: head },
    ...indentText(meaning, indent, width),
    ...indentText(next, `${indent}→ `, width),
    ...detailLines(end, labels, width),
  ]
}

/** Which cap, which detector. */
function detailLines({ name }: EndLabel, { caps, detectors }: Labels, width: number): readonly Line[] {
  if (name === 'loop_detected') return nameLines(detectors, indent, width)
  if (name !== 'hard_cap') return []
  const meanings = Object.entries(caps).map(([cap, { meaning }]): [string, string] => [cap, meaning])
  return nameLines(Object.fromEntries(meanings), indent, width)
}

function nameLines(
  meanings: Readonly<Record<string, string>>,
  margin: string,
  width: number,
): readonly Line[] {
  const names = Object.keys(meanings)
  const column = Math.max(...names.map(({ length }) => length)) + 2
  return Object.entries(meanings).flatMap(([name, meaning]) =>
    indentText(meaning, `${margin}${name.padEnd(column)}`, width),
  )
}

/** The tables of one system, both ways. */
export function systemLines({ title, seenIn, vocabularies }: ForeignSystem, width: number): readonly Line[] {
  return [
    strong(title),
    ...indentText(`Seen in: ${seenIn}.`, '', width),
    ...vocabularies.flatMap((vocabulary) => [blank, ...vocabularyLines(vocabulary, width)]),
  ]
}

function vocabularyLines(vocabulary: Vocabulary, width: number): readonly Line[] {
  const { field, isComplete, successWords } = vocabulary
  const extent = isComplete ? '' : ', as far as it is known'
  return [
    strong(`${field}${extent}`),
    ...tableLines(wordRows(vocabulary), ['ours', 'there'], successWords, width),
    blank,
    ...tableLines(labelRows(vocabulary), ['there', 'ours'], [], width),
  ]
}

/** Notes stand below the table, each once. */
function tableLines(
  rows: readonly TableRow[],
  [from, to]: readonly [string, string],
  goodWords: readonly string[],
  width: number,
): readonly Line[] {
  const column = Math.max(...rows.map((row) => row.from.length), from.length) + 2
  const notes = [...new Set(rows.flatMap(({ note }) => note ?? []))]
  return [
    { tone: 'quiet', text: `${indent}${from.padEnd(column)}${to}` },
    ...rows.map((row): Line => {
      const mark = row.note === undefined ? '' : ` [${notes.indexOf(row.note) + 1}]`
      return {
        tone: toneOf(row, goodWords),
        text: `${indent}${row.from.padEnd(column)}${row.to ?? '–'}${mark}`,
      }
    }),
    ...notes.flatMap((note, index) => indentText(note, `${indent}[${index + 1}] `, width, 'quiet')),
  ]
}

function toneOf({ to }: TableRow, goodWords: readonly string[]): Line['tone'] {
  if (to === null) return 'quiet'
  return goodWords.includes(to) ? 'good' : 'plain'
}

function strong(text: string): Line {
  return { tone: 'strong', text }
}
