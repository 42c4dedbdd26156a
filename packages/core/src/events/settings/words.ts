/** Closed lists of words in the settings of a run. Apart from the shapes, so that whoever needs a word loads no parser. */

export const verifierRoles = ['check', 'held-out', 'probe', 'guard'] as const
export type VerifierRole = (typeof verifierRoles)[number]

export const driveKinds = ['scripted', 'model', 'command', 'agent', 'custom'] as const

/** The name of the drive where there is none, and checks are run alone. */
export const checksOnly = 'nobody: checks only'

/**
 * Detectors of tool loops and of their relatives, by the names under which the field knows them, in the order in which equal
 * detections are reported.
 */
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
