import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { RunEvent, ToolCall, NewEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { LiveRun, World } from '@donecheck/engine/internal/loop/run'
import type { Agent, OwnTool } from '@donecheck/engine/internal/ports/loop'
import type { Engine, AgentSessionParts, SessionWorld } from '../session.ts'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { donecheckVersion, jsonOf, sha256 } from '@donecheck/engine/internal/base'

export interface SessionContext {
  readonly parts: AgentSessionParts
  readonly session: LiveRun
  memory: SessionMemory
  readonly recorded: RunEvent[]
  readonly signal: AbortSignal
  world(): Promise<SessionWorld>
}

export function remember(context: SessionContext, memory: Partial<SessionMemory>): void {
  context.memory = { ...context.memory, ...memory }
}

/** Represents the host: it acts on the session's answers and is never called for a step. */
export function hostAgent(description: AgentDescription, tool?: OwnTool): Agent {
  return {
    description,
    next: () => Promise.reject(new TypeError('a host that owns its loop is not asked for its next step')),
    own: {
      toolOf: () => tool,
      refuse: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
    },
  }
}

export async function buildWorld(
  context: SessionContext,
  signal = context.signal,
): Promise<{ readonly world: World; readonly engine: Engine }> {
  const { doors, engine } = await context.world()
  const { session, parts, recorded } = context
  // Only the state survives between host events; checks may need all events.
  const past = await parts.store.read(session.runId)
  const inPast = recorded.length
  const world: World = {
    ...doors,
    agent: hostAgent(session.state.agent),
    tools: [],
    signal: AbortSignal.any([signal, parts.signal]),
    history: () => [...past, ...recorded.slice(inPast)],
  }
  return { world, engine }
}

export async function stopUnverified(
  context: SessionContext,
  end: Pick<StopTransition, 'reason' | 'outcome' | 'message'>,
): Promise<void> {
  const { world, engine } = await buildWorld(context)
  const transition: StopTransition = { kind: 'stop', ...end, findings: [], verdicts: [] }
  await engine.perform({ kind: 'stop', transition }, context.session, world)
}

export interface SessionMemory {
  readonly sawPrompt: boolean
  /** Fingerprint at the latest prompt; null before the first observation. */
  readonly promptTree: string | null
  /** The same without prose; null if not observed or not relevant. */
  readonly promptTreeWithoutProse: string | null
  /** Proposed and allowed calls without a reported end. */
  readonly open: readonly OpenCall[]
  /** A reply without calls: the claim, if the turn ends next. */
  readonly held: AgentReply | null
  /** Refused calls of a reply that the host has yet to report. */
  readonly refusals: readonly HeldRefusal[]
  /** Advice already sent, not repeated with the next feedback. */
  readonly adviceGiven: readonly string[]
  readonly blocked: { readonly turn: number; readonly feedback: string } | null
  readonly workedAfterEnd: boolean
  /** Consecutive turns that ended in a question or wait, without a prompt since. */
  readonly waits: number
  /** What it waits for, as text; empty if it does not. */
  readonly waitsFor: readonly string[]
  /** Background work at the last turn's end; waiting for it again does not count. */
  readonly background: readonly string[]
  /** The run whose baseline tree counts; null for its own. */
  readonly baselineRunId: string | null
}

interface OpenCall {
  readonly call: ToolCall
  readonly isRead: boolean
}

export interface AgentReply {
  readonly text: string
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
}

interface HeldRefusal {
  readonly call: ToolCall
  readonly facts: readonly NewEvent[]
}

export const freshMemory: SessionMemory = {
  sawPrompt: false,
  promptTree: null,
  promptTreeWithoutProse: null,
  open: [],
  held: null,
  refusals: [],
  adviceGiven: [],
  blocked: null,
  workedAfterEnd: false,
  waits: 0,
  waitsFor: [],
  background: [],
  baselineRunId: null,
}

export function restoreMemory(
  kept: { readonly memory: SessionMemory } | undefined,
  isLatest: boolean,
): SessionMemory {
  if (kept === undefined) return freshMemory
  return isLatest ? kept.memory : { ...kept.memory, open: [], held: null, refusals: [] }
}

/** Caches state and memory as one text (I2). Any mismatch invalidates it. */

export interface Snapshot {
  readonly state: RunState
  readonly memory: SessionMemory
}

const version = `${donecheckVersion} 29`

export function snapshotText(snapshot: Snapshot): string {
  const json = JSON.stringify(snapshot)
  return `${version}\n${sha256(json)}\n${json}`
}

export function snapshotOf(text: string): Snapshot | undefined {
  const afterVersion = text.indexOf('\n')
  const afterDigest = text.indexOf('\n', afterVersion + 1)
  if (afterVersion === -1 || afterDigest === -1 || text.slice(0, afterVersion) !== version) return undefined
  const json = text.slice(afterDigest + 1)
  if (text.slice(afterVersion + 1, afterDigest) !== sha256(json)) return undefined
  // The digest proves that this version wrote it, so its fields are not validated.
  return jsonOf(json) as Snapshot | undefined
}
