import type { HookPoint, GateKind } from '@donecheck/core/internal/events/gate'
import type {
  JsonValue,
  RunEvent,
  ToolEffect,
  VerificationTrigger,
  FactOf,
} from '@donecheck/core/internal/events'
import type { Transition } from '@donecheck/core/internal/events/transitions'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

export interface HookInputs {
  readonly run_started: Occasion & { readonly task: string; readonly workFolder: string | null }
  readonly before_turn: Occasion
  readonly before_tool_call: HookedCall
  readonly after_tool_call: HookedCall & { readonly status: string; readonly output: string }
  readonly tool_result_persist: HookedCall & { readonly output: string }
  readonly after_turn: Occasion & { readonly text: string; readonly transition: Transition }
  readonly before_verification: Occasion & {
    readonly trigger: VerificationTrigger
    readonly verifiers: readonly string[]
  }
  readonly after_verification: Occasion & { readonly verdict: Verdict }
  /** All required checks passed. */
  readonly before_finalize: Occasion & { readonly answer: string; readonly verdicts: readonly Verdict[] }
  readonly on_transition: Occasion & { readonly transition: Transition }
  readonly on_error: Occasion & { readonly where: string; readonly message: string }
  readonly run_ended: Occasion & { readonly transition: Transition }
}

export interface Occasion {
  readonly runId: string
  readonly turn: number
  readonly signal: AbortSignal
  /** Masked events so far; the same for tool and verifier hooks. */
  readonly history: () => readonly RunEvent[]
}

export interface HookedCall extends Occasion {
  readonly callId: string
  readonly tool: string
  readonly effect: ToolEffect
  readonly args: JsonValue
}

/** Results of hooks; no result counts as `{}`. */
export interface HookResults {
  readonly run_started: Message
  readonly before_turn: Message
  /** The most severe decision wins; arguments are rewritten in sequence, then judged. */
  readonly before_tool_call: {
    readonly decision?: GateKind
    readonly reason?: string
    readonly args?: JsonValue
  }
  readonly after_tool_call: Message
  /** Rewritten in sequence; the last result is stored. */
  readonly tool_result_persist: { readonly output?: string }
  readonly after_turn: Message
  /** Hooks cannot skip verifiers. */
  readonly before_verification: Record<string, never>
  /** Can only worsen a verdict. */
  readonly after_verification: { readonly veto?: string }
  readonly before_finalize: { readonly veto?: string }
  readonly on_transition: Record<string, never>
  readonly on_error: Record<string, never>
  readonly run_ended: Record<string, never>
}

interface Message {
  /** Sent to the agent with its next prompt, in hook order. */
  readonly message?: string
}

export interface HookAnswer<Point extends HookPoint> {
  readonly merged: HookResults[Point]
  readonly ran: readonly (Omit<FactOf<'hook-ran'>, 'type'> & { readonly durationMs: number })[]
  /** Message of hooks that fail closed. `merged` refuses too, except at `before_verification`. */
  readonly refusal?: string
}

export interface Hooks {
  /** If false, `fire` need not be called. */
  has(point: HookPoint): boolean
  /** Never rejects: a failing hook is data, or a refusal if it fails closed. */
  fire<Point extends HookPoint>(point: Point, input: HookInputs[Point]): Promise<HookAnswer<Point>>
}
