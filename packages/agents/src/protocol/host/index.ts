import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'

export {
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
  /** `text` holds all that it said since the prompt, feedback to blocked stops included: only what is new is the claim. */
  readonly textHoldsEarlier?: true
  /** The agent says that its stop was blocked before. One bit that some agents lose: never relied upon. */
  readonly wasBlocked: boolean
  /** What it waits for: processes in the background, timers. It is not done, and poking it would not help. */
  readonly waitingFor: readonly string[]
  /** It asks its user something, so it is not a claim either. */
  readonly asksUser?: true
  /** The host tells of no work: whether there was any since something was verified, nobody knows. */
  readonly tellsNoWork?: true
}

export interface HostCall {
  /** Equal in `tool-proposed` and `tool-finished`; unique in a session. */
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly act: HostAct
  /** Where the agent is as it makes the call: there its relative paths begin. Absent: in the work folder. */
  readonly folder?: string
}

/** What a call would do, as far as its arguments tell. Paths as the agent gives them. */
export type HostAct =
  | { readonly kind: 'command'; readonly script: string; readonly folder?: string }
  /** Without its content: what the file becomes, nobody can tell. */
  | { readonly kind: 'write'; readonly path: string; readonly content?: string }
  | { readonly kind: 'edit'; readonly path: string; readonly edits: readonly HostEdit[] }
  | { readonly kind: 'patch'; readonly patch: string }
  | { readonly kind: 'read' }
  | { readonly kind: 'unreadable' }
  /** Nobody can say: taken for a program that may do anything. */
  | { readonly kind: 'unknown' }

export interface HostEdit {
  readonly old: string
  readonly replacement: string
  readonly all: boolean
}

export interface HostResult {
  /** `unknown`: the agent does not tell whether it failed. */
  readonly status: 'ok' | 'error' | 'unknown'
  readonly output: string
  readonly durationMs?: number
}

export type HostAnswer =
  | {
      readonly kind: 'pass'
      /** To `tool-proposed`: a rule, the policy or a person has said yes; otherwise the agent's own permissions decide. */
      readonly allowed?: true
      /** To `tool-proposed`: the agent need not ask its user either, because the call runs a check of this run. */
      readonly isOwnCheck?: true
      readonly context?: string
      readonly notice?: string
    }
  /** To `stopping`: it is not done. `feedback` is what the model reads next. */
  | { readonly kind: 'block'; readonly feedback: string; readonly notice?: string }
  | { readonly kind: 'refuse'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  /** The turn must end now, whatever the agent wants: a cap, or a loop that nothing could end. */
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

/** @param input as the tool receives it. Defaults to the arguments as they are recorded */
export function callOfTool(
  call: { readonly callId: string; readonly tool: string; readonly args: JsonValue },
  acts: ToolActs,
  input: unknown = call.args,
): HostCall {
  return { ...call, act: actOfTool(call.tool, input, acts) }
}
