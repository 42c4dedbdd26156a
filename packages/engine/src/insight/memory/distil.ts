import { oneLine, plural } from '@donecheck/core/internal/base'
import type { RunEvent } from '@donecheck/core/internal/events'
import {
  editedPaths,
  evolve,
  pendingCallOf,
  requiredChecks,
  type RunState,
} from '@donecheck/core/internal/state'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { sha256 } from '../../base/index.ts'

const maxNamed = 6
const maxChecks = 3
const maxOutputLines = 6

interface Trouble {
  readonly verdict: Verdict
  readonly shape: string
  readonly turn: number
  readonly before: readonly string[]
}

/** @param changedFiles used if no edit is recorded @returns undefined unless a finished run taught something */
export function distil(
  events: Iterable<RunEvent>,
  changedFiles: readonly string[] = [],
): RunLessons | undefined {
  let state: RunState | undefined
  let edited: readonly string[] = []
  const open = new Map<string, Trouble>()
  const lessons: Lesson[] = []
  for (const event of events) {
    edited = withEditedFiles(edited, state, event)
    state = evolve(state, event)
    if (event.type === 'verdict-given')
      lessons.push(...lessonsOfVerdict(state, event.verdict, open, { edited, changedFiles }))
    if (event.type === 'verdict-given' && state.phase.kind !== 'verifying') setShapes(state, open)
    if (event.type === 'finding-noted' && event.finding.level !== 'note')
      lessons.push(detectorLesson(event.finding.rule, event.finding.message))
  }
  return state === undefined ? undefined : lessonsOfRun(state, lessons, { edited, changedFiles })
}

interface WorkFiles {
  readonly edited: readonly string[]
  readonly changedFiles: readonly string[]
}

/** @param state the state before the event */
function withEditedFiles(
  edited: readonly string[],
  state: RunState | undefined,
  event: RunEvent,
): readonly string[] {
  if (state === undefined || event.type !== 'tool-returned' || event.status !== 'ok') return edited
  const pending = pendingCallOf(state, event.callId)
  if (pending === undefined || event.changed === false) return edited
  const { call, announcedAs } = pending
  const paths = editedPaths(call.tool, call.args, announcedAs) ?? []
  return [...edited.filter((path) => !paths.includes(path)), ...paths]
}

function lessonsOfRun(
  state: RunState,
  made: readonly Lesson[],
  workFiles: WorkFiles,
): RunLessons | undefined {
  const { phase, runId, turn, nowMs, task } = state
  if (phase.kind !== 'stopped' || turn === 0) return undefined
  const { outcome } = phase.transition
  if (outcome === 'interrupted' || outcome === 'error') return undefined
  const isVerified = outcome === 'verified'
  const about = sha256(task.trim()).slice(0, 16)
  const files = listFiles(workFiles)
  const stuck = isVerified ? undefined : stuckLesson(state, about, files)
  const lessons = [runLesson(state, about, files), ...(stuck === undefined ? [] : [stuck]), ...made]
  const latest = new Map(lessons.map((lesson) => [lesson.key, { ...lesson, isVerified }]))
  return {
    runId,
    kind: kindOf(state.workFolder, requiredChecks(state)),
    turns: turn,
    outcome,
    endedAtMs: nowMs,
    lessons: [...latest.values()],
    refuted: isVerified ? [`stuck ${about}`] : [],
  }
}

export function kindOf(workFolder: string | null, checks: readonly string[]): string {
  return sha256(JSON.stringify([workFolder, checks.toSorted()])).slice(0, 16)
}

function listFiles({ edited, changedFiles }: WorkFiles): string {
  const files = edited.length === 0 ? changedFiles : edited
  return files
    .slice(-maxNamed)
    .map((file) => quoted(file, 120))
    .join(', ')
}

