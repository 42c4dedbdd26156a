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

/** What a hook of each point is given: a copy of its own. */
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
  /** All required checks call the work done. */
  readonly before_finalize: Occasion & { readonly answer: string; readonly verdicts: readonly Verdict[] }
  readonly on_transition: Occasion & { readonly transition: Transition }
  readonly on_error: Occasion & { readonly where: string; readonly message: string }
  readonly run_ended: Occasion & { readonly transition: Transition }
}

export interface Occasion {
  readonly runId: string
  readonly turn: number
  readonly signal: AbortSignal
  /** What happened so far, masked; tool hooks and verifier hooks see the same. */
  readonly history: () => readonly RunEvent[]
}

export interface HookedCall extends Occasion {
  readonly callId: string
  readonly tool: string
  readonly effect: ToolEffect
  readonly args: JsonValue
}

/** What a hook may answer; nothing at all is `{}`. */
export interface HookResults {
  readonly run_started: Message
  readonly before_turn: Message
  /** The most severe decision of all hooks holds; arguments are changed one after the other, and judged afterwards. */
  readonly before_tool_call: {
    readonly decision?: GateKind
    readonly reason?: string
    readonly args?: JsonValue
  }
  readonly after_tool_call: Message
  /** Rewritten one after the other; what is kept is what the last one gave. */
  readonly tool_result_persist: { readonly output?: string }
  readonly after_turn: Message
  /** Verifiers cannot be left out by a hook. */
  readonly before_verification: Record<string, never>
  /** A verdict can only be made worse. */
  readonly after_verification: { readonly veto?: string }
  readonly before_finalize: { readonly veto?: string }
  readonly on_transition: Record<string, never>
  readonly on_error: Record<string, never>
  readonly run_ended: Record<string, never>
}

interface Message {
  /** Told to the drive with what it is told next; of many hooks in their order. */
  readonly message?: string
}

/** One answer of all hooks of a point, and what each of them did. */
export interface HookAnswer<Point extends HookPoint> {
  readonly merged: HookResults[Point]
  readonly ran: readonly (Omit<FactOf<'hook-ran'>, 'type'> & { readonly durationMs: number })[]
  /**
   * Hooks that fail closed have failed, in words. `merged` refuses too, except at `before_verification`, which has no word
   * for it: what is verified then must not be called done.
   */
  readonly refusal?: string
}

export interface Hooks {
  /** False: nobody is registered there, and `fire` need not be called. */
  has(point: HookPoint): boolean
  /** Never rejects: a hook that fails is data, and where it fails closed it is a refusal. */
  fire<Point extends HookPoint>(point: Point, input: HookInputs[Point]): Promise<HookAnswer<Point>>
}
