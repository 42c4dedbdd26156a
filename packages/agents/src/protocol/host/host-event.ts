/**
 * What an agent that owns its loop tells about itself, in words of no agent: by its hooks, its stream or its SDK. Every
 * adapter translates into these, and nothing behind them knows which agent it is.
 */
import type { JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'

export type HostEvent =
  /** A session begins, or is gone on with. */
  | { readonly kind: 'session-started' }
  /** Its user, or whoever stands for them, asks for something. */
  | { readonly kind: 'prompted'; readonly prompt: string }
  /** Before a tool runs: it may be refused. */
  | { readonly kind: 'tool-proposed'; readonly call: HostCall }
  | { readonly kind: 'tool-finished'; readonly call: HostCall; readonly result: HostResult }
  /** One reply of the model, where the host tells them: with what it used, and the calls that it proposes. */
  | {
      readonly kind: 'replied'
      readonly text: string
      readonly calls: readonly HostCall[]
      readonly usage: TokenUsage | null
      readonly costUsd?: number
    }
  /** The agent wants to end its turn: the claim. */
  | HostStop
  /** A turn ended by an error of the model or the network. */
  | { readonly kind: 'turn-failed'; readonly message: string }
  | { readonly kind: 'session-ended' }
  /** Something of which nothing follows. */
  | { readonly kind: 'irrelevant' }

export interface HostStop {
  readonly kind: 'stopping'
  /** Its last words. */
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
  /** Only a part of the agent's work ends; the session goes on. */
  readonly subagent?: { readonly id: string; readonly type: string }
}

export interface HostCall {
  /** Equal in `tool-proposed` and `tool-finished`; unique in a session. */
  readonly callId: string
  /** As the agent calls its tool. */
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
  /** A patch in the V4A form. */
  | { readonly kind: 'patch'; readonly patch: string }
  | { readonly kind: 'read' }
  /** It changes files, and its arguments do not say which. */
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

/** What donecheck answers. Every agent has its own way to say it; some cannot say all of it. */
export type HostAnswer =
  /** Go on as you were. */
  | {
      readonly kind: 'pass'
      /** To `tool-proposed`: a rule, the policy or a person has said yes; otherwise the agent's own permissions decide. */
      readonly allowed?: true
      /** To `tool-proposed`: the agent need not ask its user either, because the call runs a check of this run. */
      readonly isOwnCheck?: true
      /** For the model, with what it reads next. */
      readonly context?: string
      /** For the person. */
      readonly notice?: string
    }
  /** To `stopping`: it is not done. `feedback` is what the model reads next. */
  | { readonly kind: 'block'; readonly feedback: string; readonly notice?: string }
  /** To `tool-proposed`. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** To `tool-proposed`: its user must be asked. */
  | { readonly kind: 'ask'; readonly reason: string }
  /** The turn must end now, whatever the agent wants: a cap, or a loop that nothing could end. */
  | { readonly kind: 'end'; readonly message: string }

/** What the calls of a tool would do, by the tool's name. A tool that is not named may do anything. */
export type ToolActs = Readonly<Record<string, HostAct | ((input: unknown) => HostAct)>>

/** Only what stands in the map itself: a model may call a tool `constructor`. */
function actOfTool(tool: string, input: unknown, acts: ToolActs): HostAct {
  const act = Object.hasOwn(acts, tool) ? acts[tool] : undefined
  if (typeof act !== 'function') return act ?? { kind: 'unknown' }
  try {
    return act(input)
  } catch {
    return { kind: 'unknown' }
  }
}

/** @param input as the tool gets it. Default: as it is kept */
export function callOfTool(
  call: { readonly callId: string; readonly tool: string; readonly args: JsonValue },
  acts: ToolActs,
  input: unknown = call.args,
): HostCall {
  return { ...call, act: actOfTool(call.tool, input, acts) }
}
