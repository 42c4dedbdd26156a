import { z } from 'zod'
import type { Call } from './turns.ts'
import type { Figures, RunDetails } from '../data/index.ts'
import { compact, dollars, duration, percent, unknownFigure, whole } from './figures.ts'

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'head'
  readonly text: string
}

export interface FileDiff {
  readonly path: string
  readonly lines: readonly DiffLine[]
}

export interface Change extends FileDiff {
  readonly turn: number
  readonly sequence: number
}

const text = z.string()
const optional = text.optional()

const written = z.object({
  path: optional,
  file_path: optional,
  content: optional,
  old_text: optional,
  old_string: optional,
  new_text: optional,
  new_string: optional,
  patch: optional,
  edits: z
    .array(z.object({ old_text: optional, old_string: optional, new_text: optional, new_string: optional }))
    .optional(),
})

type Edit = Pick<z.infer<typeof written>, 'old_text' | 'old_string' | 'new_text' | 'new_string'>

/** Empty for a call that changes no file. */
export function changesOfCall(
  { args, sequence }: Pick<Call, 'args' | 'sequence'>,
  turn: number,
): readonly Change[] {
  const read = written.safeParse(args)
  if (!read.success) return []
  const { patch, content, edits = [], ...call } = read.data
  if (patch !== undefined) return changesOfPatch(patch).map((change) => ({ ...change, turn, sequence }))
  const path = call.path ?? call.file_path
  if (path === undefined) return []
  const lines =
    content === undefined
      ? [call, ...edits].flatMap(linesOfEdit)
      : linesIn(content).map((line) => added(line))
  return lines.length === 0 ? [] : [{ path, turn, sequence, lines }]
}

function linesOfEdit(edit: Edit): readonly DiffLine[] {
  const before = edit.old_text ?? edit.old_string
  const after = edit.new_text ?? edit.new_string
  if (before === undefined && after === undefined) return []
  return [
    ...linesIn(before ?? '').map((line): DiffLine => ({ kind: 'removed', text: line })),
    ...linesIn(after ?? '').map(added),
  ]
}

function added(line: string): DiffLine {
  return { kind: 'added', text: line }
}

function linesIn(whole: string): readonly string[] {
  return whole === '' ? [] : whole.replace(/\n$/, '').split('\n')
}

/** `*** Update File: a.ts` of the patch format, `+++ b/a.ts` of unified diffs. */
const fileHead = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/

function changesOfPatch(patch: string): readonly FileDiff[] {
  const changes: { path: string; lines: DiffLine[] }[] = []
  for (const line of linesIn(patch)) {
    const path = fileHead.exec(line)?.[1]
    if (path !== undefined) changes.push({ path, lines: [] })
    else if (!/^(?:---|\*\*\*) /.test(line)) changes.at(-1)?.lines.push(diffLine(line))
  }
  return changes
}

/** Parses a git diff. Lines before a file's first hunk hold its name and what cannot be shown. */
export function filesOfDiff(diff: string): readonly FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const lines = linesIn(part)
      const first = lines.findIndex((line) => line.startsWith('@@'))
      const head = first === -1 ? lines : lines.slice(0, first)
      const named = (start: string) =>
        head.find((line) => line.startsWith(start) && !line.endsWith('/dev/null'))?.slice(start.length)
      const path = named('+++ b/') ?? named('--- a/') ?? / b\/(.+)$/.exec(head[0] ?? '')?.[1] ?? head[0] ?? ''
      const shown = first === -1 ? head.slice(1).map(headLine) : lines.slice(first).map(diffLine)
      return { path: path.replace(/\t$/, ''), lines: shown }
    })
}

function headLine(line: string): DiffLine {
  return { kind: 'head', text: line }
}

