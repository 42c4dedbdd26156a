import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'

export {
  callMethod,
  fieldOf,
  isTrueIn,
  jsonValueOf,
  listIn,
  numberIn,
  payloadOf,
  quoteWord,
  recordsIn,
  textIn,
  textOf,
  textOfContent,
  type Payload,
} from './values.ts'
export { addUsage, noUsage, reportedUsage, usageBeyond, usageSince } from './usage.ts'

export type HostEvent =
  | { readonly kind: 'session-started' }
  | { readonly kind: 'prompted'; readonly prompt: string }
  | { readonly kind: 'tool-proposed'; readonly call: HostCall }
  | { readonly kind: 'tool-finished'; readonly call: HostCall; readonly result: HostResult }
  | {
      readonly kind: 'replied'
      readonly text: string
      readonly calls: readonly HostCall[]
      readonly usage: TokenUsage | null
      readonly costUsd?: number
    }
  | HostStop
  | { readonly kind: 'turn-failed'; readonly message: string }
  | { readonly kind: 'session-ended' }
  | { readonly kind: 'irrelevant' }

export interface HostStop {
  readonly kind: 'stopping'
  readonly text: string
  /** `text` contains everything since the prompt, including blocked stops; only the new part is the claim. */
  readonly textHoldsEarlier?: true
  /** Whether its stop was blocked before. Some agents lose this, so nothing relies on it. */
  readonly wasBlocked: boolean
  /** Background processes and timers. It is not done, and a nudge would not help. */
  readonly waitingFor: readonly string[]
  /** It asks its user a question, so this is not a claim. */
  readonly asksUser?: true
  /** The host reports no work, so it is unknown whether anything changed. */
  readonly tellsNoWork?: true
}

export interface HostCall {
  /** Equal in `tool-proposed` and `tool-finished`; unique in a session. */
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly act: HostAct
  /** The base of relative paths. Default: the work folder. */
  readonly folder?: string
}

/** What a call would do, judged by its arguments. Paths are the agent's. */
export type HostAct =
  | { readonly kind: 'command'; readonly script: string; readonly folder?: string }
  /** Without content the result is unknown. */
  | { readonly kind: 'write'; readonly path: string; readonly content?: string }
  | { readonly kind: 'edit'; readonly path: string; readonly edits: readonly HostEdit[] }
  | { readonly kind: 'patch'; readonly patch: string }
  | { readonly kind: 'read' }
  | { readonly kind: 'unreadable' }
  /** Treated as a program that may do anything. */
  | { readonly kind: 'unknown' }

export interface HostEdit {
  readonly old: string
  readonly replacement: string
  readonly all: boolean
}

export interface HostResult {
  readonly status: 'ok' | 'error' | 'unknown'
  readonly output: string
  readonly durationMs?: number
}

export type HostAnswer =
  | {
      readonly kind: 'pass'
      /** For `tool-proposed`: a rule, the policy or a person approved; otherwise the agent decides. */
      readonly allowed?: true
      /** For `tool-proposed`: the call runs a check of this run, so the agent need not ask either. */
      readonly isOwnCheck?: true
      readonly context?: string
      readonly notice?: string
    }
  /** For `stopping`: not done. The model reads `feedback` next. */
  | { readonly kind: 'block'; readonly feedback: string; readonly notice?: string }
  | { readonly kind: 'refuse'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  /** The turn must end now: a cap, or an unbreakable loop. */
  | { readonly kind: 'end'; readonly message: string }

export type ToolActs = Readonly<Record<string, HostAct | ((input: unknown) => HostAct)>>

function actOfTool(tool: string, input: unknown, acts: ToolActs): HostAct {
  const act = Object.hasOwn(acts, tool) ? acts[tool] : undefined
  if (typeof act !== 'function') return act ?? { kind: 'unknown' }
  try {
    return act(input)
  } catch {
    return { kind: 'unknown' }
  }
}

/** @param input as the tool receives it. Default: the recorded arguments */
export function callOfTool(
  call: { readonly callId: string; readonly tool: string; readonly args: JsonValue },
  acts: ToolActs,
  input: unknown = call.args,
): HostCall {
  return { ...call, act: actOfTool(call.tool, input, acts) }
}
