/** What the gate and the hooks said of a call, as it is kept. */
import type { GateKind } from './gate-kinds.ts'
import type { SandboxDriver } from '../../base/index.ts'

/** Why a call was not run, or not without asking: closed, for statistics. */
export const refusalLabels = [
  /** A rule forbids the command. */
  'policy_forbidden',
  /** A built-in rule: it destroys what cannot be had back. */
  'dangerous_command',
  /** It cannot be told what the command would run. */
  'undecidable_command',
  /** It must be asked for. */
  'approval_required',
  /** It must be asked for, and nobody is asked: by the approval policy, or because nobody is there. */
  'approval_unavailable',
  'approval_denied',
  'outside_work_folder',
  /** It would change what decides whether the work is done. */
  'protected_file',
  'invalid_patch',
  'hook_denied',
  /** The gate itself failed, and fails closed. */
  'gate_failed',
] as const

export type RefusalLabel = (typeof refusalLabels)[number]

/** What an answer is worth: for this call, for the rest of the process, or as a rule that is kept. */
export const amendmentScopes = ['once', 'session', 'rule'] as const
export type AmendmentScope = (typeof amendmentScopes)[number]

/** One rule that matched a part of a command. */
export interface RuleMatch {
  /** Such as `prefix_rule git push` or `built-in: recursive removal`. */
  readonly rule: string
  readonly decision: GateKind
  /** Where the rule stands, such as `user rules default.rules:12` or `built-in`. */
  readonly source: string
  /** The words that it matched. */
  readonly words: readonly string[]
  /** Where they stand in the command line, in UTF-16 units; null: in no literal place of it. */
  readonly span: readonly [number, number] | null
  readonly justification?: string
}

/** Told where there is something to tell: a rule matched, or the call was not simply allowed. */
export interface GateDecided {
  readonly type: 'gate-decided'
  readonly callId: string
  readonly decision: GateKind
  readonly reason: string
  readonly label?: RefusalLabel
  readonly matches: readonly RuleMatch[]
  /** The policy is only watched: what it would have decided. */
  readonly shadow?: GateKind
}

export const hookPoints = [
  'run_started',
  'before_turn',
  'before_tool_call',
  'after_tool_call',
  'tool_result_persist',
  'after_turn',
  'before_verification',
  'after_verification',
  'before_finalize',
  'on_transition',
  'on_error',
  'run_ended',
] as const

export type HookPoint = (typeof hookPoints)[number]

/** What one hook did. `skipped`: an earlier one had decided. */
export const hookEffects = [
  'none',
  'allowed',
  'asked',
  'denied',
  'rewrote',
  'told',
  'failed',
  'timed-out',
  'skipped',
] as const

export type HookEffect = (typeof hookEffects)[number]

/** One hook ran on one occasion; `durationMs` of the event says how long. */
export interface HookRan {
  readonly type: 'hook-ran'
  readonly hook: string
  readonly point: HookPoint
  /** 1 for the first hook of this occasion. */
  readonly order: number
  readonly effect: HookEffect
  readonly callId?: string
  /** What it decided and why, or how it failed. */
  readonly note?: string
  /** For the drive: before its reply where the point is `before_turn` or `run_started`, else with the next feedback. */
  readonly told?: string
}

/** Whether what a hook of this point says reaches the drive before its next reply, and not with the feedback after it. */
export function isReportedAtOnce(point: HookPoint): boolean {
  return point === 'before_turn' || point === 'run_started'
}

export interface SandboxDescription {
  readonly driver: SandboxDriver
  /** False: nothing is confined; said loudly at the start. */
  readonly isConfined: boolean
  readonly network: 'off' | 'on'
  /** One sentence, for people: what it confines, or why nothing is. */
  readonly summary: string
}