/** Parses a unified diff, also after other lines, or a patch. */
export function diffLines(text: string): readonly DiffLine[] {
  const isPatch = text.startsWith('*** Begin Patch')
  let leftInHunk = 0
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (isPatch) return line.startsWith('***') ? headLine(line) : diffLine(line)
      const [, removed = '1', added = '1'] = hunkHead.exec(line) ?? []
      if (hunkHead.test(line)) leftInHunk = Number(removed) + Number(added)
      else if (leftInHunk > 0) {
        leftInHunk -= /^[-+]/.test(line) ? 1 : 2
        return diffLine(line)
      }
      return headLine(line)
    })
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

function diffLine(line: string): DiffLine {
  const kind = kinds[line[0] ?? ' '] ?? 'same'
  return { kind, text: kind === 'head' ? line : line.slice(1) }
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '@': 'head' }

export interface Comparison {
  readonly name: string
  readonly a: string
  readonly b: string
  readonly difference: string
  /** Whether b is better than a; undefined if equal or a matter of taste. */
  readonly isBetter: boolean | undefined
}

interface Measure<Subject> {
  readonly name: string
  readonly of: (subject: Subject) => number | null | undefined
  readonly words: (value: number | null | undefined) => string
  readonly better?: 'less' | 'more'
}

const runMeasures: readonly Measure<RunDetails>[] = [
  { name: 'Turns', of: ({ run }) => run.turns, words: whole, better: 'less' },
  { name: 'Tokens', of: ({ run }) => run.tokens, words: compact, better: 'less' },
  { name: 'Cost', of: ({ run }) => run.costUsd, words: dollars, better: 'less' },
  { name: 'Active time', of: ({ run }) => run.activeMs, words: duration, better: 'less' },
  { name: 'Events', of: ({ run }) => run.events, words: whole },
  { name: 'Checks passed', of: ({ explanation }) => explanation.passed.length, words: whole, better: 'more' },
  {
    name: 'Checks missing',
    of: ({ explanation }) => explanation.missing.length,
    words: whole,
    better: 'less',
  },
]

const figureMeasures: readonly Measure<Figures>[] = [
  { name: 'Runs', of: ({ runs }) => runs, words: whole },
  { name: 'Verified', of: ({ verified }) => verified.share, words: percent, better: 'more' },
  { name: 'Verified at first try', of: ({ firstTry }) => firstTry.share, words: percent, better: 'more' },
  { name: 'Said done while red', of: ({ falseDone }) => falseDone.share, words: percent, better: 'less' },
  { name: 'Rounds to green', of: ({ roundsToGreen }) => roundsToGreen.median, words: whole, better: 'less' },
  { name: 'Cost per verified run', of: ({ cost }) => cost.perVerifiedUsd, words: dollars, better: 'less' },
  {
    name: 'Tokens per run',
    of: ({ tokens, runs }) => (tokens.input + tokens.output) / runs,
    words: compact,
    better: 'less',
  },
  { name: 'Turns per run', of: ({ turns, runs }) => turns / runs, words: compact, better: 'less' },
  {
    name: 'Active time per run',
    of: ({ activeHours, runs }) => (activeHours * 3_600_000) / runs,
    words: duration,
    better: 'less',
  },
]

export function compareRuns(a: RunDetails, b: RunDetails): readonly Comparison[] {
  return runMeasures.map((measure) => compared(measure, a, b))
}

export function compareFigures(a: Figures, b: Figures): readonly Comparison[] {
  return figureMeasures.map((measure) => compared(measure, a, b))
}

function compared<Subject>(
  { name, of, words, better }: Measure<Subject>,
  a: Subject,
  b: Subject,
): Comparison {
  const [one, other] = [of(a) ?? null, of(b) ?? null]
  const isTold = one !== null && other !== null && one !== other && better !== undefined
  return {
    name,
    a: words(one),
    b: words(other),
    difference: differenceWords(one, other),
    isBetter: isTold ? other < one === (better === 'less') : undefined,
  }
}

function differenceWords(a: number | null, b: number | null): string {
  if (a === null || b === null) return unknownFigure
  if (a === b) return '='
  if (a === 0) return b > 0 ? 'more' : 'less'
  const share = (b - a) / Math.abs(a)
  return `${share > 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(0)} %`
}
