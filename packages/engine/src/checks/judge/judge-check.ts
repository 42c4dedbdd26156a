import type { Judge } from '../../ports/judges.ts'
import type { Verifier } from '../../ports/checks.ts'
import { UsageError, assertKnownKeys, given, optionKeys } from '../../base/index.ts'
import { judgedBy } from '../verify/index.ts'

/** Ready rubrics by name. Each asks one thing and says what is enough. */
export const readyRubrics = {
  goal: "The goal of the user's message is achieved, nothing that it asks for is missing, and the rules are kept.",
  clarity: `A reader who knows the field and not this case understands the text at the first reading.
- Each sentence says one thing; who does what is plain.
- Terms are those of the field, or are explained where they first stand; abbreviations too.
- Numbers have their units, and "this" or "it" refers to one thing only.
Length, taste and correctness do not count here.`,
  coherence: `The text holds together.
- No two of its statements contradict each other, numbers and their sums included.
- Every conclusion follows from what stands before it.
- The order is one that a reader can follow: nothing is used before it is introduced, and nothing is said twice.
Whether the statements are true of the world does not count here.`,
  coverage: `The answer covers every part of the question that the task asks.
- Name the parts of the question first, one by one.
- A part is covered where the answer says something to the point about it, or says that it cannot and why.
- One part that is passed over in silence is a failure; more than was asked is none.
How well a part is answered does not count here, only whether it is.`,
} as const

/** Used if no rubric is given: the user's task. */
export const defaultRubric: string = readyRubrics.goal

/** Returns a ready rubric by name; any other text is the rubric. */
export function rubricOf(nameOrText: string): string {
  const ready = Object.entries(readyRubrics).find(([name]) => name === nameOrText.trim())
  return ready === undefined ? nameOrText : ready[1]
}

interface JudgeCheckOptions {
  /** Default: `judge`. */
  readonly name?: string
  /** Default: `defaultRubric`. */
  readonly rubric?: string
  /** It was measured and is good enough to decide. Default false. */
  readonly calibrated?: boolean
  /** The user trusts it by name. Default false. */
  readonly trusted?: boolean
  /** `workspace`: judges also without an answer. Default `answer`. */
  readonly reads?: 'workspace' | 'answer'
}

const keys = optionKeys<JudgeCheckOptions>()('name rubric calibrated trusted reads')

/**
 * Makes a judge a check. It has no vote unless measured or trusted by name; then verdicts carry
 * `uncalibrated`.
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
    // The judge retries within its own time and account.
    retry: { infrastructure: 0 },
    ...given({ reads }),
  })
}
