/** What is read off a state in more than one place. */
import type { ToolTraits, VerifierDescription } from '../events/settings/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import type { PendingCall, RunState } from './state.ts'

/** The drive works with its own tools and has not ended its turn: its next reply is a step of the same turn. */
export function isMidTurn({ drive, phase, lastReplyFinish, turnOpen }: RunState): boolean {
  return drive.ownsTools === true && phase.kind === 'judging' && turnOpen && lastReplyFinish === 'tool-calls'
}

type Counted = Pick<RunState, 'drive' | 'turn' | 'replies' | 'tally'>

/**
 * The number under which calls stand that were asked for at one time: the turn; where a drive calls its own tools many times
 * in a turn, the reply.
 */
export function batchOf({ drive, turn, replies }: Counted): number {
  return drive.ownsTools === true ? replies : turn
}

/** Of the first calls of the turn in progress, or of the last one. */
export function firstBatchOf(state: Counted): number {
  return state.drive.ownsTools === true ? state.replies - state.tally.replies + 1 : state.turn
}

/** Undefined: no call of this id waits for its answer. */
export function pendingCallOf({ phase }: RunState, callId: string): PendingCall | undefined {
  return phase.kind === 'acting' ? phase.pending.find(({ call }) => call.callId === callId) : undefined
}

/** What the user of this run has declared of a tool. */
export function traitsOf({ settings }: Pick<RunState, 'settings'>, tool: string): ToolTraits | undefined {
  const tools = settings.soft?.loopDetection.tools
  return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
}

interface LatestVerdict {
  readonly verifier: VerifierDescription
  readonly verdict: Verdict
}

/** Of every verifier that has spoken. */
export function latestVerdicts({
  settings,
  checks,
}: Pick<RunState, 'settings' | 'checks'>): readonly LatestVerdict[] {
  return settings.verifiers.flatMap((verifier) => {
    const verdict = checks[verifier.name]?.latest
    return verdict === undefined ? [] : [{ verifier, verdict }]
  })
}

/** Whether this check passed when it was asked last. */
export function hasPassed({ checks }: Pick<RunState, 'checks'>): (check: string) => boolean {
  return (check) => Object.hasOwn(checks, check) && checks[check]?.latest?.status === 'passed'
}
