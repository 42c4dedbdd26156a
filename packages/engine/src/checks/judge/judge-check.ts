import type { Judge } from '../../ports/judges.ts'
import type { Verifier } from '../../ports/checks.ts'
import { UsageError, assertKnownKeys, given, optionKeys } from '../../base/index.ts'
import { judgedBy } from '../verify/index.ts'
import { readyRubrics } from './rubrics.ts'

/** Where nobody says what is wanted: what the user has asked for. */
export const defaultRubric: string = readyRubrics.goal

export interface JudgeCheckOptions {
  /** Default: `judge`. */
  readonly name?: string
  /** Default: `defaultRubric`. */
  readonly rubric?: string
  /** Its word was measured, and is good enough to decide. Default false. */
  readonly calibrated?: boolean
  /** Somebody has said by name that its word decides all the same. Default false. */
  readonly trusted?: boolean
  /** `workspace`: asked without an answer too. Default `answer`. */
  readonly reads?: 'workspace' | 'answer'
}

const keys = optionKeys<JudgeCheckOptions>()('name rubric calibrated trusted reads')

/**
 * A judge as a check that knows its place: advice, recorded without a vote, unless its word was measured or somebody trusts it by
 * name; then its verdicts say that it is `uncalibrated`.
 * @throws {UsageError} for an empty rubric
 */
export function judgeCheck(judge: Judge, options: JudgeCheckOptions = {}): Verifier {
  assertKnownKeys(options, keys, 'judgeCheck')
  const { name = 'judge', rubric = defaultRubric, calibrated = false, trusted = false, reads } = options
  if (rubric.trim() === '') throw new UsageError('the rubric is empty; say what must be fulfilled')
  return judgedBy(judge, {
    name,
    rubric,
    required: calibrated || trusted,
    uncalibrated: trusted && !calibrated,
    // The judge has tried again itself, within its own time and account.
    retry: { infrastructure: 0 },
    ...given({ reads }),
  })
}
