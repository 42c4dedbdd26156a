import { defaultKeywords, defaultNegations } from '@donecheck/core/internal/decide'
import type { ReplyCheckSettings } from '@donecheck/core/internal/events/settings'
import { UsageError, given } from '../../../base/index.ts'
import { judgedBy } from '../../../checks/verify/index.ts'
import type { DeliverReply } from '../../../ports/replies.ts'
import type { Judge } from '../../../ports/judges.ts'
import type { Verifier } from '../../../ports/checks.ts'
import type { World } from '../../run/index.ts'

export interface ReplyVerification {
  /** A judge or a check of the answer; an optional one only advises. Null delivers the reply as it is. */
  readonly judge: Judge | Verifier | null
  /** What a reply must fulfil. Default: it does all the task asks, and claims only what the record shows. */
  readonly rubric?: string
  /** Milliseconds per verdict. Default: 30,000. */
  readonly timeoutMs?: number
  /** Judges every reply. Default: false, only those with a keyword. */
  readonly verifyAll?: boolean
  /** Words and phrases, in any language, that claim to be done. Default: English ones. */
  readonly keywords?: readonly string[]
  /** Words that negate a keyword after them. Default: English ones. */
  readonly negations?: readonly string[]
  /** Includes the first. Default: 3. */
  readonly maxAttempts?: number
  /** What to do if the judge cannot decide. Default: `deliver`, and the run ends unverified. */
  readonly onUndecided?: ReplyCheckSettings['onUndecided']
  /** Names of tools that send messages to the user, with or without their server. */
  readonly messagingTools?: readonly string[]
  /** Whether `onText` streams a first attempt, which is then not judged. Default: false. */
  readonly streamsToUser?: boolean
  /** Receives the reply once per run, unless it was streamed. */
  readonly deliver?: DeliverReply
}

const defaultRubric =
  'The reply does everything that the task asks for, keeps to the rules that it was given, and claims only what the record shows to have happened.'
const defaultTimeoutMs = 30_000
const defaultMessagingTools = ['message', 'send_message', 'sessions_send']

/** @throws {UsageError} for an empty list of keywords */
export function repliesOf(options: ReplyVerification | undefined): {
  readonly settings: ReplyCheckSettings | null
  readonly doors: World['replies']
} {
  if (options === undefined) return { settings: null, doors: null }
  const { deliver } = options
  const judge = judgeOf(options)
  return {
    settings: {
      maxAttempts: options.maxAttempts ?? 3,
      trigger: triggerOf(options),
      onUndecided: options.onUndecided ?? 'deliver',
      messagingTools: options.messagingTools ?? defaultMessagingTools,
      streams: options.streamsToUser ?? false,
      delivers: deliver !== undefined,
      verifies: judge?.description.required ?? false,
      ...given({ families: judge?.description.families }),
    },
    doors: given({ judge: judge ?? undefined, deliver }),
  }
}

function judgeOf(options: ReplyVerification): Verifier | null {
  const { judge, rubric = defaultRubric, timeoutMs = defaultTimeoutMs } = options
  return judge === null || 'verify' in judge ? judge : judgedBy(judge, { rubric, timeoutMs })
}

function triggerOf(options: ReplyVerification): ReplyCheckSettings['trigger'] {
  const { judge, verifyAll = false, keywords = defaultKeywords, negations = defaultNegations } = options
  if (judge === null) return { keywords: [], negations: [] }
  if (verifyAll) return 'all'
  if (keywords.some((keyword) => keyword.trim() !== '')) return { keywords, negations }
  throw new UsageError(
    'verifyReplies.keywords is empty, so that no reply would be verified; name some, set verifyAll, or give null as the judge',
  )
}
