/** The shapes of what is stored of the verification of replies. */
import { undecidedChoices } from '../../base/index.ts'
import { z } from 'zod'
import { verdict } from './parse-verdict.ts'
import { deliveryStatuses, replyEndings, replySkips } from '../facts/reply-facts.ts'

const text = z.string()
const attempt = z.number().int().positive()

export const replyCheckSettings = z.object({
  maxAttempts: attempt,
  trigger: z.union([z.literal('all'), z.object({ keywords: z.array(text), negations: z.array(text) })]),
  onUndecided: z.enum(undecidedChoices),
  messagingTools: z.array(text),
  streams: z.boolean(),
  delivers: z.boolean(),
  verifies: z.boolean(),
  families: z.array(text).exactOptional(),
})

export const replyShapes = {
  judgingStarted: { attempt, maxAttempts: attempt },
  judged: { attempt, verdict },
  settled: {
    ending: z.enum(replyEndings),
    skip: z.enum(replySkips).exactOptional(),
    attempt,
    text,
    message: text,
    delivers: z.boolean(),
  },
  delivered: { status: z.enum(deliveryStatuses), problem: text.exactOptional() },
}
