/** Closed lists, separate from the schemas so that importing them loads no parser. */

export const verifierRoles = ['check', 'held-out', 'probe', 'guard'] as const
export type VerifierRole = (typeof verifierRoles)[number]

export const agentKinds = ['scripted', 'model', 'command', 'external', 'custom'] as const

/** The agent's name if only checks are run. */
export const checksOnly = 'nobody: checks only'

/** Detectors by their customary names, in the order in which equal detections are reported. */
export const detectorNames = [
  'cycle',
  'same_failure',
  'generic_repeat',
  'known_poll_no_progress',
  'ping_pong',
  'global_circuit_breaker',
  'argument_churn',
  'repeated_reply',
  'failed_check_repeat',
] as const
export type DetectorName = (typeof detectorNames)[number]
