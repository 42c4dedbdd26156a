/** Closed lists of words about verdicts and their evidence. Apart from the shapes, so that whoever needs a word loads no parser. */

export const verdictStatuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const
export type VerdictStatus = (typeof verdictStatuses)[number]

export const verdictQualifiers = [
  'flaky',
  'pre-existing',
  'infrastructure',
  'tampered',
  'unverifiable',
  /** No test existed before: only tests of this run hold it. */
  'only-new-tests',
  /** The check says something else in the clean room, so the work folder itself decided. */
  'in-place',
  /** No planted test could see whether the check notices what is false. */
  'no-canary',
  'cached',
  'shadow',
  'waived',
  /** A judge whose word was not measured enough, believed because somebody said so by name. */
  'uncalibrated',
  /** A judge of the model family that also drives. */
  'same-family',
] as const
export type VerdictQualifier = (typeof verdictQualifiers)[number]

/** What is done about a finding of the tamper guard: `ask` waits for authority. */
export const guardResponses = ['refuse', 'ask', 'note'] as const
export type GuardResponse = (typeof guardResponses)[number]

/**
 * Where a check looked, where that was not the work folder alone: a clean copy of it, the independent tree (the baseline's
 * check side under the delivered product), or the delivered and the independent tree, one after the other.
 */
export const verdictTrees = ['clean-room', 'independent-tree', 'both-trees'] as const
export type VerdictTree = (typeof verdictTrees)[number]

/** What a judge may find wrong with an answer; users may declare more. */
export const judgeCategories = [
  'goal_missed',
  'incomplete',
  'rule_violation',
  'tone_mismatch',
  'refusal',
] as const

export const judgeAnswerKinds = ['met', 'not-met', 'abstained'] as const
