import {
  capMeanings,
  detectorMeanings,
  endLabels,
  labelTables,
  type EndLabel,
  type Reason,
} from './own-labels.ts'
import type { Explanation } from '@donecheck/engine/display'
import { indentText } from '../output/wrap.ts'
import { harmless, oneLine, plural, seconds, thousands, type Line, line } from '@donecheck/core/internal/base'

const indent = '  '
const blank = line('plain', '')

export function labelLines(width: number): readonly Line[] {
  return [
    strong('Ends: a run has one, with its outcome and its exit code'),
    ...endLabels.flatMap((end) => [blank, ...endLines(end, width)]),
    blank,
    strong('Turns that go on'),
    blank,
    ...nameLines(labelTables.turn, '', width),
    blank,
    strong('Tool calls that were refused'),
    blank,
    ...nameLines(labelTables.refusal, '', width),
    blank,
    line('quiet', 'One reason: donecheck explain loop_detected · one run: donecheck explain last'),
  ]
}

const resumeWords: Readonly<Record<EndLabel['resume'], readonly string[]>> = {
  yes: ['can be resumed'],
  'with-top-up': ['can be resumed with a top-up'],
  no: [],
}

function endLines(end: EndLabel, width: number): readonly Line[] {
  const { name, reason, outcome, exitCode, resume, meaning, next } = end
  const stands = [
    outcome,
    `exit ${exitCode}`,
    ...resumeWords[resume],
    ...(name === reason ? [] : [`reason ${reason}`]),
  ]
  const head = `${name}${indent}${stands.join(' · ')}`
  return [
    line(outcome === 'verified' ? 'good' : 'strong', head),
    ...indentText(meaning, indent, width),
    ...indentText(next, `${indent}→ `, width),
    ...detailLines(end, width),
  ]
}

