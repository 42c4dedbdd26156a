import type { UndecidedReplies } from '../../base/index.ts'

/** How replies are verified: recorded with the run. */
export interface ReplyCheckSettings {
  /** The first one included. */
  readonly maxAttempts: number
  /** `all`, or words of which one must claim something; words that turn such a claim into its opposite. */
  readonly trigger: 'all' | { readonly keywords: readonly string[]; readonly negations: readonly string[] }
  readonly onUndecided: UndecidedReplies
  /** Names of tools that send a message to whom the reply is for. */
  readonly messagingTools: readonly string[]
  /** What comes in of the first attempt reaches the user at once. */
  readonly streams: boolean
  /** Somebody takes the reply. */
  readonly delivers: boolean
  /** What passes is verified where no check decides otherwise. False: the judge advises alone. */
  readonly verifies: boolean
  /** Of the models that judge, such as `claude`. Absent: no model judges, or it is not known. */
  readonly families?: readonly string[]
}
