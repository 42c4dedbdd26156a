/** Closed lists, separate from the schemas so that importing them loads no parser. */

export const verdictStatuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const
export type VerdictStatus = (typeof verdictStatuses)[number]

export const verdictQualifiers = [
  'flaky',
  'pre-existing',
  'infrastructure',
  'tampered',
  'unverifiable',
  /** No test existed before, so only tests of this run verify it. */
  'only-new-tests',
  /** The check gives another result in the clean room, so the work folder itself decided. */
  'in-place',
  /** No planted test could show whether the check notices failures. */
  'no-canary',
  'cached',
  'shadow',
  'waived',
  /** A judge that was not calibrated, trusted because the user said so by name. */
  'uncalibrated',
  'same-family',
] as const
export type VerdictQualifier = (typeof verdictQualifiers)[number]

/** The response to a tamper guard finding; `ask` waits for approval. */
export const guardResponses = ['refuse', 'ask', 'note'] as const
export type GuardResponse = (typeof guardResponses)[number]

/**
 * Where a check ran if not only in the work folder: in a clean copy, in the restored tree (the delivered
 * source files with the baseline's check files), or in the delivered and then the restored tree.
 */
export const verdictTrees = ['clean-room', 'independent-tree', 'both-trees'] as const
export type VerdictTree = (typeof verdictTrees)[number]

/** What a judge may find wrong; users may declare more. */
export const judgeCategories = [
  'goal_missed',
  'incomplete',
  'rule_violation',
  'tone_mismatch',
  'refusal',
] as const

export const judgeAnswerKinds = ['met', 'not-met', 'abstained'] as const