function detailLines({ name }: EndLabel, width: number): readonly Line[] {
  if (name === 'loop_detected') return nameLines(detectorMeanings, indent, width)
  return name === 'hard_cap' ? nameLines(capMeanings, indent, width) : []
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

export function reasonLines({ name, meaning, kind, end }: Reason, width: number): readonly Line[] {
  if (end !== undefined) return endLines(end, width)
  return [strong(`${name}${indent}${kindWords[kind]}`), ...indentText(meaning, indent, width)]
}

const kindWords: Readonly<Record<Reason['kind'], string>> = {
  end: 'why a run ended',
  cap: 'a cap that ends a run as hard_cap',
  detector: 'a detector that ends a run as loop_detected',
  turn: 'why a run went on after a turn',
  refusal: 'why a tool call was refused',
}

function strong(text: string): Line {
  return line('strong', text)
}

export const widestExplanation = 80
const maxChecks = 3
const maxNextSteps = 3

export function explanationLines(explanation: Explanation, terminalWidth: number): readonly Line[] {
  const width = Math.min(terminalWidth, widestExplanation)
  const lines = [
    ...headLines(explanation, width),
    ...missingLines(explanation, width),
    line('strong', 'What it cost'),
    ...costLines(explanation, width),
  ] as const
  return [
    ...lines.map(({ tone, text }) => line(tone, cut(text, width))),
    line('strong', 'What to type next'),
    ...nextLines(explanation, width),
  ]
}

function headLines(
  { runId, kind, by, task, end, turns, missing, waiting }: Explanation,
  width: number,
): readonly Line[] {
  const who = kind === 'verification' ? 'the checks alone' : `${by}: ${task}`
  const head = `${kind} ${runId} · ${harmless(who)}`
  const after = kind === 'verification' ? '' : ` after ${plural(turns, 'turn')}`
  if (end === null)
    return [
      line('strong', oneLine(head, width)),
      line('warning', `→ has not ended${after === '' ? '' : `: ${plural(turns, 'turn')} so far`}`),
      ...(waiting === undefined ? [] : shortened(waiting, '  ', width, 2)),
    ]
  const label = end.reason === end.outcome ? [] : [[end.reason, end.detector].filter(Boolean).join(' ')]
  const tone = end.outcome === 'verified' ? 'good' : 'bad'
  const isSaid =
    end.reason === 'hard_cap' || missing.some(({ reason }) => reason !== '' && end.message.includes(reason))
  return [
    line('strong', oneLine(head, width)),
    line(tone, `→ ${end.outcome}${after} (${[...label, `exit ${end.exitCode}`].join(', ')})`),
    ...(kind === 'verification' ? [] : shortened(meaningOf(end), '  ', width, 2)),
    ...(isSaid ? [] : shortened(end.message, '  ', width, 2)),
  ]
}

function meaningOf({ reason, cap, detector }: NonNullable<Explanation['end']>): string {
  if (cap !== undefined) return capMeanings[cap]
  const known = Object.entries(detectorMeanings).find(([name]) => name === detector)
  return known?.[1] ?? endLabels.find((label) => label.reason === reason)?.meaning ?? ''
}

const marks = { passed: '✓', failed: '✗', error: '?', pending: '…', skipped: '–', 'not-asked': '–' } as const

function missingLines({ missing, openParts, passed, end }: Explanation, width: number): readonly Line[] {
  const shown = missing.slice(0, maxChecks)
  const rest = missing.slice(maxChecks).map(({ name }) => name)
  return [
    line('strong', 'What is missing'),
    ...shown.flatMap(({ name, status, reason, evidence }) => [
      ...shortened(
        status === 'not-asked' ? `${name} was not run` : reason,
        `  ${marks[status]} `,
        width,
        1,
        status === 'failed' ? 'bad' : 'warning',
      ),
      ...evidence.slice(0, 1).map((text) => line('quiet', `      ${oneLine(text, width)}`)),
    ]),
    ...(rest.length === 0 ? [] : shortened(`and ${rest.join(', ')}`, '  ', width, 1)),
    ...(openParts.length === 0
      ? []
      : shortened(`parts of the goal: ${openParts.join('; ')}`, '  ', width, 1)),
    ...(missing.length + openParts.length > 0 ? [] : [nothingMissing(passed, end)]),
    ...(passed.length === 0 ? [] : shortened(`passed: ${passed.join(', ')}`, '  ✓ ', width, 1, 'good')),
  ]
}

function nothingMissing(passed: readonly string[], end: Explanation['end']): Line {
  if (end?.outcome === 'verified') return line('plain', '  nothing')
  const text =
    passed.length === 0 ? '  a check: none was named' : '  no check that is known; see the reason above'
  return line('warning', text)
}

function costLines({ kind, turns, spent }: Explanation, width: number): readonly Line[] {
  const { durationMs, tokens, isEstimated, costUsd, checksCostUsd } = spent
  const ofAgent = [
    tokens === null ? 'tokens unknown' : `${isEstimated ? 'about ' : ''}${thousands(tokens)} tokens`,
    costUsd === null ? 'price unknown' : `$${costUsd.toFixed(4)}`,
  ]
  const judges = checksCostUsd === 0 ? [] : [`judges $${checksCostUsd.toFixed(4)}`]
  if (kind === 'verification') return shortened([seconds(durationMs), ...judges].join(' · '), '  ', width, 1)
  const used = [plural(turns, 'turn'), seconds(durationMs), ...ofAgent, ...judges]
  const caps = spent.caps.map(({ words }) => words)
  return [
    ...shortened(used.join(' · '), '  ', width, 1),
    ...(caps.length === 0 ? [] : shortened(`caps: ${caps.join(', ')}`, '  ', width, 1, 'quiet')),
  ]
}

/** Commands are never cut; explanations are dropped if there is no room. */
function nextLines({ next }: Explanation, width: number): readonly Line[] {
  const shown = next.slice(0, maxNextSteps)
  const column = Math.max(...shown.map(({ command }) => command.length).filter((length) => length < 50))
  return shown.map(({ command, why }) => {
    const explained = `  ${command.padEnd(column)}  # ${why}`
    return line('plain', explained.length <= width ? explained : `  ${command}`)
  })
}

function shortened(
  text: string,
  head: string,
  width: number,
  maxLines: number,
  tone: Line['tone'] = 'plain',
): readonly Line[] {
  const lines = indentText(harmless(text), head, width, tone)
  return lines.slice(0, maxLines).map((line, index) => {
    const isCut = index === maxLines - 1 && lines.length > maxLines
    return isCut ? { ...line, text: `${cut(line.text, width - 2)} …` } : line
  })
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
