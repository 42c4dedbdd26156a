/** What a hosted session remembers beside the state of its run. All of it may be lost: then less is known, and nothing is allowed to stop for it. */
import type { TokenUsage } from '@donecheck/core/budgets'
import type { ToolCall, NewEvent } from '@donecheck/core/events'

export interface SessionMemory {
  /** The host has told what the run is for. */
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
  /** What the agent was last blocked with. */
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
  /** From what the gate decided to the refusal. */
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

/** Of what lies beside a record. Where that has gone on since, what was open then may have been told of already. */
export function restoreMemory(
  kept: { readonly memory: SessionMemory } | undefined,
  isLatest: boolean,
): SessionMemory {
  if (kept === undefined) return freshMemory
  return isLatest ? kept.memory : { ...kept.memory, open: [], held: null, refusals: [] }
}
