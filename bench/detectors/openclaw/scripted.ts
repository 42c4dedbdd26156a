/** Sequences for the tests: what a session says to each call while everything is recorded, vetoed or not. */
import type { CallIds, Ending, ToolUse, Verdict } from './records.ts'
import type { LoopSession } from './session.ts'

export interface Scripted extends ToolUse {
  /** Left out: the outcome stays unknown. */
  readonly ending?: Ending
  readonly ids?: CallIds
}

export function use(toolName: string, params: unknown = {}): ToolUse {
  return { toolName, params }
}

/** A result with a text and nothing else. */
export function said(text: string): Ending {
  return { result: { content: [{ type: 'text', text }] } }
}

export function detailed(details: object, text = ''): Ending {
  return { result: { details, content: [{ type: 'text', text }] } }
}

export function times(count: number, call: (at: number) => Scripted): Scripted[] {
  return Array.from({ length: count }, (_, at) => call(at))
}

/** The verdict on each call, given before it is recorded. */
export function feed(session: LoopSession, calls: readonly Scripted[]): readonly Verdict[] {
  return calls.map(({ toolName, params, ending, ids }) => {
    const verdict = session.detect({ toolName, params }, ids)
    session.recordCall({ toolName, params }, ids)
    if (ending !== undefined) session.recordOutcome({ toolName, params }, ending, ids)
    return verdict
  })
}

/** Of the call after the given ones: level, detector and count, or that there is nothing. */
export function verdictAfter(session: LoopSession, calls: readonly Scripted[], probe: Scripted): string {
  feed(session, calls)
  return inWords(session.detect(probe, probe.ids))
}

export function inWords(verdict: Verdict): string {
  return verdict.stuck ? `${verdict.level} ${verdict.detector} ${verdict.count}` : 'not stuck'
}

/** Numbers of the calls, from 1, with which each level of each detector was first reached. */
export function firstCalls(
  session: LoopSession,
  calls: readonly Scripted[],
): Readonly<Record<string, number>> {
  const first: Record<string, number> = {}
  for (const [at, verdict] of feed(session, calls).entries()) {
    if (verdict.stuck) first[`${verdict.level} ${verdict.detector}`] ??= at + 1
  }
  return first
}
