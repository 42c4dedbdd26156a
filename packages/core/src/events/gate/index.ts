/** What the gate, rules and hooks said of a call. */

export const gateKinds = ['allow', 'prompt', 'forbidden'] as const

export type GateKind = (typeof gateKinds)[number]

export const gateSeverity: Readonly<Record<GateKind, number>> = { allow: 0, prompt: 1, forbidden: 2 }

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

/** Whether what a hook of this point says reaches the drive before its next reply, and not with the feedback after it. */
export function isReportedAtOnce(point: HookPoint): boolean {
  return point === 'before_turn' || point === 'run_started'
}
