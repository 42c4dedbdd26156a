/** How replies are verified before they are delivered, and what of it another program has written down. */
import { z } from 'zod'
import { undecidedChoices } from '@donecheck/core/base'

const words = z.array(z.string().trim().min(1)).min(1)

const replies = z.strictObject({
  /** Every reply, whatever it says. */
  all: z.boolean().exactOptional(),
  /** What a heartbeat reports, too. Default false. */
  heartbeat: z.boolean().exactOptional(),
  /** Words with which a reply claims something. */
  keywords: words.exactOptional(),
  /** Words that turn a keyword after them into its opposite. */
  negations: z.array(z.string()).exactOptional(),
  /** The first one included. */
  maxAttempts: z.number().int().min(1).max(10).exactOptional(),
  onUndecided: z.enum(undecidedChoices).exactOptional(),
  /** Tools that send to whom the reply is for. */
  messagingTools: z.array(z.string()).exactOptional(),
  /** An `openclaw.json` whose `verifier` says the rest, and of which of its agents. */
  openclaw: z.string().exactOptional(),
  agent: z.string().exactOptional(),
})

export const replyFields = {
  verifyReplies: z.union([z.boolean().transform((on): ReplyConfig | false => on && {}), replies]),
}

export type ReplyConfig = z.output<typeof replies>
