/** From the record of a run to what it teaches. No model is asked. */
import { oneLine, plural } from '@donecheck/core/base'
import type { RunEvent } from '@donecheck/core/events'
import { evolve, type RunState } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'
import { sha256 } from '../../base/index.ts'
import type { Lesson, RunLessons } from './fact.ts'
import { isOrder, leftOutOrder, quoted } from './quoted.ts'

/** Files and tests that one lesson names. */
const maxNamed = 6

/** A failure that was open for a while. */
interface Trouble {
  readonly verdict: Verdict
  readonly shape: string
  readonly turn: number
  /** Files that had been changed when it appeared. */
  readonly before: readonly string[]
}

/** Undefined: it has not ended, was interrupted, or nothing was tried. */
export function distil(events: Iterable<RunEvent>): RunLessons | undefined {
  let state: RunState | undefined
  const open = new Map<string, Trouble>()
  const lessons: Lesson[] = []
  for (const event of events) {
    state = evolve(state, event)
    if (event.type === 'verdict-given') lessons.push(...lessonsOfVerdict(state, event.verdict, open))
    if (event.type === 'verdict-given' && state.phase.kind !== 'verifying') setShapes(state, open)
    if (event.type === 'finding-noted' && event.finding.level !== 'note')
      lessons.push(detectorLesson(event.finding.rule, event.finding.message))
  }
  return state === undefined ? undefined : lessonsOfRun(state, lessons)
}

function lessonsOfRun(state: RunState, made: readonly Lesson[]): RunLessons | undefined {
  const { phase, runId, turn, nowMs, task } = state
  if (phase.kind !== 'stopped' || turn === 0) return undefined
  const { outcome } = phase.transition
  if (outcome === 'interrupted' || outcome === 'error') return undefined
  const isVerified = outcome === 'verified'
  const about = sha256(task.trim()).slice(0, 16)
  const lessons = [runLesson(state, about), ...(isVerified ? [] : [stuckLesson(state, about)]), ...made]
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

/** @param checks names of the required checks of a run */
export function kindOf(workFolder: string | null, checks: readonly string[]): string {
  return sha256(JSON.stringify([workFolder, checks.toSorted()])).slice(0, 16)
}

function requiredChecks({ settings }: RunState): readonly string[] {
  return settings.verifiers
    .filter(({ required, role }) => required && role === 'check')
    .map(({ name }) => name)
}

function runLesson(state: RunState, about: string): Lesson {
  const { consumption, turn, task, workRecord, phase } = state
  const { outcome = '', reason = '' } = phase.kind === 'stopped' ? phase.transition : {}
  const { costUsd } = consumption
  const files = workRecord.editedFiles.slice(-maxNamed).map((file) => quoted(file, 120))
  const checks = requiredChecks(state).map((name) => quoted(name, 80))
  return lesson('run', about, {
    text: [
      `"${quoted(firstLine(task), 160)}" ended ${outcome} (${reason}) after ${plural(turn, 'turn')}`,
      costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(2)}`,
      checks.length === 0 ? '' : `; checks: ${checks.join(', ')}`,
      files.length === 0 ? '' : `; files that mattered: ${files.join(', ')}`,
    ].join(''),
    words: task,
  })
}

function stuckLesson(state: RunState, about: string): Lesson {
  const message = state.phase.kind === 'stopped' ? state.phase.transition.message : ''
  const summary = state.finalSummary?.reply?.text ?? ''
  const said = summary === '' ? '' : `; its own summary: ${quoted(summary, 400)}`
  return lesson('stuck', about, {
    text: `"${quoted(firstLine(state.task), 120)}" got stuck: ${quoted(message)}${said}`,
    words: state.task,
    shape: state.activity.verifications.at(-1)?.failing ?? null,
  })
}

function detectorLesson(rule: string, message: string): Lesson {
  return lesson('detector', rule, { text: `${rule} fired: ${quoted(message)}`, words: rule })
}

/** A required check that failed and passes now teaches how it was mended. */
function lessonsOfVerdict(state: RunState, verdict: Verdict, open: Map<string, Trouble>): readonly Lesson[] {
  const { verifier, status, qualifiers } = verdict
  const flaky = qualifiers.includes('flaky')
    ? [lesson('flaky', verifier, { text: `check "${quoted(verifier, 80)}" was flaky`, words: verifier })]
    : []
  const { editedFiles } = state.workRecord
  const trouble = open.get(verifier)
  if (status === 'failed' && trouble === undefined)
    open.set(verifier, { verdict, shape: '', turn: state.turn, before: editedFiles })
  if (status !== 'passed' || trouble === undefined) return flaky
  open.delete(verifier)
  return [...flaky, mendedLesson(state, trouble)]
}

/** The shape is that of all that failed together, which is known once the verification is over. */
function setShapes({ activity }: RunState, open: Map<string, Trouble>): void {
  const shape = activity.verifications.at(-1)?.failing ?? ''
  for (const [name, trouble] of open) if (trouble.shape === '') open.set(name, { ...trouble, shape })
}

function mendedLesson(
  { workRecord, turn }: RunState,
  { verdict, shape, turn: since, before }: Trouble,
): Lesson {
  const files = workRecord.editedFiles.filter((file) => !before.includes(file)).slice(-maxNamed)
  const tests = verdict.evidence
    .flatMap((piece) => (piece.kind === 'tests' ? piece.failed : []))
    .slice(0, maxNamed)
    .map(({ name }) => quoted(name, 80))
  const name = quoted(verdict.verifier, 80)
  const failing = tests.length === 0 ? '' : ` (${tests.join('; ')})`
  const named = files.map((file) => quoted(file, 120)).join(', ')
  const how = `it passed ${plural(turn - since, 'turn')} later${named === '' ? '' : `, after changes to ${named}`}`
  return lesson('mended', `${verdict.verifier} ${shape}`, {
    text: `check "${name}" failed: ${quoted(verdict.reason)}${failing}; ${how}`,
    words: `${verdict.verifier} ${verdict.reason} ${tests.join(' ')}`,
    shape: shape === '' ? null : shape,
  })
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
  // Pieces that are harmless by themselves may be an order together.
  const safe = isOrder(text) ? `${kind}: ${leftOutOrder}` : text
  return { kind, key: `${kind} ${about}`, text: safe, words: oneLine(words, 2000), shape, isVerified: false }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
