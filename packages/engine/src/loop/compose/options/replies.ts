/** From what a user says of replies to a judge, a door and settings. */
import { defaultKeywords, defaultNegations } from '@donecheck/core/internal/decide'
import type { ReplyCheckSettings } from '@donecheck/core/internal/events/settings'
import { UsageError, given } from '../../../base/index.ts'
import { judgedBy } from '../../../checks/verify/index.ts'
import type { DeliverReply } from '../../../ports/replies.ts'
import type { Judge } from '../../../ports/judges.ts'
import type { Verifier } from '../../../ports/checks.ts'
import type { World } from '../../run/index.ts'

export interface ReplyVerification {
  /**
   * A judge, or a check of the answer: one that is not required advises, so that what it passes is not `verified` by it. Null:
   * nothing is judged, and a reply is delivered once as it is.
   */
  readonly judge: Judge | Verifier | null
  /** What a reply must fulfil. Default: it does all that the task asks, and claims only what the record shows. */
  readonly rubric?: string
  /** Milliseconds that one verdict may take. Default 30 000. */
  readonly timeoutMs?: number
  /** Every reply, whatever it says. Default false: those that claim something by one of the keywords. */
  readonly verifyAll?: boolean
  /** Words and phrases with which a reply claims to be the end of the work, in any language. Default: English ones. */
  readonly keywords?: readonly string[]
  /** Words that turn a keyword after them into its opposite. Default: English ones. */
  readonly negations?: readonly string[]
  /** The first one included. Default 3. */
  readonly maxAttempts?: number
  /** What becomes of a reply when the judge cannot decide. Default `deliver`: it is delivered, and the run ends unverified. */
  readonly onUndecided?: ReplyCheckSettings['onUndecided']
  /** Tools that send a message to whom the reply is for, by name, with or without that of their server. */
  readonly messagingTools?: readonly string[]
  /** `onText` streams a first attempt to the user, which is then not judged. Default false: nothing is streamed before it is judged. */
  readonly streamsToUser?: boolean
  /** Takes the reply: once in a run, and not at all where the user has it already. */
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
