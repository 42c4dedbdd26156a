import type { AmendmentScope, RefusalLabel, GateKind } from '@donecheck/core/internal/events/gate'
import type { JsonValue, ToolEffect, RuleMatch, SandboxDescription } from '@donecheck/core/internal/events'

/** What a call is about to do, as its tool has found out while it was prepared. */
export type Action =
  | {
      readonly kind: 'command'
      /** A command line for `sh`. */
      readonly script: string
      /** Absolute; where it is run. */
      readonly folder: string
      /** Present if the model asks to run the command outside the sandbox. */
      readonly escalation?: Escalation
    }
  | {
      readonly kind: 'change'
      /** Every file that would be another afterwards, with symlinks resolved. */
      readonly files: readonly FileChange[]
    }

export interface Escalation {
  /** In the words of the model. */
  readonly reason: string
  /** The prefix that the model proposes to allow from now on. */
  readonly prefix?: readonly string[]
}

export interface FileChange {
  /** Relative to the work folder, `/` between its parts. */
  readonly path: string
  /** Content as text; undefined: not a text, or too large to look at. */
  readonly before: string | null | undefined
  readonly after: string | null | undefined
}

export interface GateRequest {
  readonly tool: string
  readonly effect: ToolEffect
  readonly args: JsonValue
  readonly summary: string
  /** Absent: the tool has not told, and only its effect is known. */
  readonly action?: Action
  /**
   * Whoever runs it has permissions of its own: what no rule knows is left to them, and is asked for once more where they do
   * not allow it by themselves.
   */
  readonly hasOwnPermissions?: true
}

export interface GateDecision {
  readonly kind: GateKind
  /** One sentence, for the drive and for people. */
  readonly reason: string
  /** Why it was not simply allowed. */
  readonly label?: RefusalLabel
  /** Every rule that matched, in order. */
  readonly matches?: readonly RuleMatch[]
  /** What would have been decided, where the policy is only watched. */
  readonly shadow?: GateKind
  /** What may be remembered when it is asked: the generalisation that would allow the call from now on. */
  readonly amendment?: Amendment
  /** The call was asked to run outside of the sandbox, and may. */
  readonly outsideSandbox?: true
  /** It runs one of the run's own checks and nothing else: the agent need not ask its user either. */
  readonly isOwnCheck?: true
}

/** A rule that can be kept: the program and the first words of its arguments. */
export interface Amendment {
  readonly prefix: readonly string[]
}

/** The approval policies that are one word; what each means is said at `ApprovalPolicy` of the gate. */
export const approvalPolicies = ['never', 'on-request', 'untrusted', 'writes', 'all'] as const

/** What may run. Fails closed: whatever it throws is a `forbidden` (I7). */
export interface Gate {
  check(request: GateRequest): Promise<GateDecision>
  /**
   * What a person answered with more than "this once": for the session, or as a rule. Effective for the next `check`.
   * @throws when it cannot be kept; the answer itself holds all the same
   */
  learn?(request: GateRequest, approval: Approval, amendment: Amendment | undefined): Promise<void>
}

export interface ApprovalQuestion extends GateRequest {
  readonly runId: string
  readonly callId: string
  readonly preview?: string
  /** Why approval is needed. */
  readonly reason: string
  /** The proposed rule, if one may be kept. */
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
  /** False: it answers by a rule, and no person looks. What only a person may decide is not asked of it. Default true. */
  readonly isAttended?: boolean
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval>
  /**
   * Asks without waiting: the answer, where there is one, or under which id the question waits for it. Absent: it cannot be put
   * off, and whoever asks has to wait.
   */
  askOnce?(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval | OpenQuestion>
}

/** A question that is kept until somebody answers: the same id when it is asked again. */
export interface OpenQuestion {
  readonly openQuestion: string
}

export interface SandboxRequest {
  readonly words: readonly [string, ...string[]]
  /** Absolute; the process starts there. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export type SandboxedCommand =
  | {
      readonly kind: 'ready'
      readonly words: readonly [string, ...string[]]
      readonly environment: Readonly<Record<string, string>>
      /** To be called after the process has ended. */
      readonly release?: () => Promise<void>
    }
  /** It cannot be confined, so it must not run. */
  | { readonly kind: 'unavailable'; readonly problem: string }

export interface Sandbox {
  readonly description: SandboxDescription
  /** How the process must be started so that it is confined. Never rejects. */
  confine(request: SandboxRequest): Promise<SandboxedCommand>
}
