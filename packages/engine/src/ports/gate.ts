import type { AmendmentScope, RefusalLabel, GateKind } from '@donecheck/core/internal/events/gate'
import type { JsonValue, ToolEffect, RuleMatch, SandboxDescription } from '@donecheck/core/internal/events'

export type Action =
  | {
      readonly kind: 'command'
      /** A shell command line. */
      readonly script: string
      /** Absolute path where it runs. */
      readonly folder: string
      /** Present if the model asks to run outside the sandbox. */
      readonly escalation?: Escalation
    }
  | {
      readonly kind: 'change'
      /** Every file that would change, symlinks resolved. */
      readonly files: readonly FileChange[]
    }

export interface Escalation {
  readonly reason: string
  /** Prefix that the model proposes to allow from now on. */
  readonly prefix?: readonly string[]
}

export interface FileChange {
  /** Relative to the work folder, with `/`. */
  readonly path: string
  /** Text; undefined if binary or too large. */
  readonly before: string | null | undefined
  readonly after: string | null | undefined
}

export interface GateRequest {
  readonly tool: string
  readonly effect: ToolEffect
  readonly args: JsonValue
  readonly summary: string
  /** Absent if only the tool's effect is known. */
  readonly action?: Action
  /** The agent has its own permissions, which decide if no rule matches. */
  readonly hasOwnPermissions?: true
}

export interface GateDecision {
  readonly kind: GateKind
  /** One sentence for the agent and the user. */
  readonly reason: string
  /** Why it was not allowed. */
  readonly label?: RefusalLabel
  /** Matching rules, in order. */
  readonly matches?: readonly RuleMatch[]
  /** Decision of a policy that is only observed. */
  readonly shadow?: GateKind
  /** Generalized rule that would allow the call from now on. */
  readonly amendment?: Amendment
  /** The call may run outside the sandbox, as requested. */
  readonly outsideSandbox?: true
  /** Runs only one of the run's checks, so the agent need not ask its user. */
  readonly isOwnCheck?: true
}

export interface Amendment {
  readonly prefix: readonly string[]
}

/** One-word approval policies; see `ApprovalPolicy` of the gate. */
export const approvalPolicies = ['never', 'on-request', 'untrusted', 'writes', 'all'] as const

/** Decides what may run. Fails closed: a throw is `forbidden` (I7). */
export interface Gate {
  check(request: GateRequest): Promise<GateDecision>
  /**
   * Stores an approval for the session or as a rule, effective from the next `check`.
   * @throws if it cannot be stored; the answer itself stays valid
   */
  learn?(request: GateRequest, approval: Approval, amendment: Amendment | undefined): Promise<void>
}

export interface ApprovalQuestion extends GateRequest {
  readonly runId: string
  readonly callId: string
  readonly preview?: string
  readonly reason: string
  readonly amendment?: Amendment
}

export interface Approval {
  readonly approved: boolean
  /** Who decided, such as `terminal` or `--yes`. */
  readonly by: string
  readonly reason: string
  /** Default: `once`. */
  readonly scope?: AmendmentScope
}

export interface Approver {
  /** False: it answers by rule, so it is not asked what only a person may decide. Default true. */
  readonly isAttended?: boolean
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval>
  /** Returns an answer or the stored question's id without waiting. Absent if questions cannot be stored. */
  askOnce?(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval | OpenQuestion>
}

/** A stored question, with the same id when asked again. */
export interface OpenQuestion {
  readonly openQuestion: string
}

export interface SandboxRequest {
  readonly words: readonly [string, ...string[]]
  /** Absolute. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export type SandboxedCommand =
  | {
      readonly kind: 'ready'
      readonly words: readonly [string, ...string[]]
      readonly environment: Readonly<Record<string, string>>
      /** Call it after the process has ended. */
      readonly release?: () => Promise<void>
    }
  /** It cannot be confined, so it must not run. */
  | { readonly kind: 'unavailable'; readonly problem: string }

export interface Sandbox {
  readonly description: SandboxDescription
  /** Returns how to start the process confined. Never rejects. */
  confine(request: SandboxRequest): Promise<SandboxedCommand>
}
