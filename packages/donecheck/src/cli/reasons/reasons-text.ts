/** The labels as a person reads them, as wide as the terminal and no wider than is pleasant. */
import type { EndLabel } from './own-labels.ts'
import type { Reason } from './find-reason.ts'
import { labels, type Labels } from './systems.ts'
import type { Line } from '@donecheck/engine/report'
import { indentText } from '../output/wrap.ts'

const indent = '  '
const blank: Line = { tone: 'plain', text: '' }

/** Every reason: ends with their caps and detectors, turns, refused calls. */
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
    { tone: 'quiet', text: 'One reason: donecheck explain loop_detected · one run: donecheck explain last' },
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

/** One reason, and its names in other systems. */
export function reasonLines({ name, meaning, kind, end, elsewhere }: Reason, width: number): readonly Line[] {
  const head =
    end === undefined
      ? [strong(`${name}${indent}${kindWords[kind]}`), ...indentText(meaning, indent, width)]
      : endLines(end, labels, width)
  if (elsewhere.length === 0) return head
  const others = elsewhere.flatMap(({ system, field, words }) =>
    indentText(`${system}, ${field}: ${words.join(', ')}`, indent, width),
  )
  const title = kind === 'foreign' ? 'In donecheck' : 'In other systems'
  return [...head, blank, strong(title), ...others]
}

const kindWords: Readonly<Record<Reason['kind'], string>> = {
  end: 'why a run ended',
  cap: 'a cap that ends a run as hard_cap',
  detector: 'a detector that ends a run as loop_detected',
  turn: 'why a run went on after a turn',
  refusal: 'why a tool call was refused',
  foreign: 'not a reason of donecheck',
}

function strong(text: string): Line {
  return { tone: 'strong', text }
}