function runLesson(state: RunState, about: string, files: string): Lesson {
  const { consumption, turn, task, phase } = state
  const { outcome = '', reason = '' } = phase.kind === 'stopped' ? phase.transition : {}
  const { costUsd } = consumption
  const checks = requiredChecks(state).map((name) => quoted(name, 80))
  return lesson('run', about, {
    text: [
      `"${quoted(firstLine(task), 160)}" ended ${outcome} (${reason}) after ${plural(turn, 'turn')}`,
      costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(2)}`,
      checks.length === 0 ? '' : `; checks: ${checks.join(', ')}`,
      files === '' ? '' : `; files that mattered: ${files}`,
    ].join(''),
    words: task,
  })
}

/** A reached limit teaches nothing; the failures and the agent's summary do. */
function stuckLesson(state: RunState, about: string, files: string): Lesson | undefined {
  const { phase, checks, task } = state
  const end =
    phase.kind === 'stopped' && phase.transition.reason !== 'hard_cap' ? phase.transition : undefined
  const failing = requiredChecks(state).flatMap((name) => {
    const verdict = checks[name]?.latest
    return verdict?.status === 'failed'
      ? [`check "${quoted(name, 80)}" failed: ${describeFailure(verdict)}`]
      : []
  })
  const summary = state.finalSummary?.reply?.text ?? ''
  const parts = [
    ...(end === undefined ? [] : [quoted(end.message)]),
    ...failing.slice(0, maxChecks),
    ...(summary === '' ? [] : [`its own summary: ${quoted(summary, 400)}`]),
  ]
  if (parts.length === 0) return undefined
  const tried = files === '' ? [] : [`files that were changed: ${files}`]
  return lesson('stuck', about, {
    text: `"${quoted(firstLine(task), 120)}" got stuck: ${[...parts, ...tried].join('; ')}`,
    words: `${task} ${failing.join(' ')}`,
    shape: state.activity.verifications.at(-1)?.failing ?? null,
  })
}

function detectorLesson(rule: string, message: string): Lesson {
  return lesson('detector', rule, { text: `${rule} fired: ${quoted(message)}`, words: rule })
}

/** A required check that failed and now passes teaches how it was fixed. */
function lessonsOfVerdict(
  state: RunState,
  verdict: Verdict,
  open: Map<string, Trouble>,
  workFiles: WorkFiles,
): readonly Lesson[] {
  const { verifier, status, qualifiers } = verdict
  const flaky = qualifiers.includes('flaky')
    ? [lesson('flaky', verifier, { text: `check "${quoted(verifier, 80)}" was flaky`, words: verifier })]
    : []
  const trouble = open.get(verifier)
  if (status === 'failed' && trouble === undefined)
    open.set(verifier, { verdict, shape: '', turn: state.turn, before: workFiles.edited })
  if (status !== 'passed' || trouble === undefined) return flaky
  open.delete(verifier)
  return [...flaky, mendedLesson(state, trouble, workFiles)]
}

/** The shape covers all failures of a verification, so it is known only at its end. */
function setShapes({ activity }: RunState, open: Map<string, Trouble>): void {
  const shape = activity.verifications.at(-1)?.failing ?? ''
  for (const [name, trouble] of open) if (trouble.shape === '') open.set(name, { ...trouble, shape })
}

function mendedLesson(
  { turn }: RunState,
  { verdict, shape, turn: since, before }: Trouble,
  { edited, changedFiles }: WorkFiles,
): Lesson {
  const named = listFiles({
    edited: edited.filter((file) => !before.includes(file)),
    changedFiles: edited.length === 0 ? changedFiles : [],
  })
  const name = quoted(verdict.verifier, 80)
  const failure = describeFailure(verdict)
  const how = `it passed ${plural(turn - since, 'turn')} later${named === '' ? '' : `, after changes to ${named}`}`
  return lesson('mended', `${verdict.verifier} ${shape}`, {
    text: `check "${name}" failed: ${failure}; ${how}`,
    words: `${verdict.verifier} ${failure}`,
    shape: shape === '' ? null : shape,
  })
}

/** The reason with the failed tests, or with the end of the output. */
function describeFailure({ reason, evidence }: Verdict): string {
  const tests = evidence
    .flatMap((piece) => (piece.kind === 'tests' ? piece.failed : []))
    .slice(0, maxNamed)
    .map(
      ({ name, message = '' }) =>
        `${quoted(name, 80)}${message.trim() === '' ? '' : `: ${quoted(message, 160)}`}`,
    )
  const output = evidence.findLast((piece) => piece.kind === 'command')?.output
  const end =
    tests.length > 0 || output === undefined ? '' : quoteEnd(output.tail === '' ? output.head : output.tail)
  const details = tests.length > 0 ? tests.join('; ') : end
  return `${quoted(reason)}${details === '' ? '' : ` (${details})`}`
}

/** Quotes the last lines of an output; older ones are cut first. */
function quoteEnd(output: string): string {
  const lines = output.trim().split('\n').slice(-maxOutputLines)
  return lines
    .map((line) => quoted(line, 120))
    .filter((line) => line !== '')
    .join(' | ')
}

function lesson(
  kind: Lesson['kind'],
  about: string,
  {
    text,
    words,
    shape = null,
  }: { readonly text: string; readonly words: string; readonly shape?: string | null },
): Lesson {
  // Harmless parts may form an instruction together.
  const safe = isOrder(text) ? `${kind}: ${leftOutOrder}` : text
  return { kind, key: `${kind} ${about}`, text: safe, words: oneLine(words, 2000), shape, isVerified: false }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}

/** Quotes foreign text safely: one short line that does not read like an instruction. */

const maxLength = 240

const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|previous|prior|above|earlier|rule|prompt|check|policy)/i,
  /\b(?:you (?:must|should|shall|need to|are now)|your (?:task|job|goal|instructions?) (?:is|are|now))\b/i,
  /\b(?:system|developer) (?:prompt|message|instruction)/i,
  /<\/?(?:system|assistant|user|instructions?|tool)\b|\[\/?inst\]|(?:^|\s)(?:human|assistant|system):\s/i,
  /\b(?:do not|don't|never|always|please|instead,?) (?:run|check|test|verify|tell|report|mention|call|use|write|delete|send|reply|say)\b/i,
  /\b(?:delete|remove|skip|disable|comment out|weaken) (?:all |any |the |every |these |failing )*(?:tests?|checks?|assertions?|guards?)\b/i,
]

export const leftOutOrder = '[left out: it reads like an instruction]'

function isOrder(line: string): boolean {
  return orders.some((order) => order.test(line))
}

export function quoted(text: string, most = maxLength): string {
  const line = text
    .normalize('NFKC')
    // Invisible to people, but a model reads them.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    // eslint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g, ' ')
    .replace(/[`<>]{2,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (isOrder(line)) return leftOutOrder
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

export const memoryKinds = ['run', 'mended', 'stuck', 'detector', 'flaky'] as const
export type MemoryKind = (typeof memoryKinds)[number]

export interface Lesson {
  /** A later lesson with the same key replaces this one. */
  readonly key: string
  readonly kind: MemoryKind
  readonly text: string
  readonly words: string
  /** Shape of the failure it is about; null if none. */
  readonly shape: string | null
  readonly isVerified: boolean
}

export interface RunLessons {
  readonly runId: string
  /** Runs in the same work folder with the same required checks are of one kind. */
  readonly kind: string
  readonly turns: number
  readonly outcome: string
  readonly endedAtMs: number
  readonly lessons: readonly Lesson[]
  /** Keys of facts that this one replaces. */
  readonly refuted: readonly string[]
}

export interface MemoryFact extends Lesson {
  /** Short and stable, such as `m12`. */
  readonly id: string
  readonly runId: string
  /** Milliseconds since the Unix epoch. */
  readonly learntAtMs: number
  readonly isPinned: boolean
  /** Ended runs that were given the fact, and those of them that ended verified. */
  readonly recalled: number
  readonly helped: number
}
