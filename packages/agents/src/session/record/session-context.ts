import type { DriveDescription } from '@donecheck/core/internal/events/settings'
import type { RunEvent, ToolCall, NewEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { Session, World } from '@donecheck/engine/internal/loop/run'
import type { Drive, OwnTool } from '@donecheck/engine/internal/ports/loop'
import type { Engine, HostedSessionParts, SessionWorld } from '../session.ts'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { donecheckVersion, jsonOf } from '@donecheck/engine/internal/base'

export interface SessionContext {
  readonly parts: HostedSessionParts
  readonly session: Session
  memory: SessionMemory
  readonly recorded: RunEvent[]
  readonly signal: AbortSignal
  world(): Promise<SessionWorld>
}

export function remember(context: SessionContext, memory: Partial<SessionMemory>): void {
  context.memory = { ...context.memory, ...memory }
}

/** Stands for the host: it is told what to do through the answers of the hosted session, and is never asked for a step. */
export function hostDrive(description: DriveDescription, tool?: OwnTool): Drive {
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
  // Between two events of the host only the state is remembered; checks may ask for all that has happened.
  const past = await parts.store.read(session.runId)
  const inPast = recorded.length
  const world: World = {
    ...doors,
    drive: hostDrive(session.state.drive),
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
  /** Fingerprint at the latest prompt; null: nobody has looked. */
  readonly promptTree: string | null
  /** The same without prose; null: nobody has looked, or it makes no difference. */
  readonly promptTreeWithoutProse: string | null
  /** Proposed, allowed, and not told of since. */
  readonly open: readonly OpenCall[]
  /** A reply that proposes nothing: the claim, if the host says next that the turn ends. */
  readonly held: AgentReply | null
  /** Refused calls of a reply that the host has yet to tell. */
  readonly refusals: readonly HeldRefusal[]
  /** Advice that was told, and need not be told again with the next feedback. */
  readonly adviceGiven: readonly string[]
  readonly blocked: { readonly turn: number; readonly feedback: string } | null
  /** Its run was over, and it did something all the same. */
  readonly workedAfterEnd: boolean
  /** Turns in a row that ended with a question or in waiting, and no prompt since. */
  readonly waits: number
  /** What it waits for now, in words; empty: it does not. */
  readonly waitsFor: readonly string[]
  /** What was under way in the background when its latest turn ended: to wait for that once more is no reason. */
  readonly background: readonly string[]
  /** The run whose baseline tree counts as untouched; null: its own. */
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

/** State and memory of a hosted session as one text: a cache (I2), so whatever is not exactly what was written is no snapshot. */

export interface Snapshot {
  readonly state: RunState
  readonly memory: SessionMemory
}

const version = `${donecheckVersion} 28`

export function snapshotText(snapshot: Snapshot): string {
  const json = JSON.stringify(snapshot)
  return `${version}\n${digestOf(json)}\n${json}`
}

export function snapshotOf(text: string): Snapshot | undefined {
  const afterVersion = text.indexOf('\n')
  const afterDigest = text.indexOf('\n', afterVersion + 1)
  if (afterVersion === -1 || afterDigest === -1 || text.slice(0, afterVersion) !== version) return undefined
  const json = text.slice(afterDigest + 1)
  if (text.slice(afterVersion + 1, afterDigest) !== digestOf(json)) return undefined
  // The digest says that this version of this program has written it: it need not be looked at field by field.
  return jsonOf(json) as Snapshot | undefined
}

/** FNV-1a over words of 32 bits: against accidents, and quick to make. Whoever can write the store can write anything. */
function digestOf(json: string): string {
  const text = Buffer.from(json)
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 4)
  bytes.set(text)
  // An iterator is slow in code that runs once.
  const digest = new Int32Array(bytes.buffer).reduce(
    (before, word) => Math.imul(before ^ word ^ (before >>> 15), 0x01000193),
    0x811c9dc5,
  )
  return `${(digest >>> 0).toString(16)}-${text.length}`
}
