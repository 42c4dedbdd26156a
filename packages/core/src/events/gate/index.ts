export const gateKinds = ['allow', 'prompt', 'forbidden'] as const

export type GateKind = (typeof gateKinds)[number]

export const gateSeverity: Readonly<Record<GateKind, number>> = { allow: 0, prompt: 1, forbidden: 2 }

/** Why a call was not run, or only after a question. A closed list, for statistics. */
export const refusalLabels = [
  'policy_forbidden',
  /** A built-in rule: it destroys data irrecoverably. */
  'dangerous_command',
  'opaque_command',
  'approval_required',
  /** It needs approval, but the policy forbids asking or no person is present. */
  'approval_unavailable',
  'approval_denied',
  'outside_work_folder',
  'protected_file',
  'invalid_patch',
  'hook_denied',
  'gate_failed',
] as const

export type RefusalLabel = (typeof refusalLabels)[number]

/** `session`: for the rest of the process. `rule`: saved as a rule. */
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

/** Whether the hook's output reaches the agent before its next reply rather than with the feedback. */
export function isReportedAtOnce(point: HookPoint): boolean {
  return point === 'before_turn' || point === 'run_started'
}
