/** What a person can type after a run, by how it ended: a command that works as it stands, and what it is for. */
import { topUpOf } from '@donecheck/core/decide'
import { resumableOutcomes } from '@donecheck/core/stops'
import type { RunState } from '@donecheck/core/state'
import type { StopReason, StopTransition } from '@donecheck/core/transitions'
import type { OpenCheck } from './open-checks.ts'

/** `verification`: the checks alone. `session`: an agent of others with our hooks. */
export type RunKind = 'run' | 'verification' | 'session'

/** What the state does not know of its run. */
export interface RunContext {
  /** How the run is named in what can be typed. Default: its id. */
  readonly name?: string
  /** An agent with hooks owns the loop. */
  readonly isSession?: boolean
  /** What asks the same checks again; undefined: nobody knows. */
  readonly again?: string
}

export interface NextStep {
  readonly command: string
  readonly why: string
}

interface Ended extends RunContext {
  readonly state: RunState
  readonly kind: RunKind
  readonly end: StopTransition | undefined
  readonly missing: readonly OpenCheck[]
}

export function nextSteps(ended: Ended): readonly NextStep[] {
  const { state, name = state.runId, kind } = ended
  const timeline = { command: `donecheck show ${name}`, why: 'the whole timeline' }
  return [...(kind === 'run' ? afterRun(ended, name) : withoutDrive(ended, name)), timeline]
}

function afterRun({ state, end, missing }: Ended, name: string): readonly NextStep[] {
  const resume = `donecheck resume ${name}`
  if (end === undefined) return [{ command: resume, why: 'goes on, if no process does' }]
  const topUp = state.parent === undefined ? topUpOf(state, end) : undefined
  if (topUp !== undefined) return [{ command: `${resume} --top-up ${topUp}`, why: 'goes on with more' }]
  if (waitsForAuthority(missing))
    return [
      { command: `donecheck changes ${name}`, why: 'which changes belong to the checks' },
      { command: `donecheck approve ${name}`, why: 'allows them in your name' },
    ]
  const first = resumableOutcomes.includes(end.outcome)
    ? [{ command: resume, why: resumeReasons[end.reason] ?? 'goes on where it stopped' }]
    : []
  return [...first, ...furtherSteps(end.reason, name)]
}

const resumeReasons: Readonly<Partial<Record<StopReason, string>>> = {
  blocked: 'goes on, once what is named above is there',
  error: 'goes on, once the cause is gone',
  awaiting_approval: 'goes on, once you have decided',
  permission_denied: 'goes on, and asks you again',
}

function furtherSteps(reason: StopReason, name: string): readonly NextStep[] {
  if (reason === 'task_complete')
    return [{ command: `donecheck receipt ${name}`, why: 'what was checked, on which tree' }]
  if (reason === 'model_ended') return [{ command: 'donecheck tiers', why: 'which checks this project has' }]
  return []
}

/** Of a guard that asks for authority, or a check that waits for a person. */
function waitsForAuthority(missing: readonly OpenCheck[]): boolean {
  return missing.some(({ status }) => status === 'pending')
}

/** Nobody goes on with these: what is red is fixed, and asked again. */
function withoutDrive({ kind, end, again }: Ended, name: string): readonly NextStep[] {
  if (kind === 'session')
    return [{ command: 'donecheck status', why: 'how the sessions of this project stand' }]
  if (end?.outcome === 'verified') return furtherSteps('task_complete', name)
  return again === undefined ? [] : [{ command: again, why: 'asks again, once it is fixed' }]
}
