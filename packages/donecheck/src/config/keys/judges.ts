import { z } from 'zod'
import { undecidedChoices } from '@donecheck/core/internal/base'
import { flag } from './flag.ts'

const text = z.string().trim().min(1)
const whole = z.number().int().positive()
const models = z.union([text.transform((one) => [one]), z.array(text).min(1)])

const judge = z.strictObject({
  models,
  baseUrl: z.url().exactOptional(),
  /** How many of a panel must agree. Default: more than half. */
  atLeast: whole.exactOptional(),
  categories: z.array(text).exactOptional(),
  /** Default: AGENTS.md, SOUL.md, CLAUDE.md. */
  rules: z.array(text).exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  maxTokens: whole.exactOptional(),
  /** Shuffles choices and the order of a panel. */
})

export type JudgeConfig = z.output<typeof judge>

const words = z.array(z.string().trim().min(1)).min(1)

const replies = z.strictObject({
  /** Every reply, not only claims. */
  all: z.boolean().exactOptional(),
  /** Default false. */
  heartbeat: z.boolean().exactOptional(),
  keywords: words.exactOptional(),
  /** Words that negate a keyword after them. */
  negations: z.array(z.string()).exactOptional(),
  /** Includes the first. */
  maxAttempts: z.number().int().min(1).max(10).exactOptional(),
  onUndecided: z.enum(undecidedChoices).exactOptional(),
  /** Tools that send messages to the user. */
  messagingTools: z.array(z.string()).exactOptional(),
  /** Path of an `openclaw.json` with the remaining settings. */
  openclaw: z.string().exactOptional(),
  agent: z.string().exactOptional(),
})

export type ReplyConfig = z.output<typeof replies>

export const judgeKeys = {
  judge: flag(
    'judges',
    '--judge <provider/model>',
    z.union([models.transform((given): JudgeConfig => ({ models: given })), judge]),
    'a model that judges the answer and the work; several are a panel (repeatable)',
    { isList: true },
  ),
  rubric: flag(
    'judges',
    '--rubric <text>',
    text,
    'what the judge asks for: a text, or a file (default: what the task asks for)',
  ),
  maxJudgeCostUsd: z
    .union([z.number().positive(), z.literal('off')])
    .describe('of all judges in one run, apart from what the agent may spend (default: off)'),
  verifyReplies: z
    .union([z.boolean().transform((on): ReplyConfig | false => on && {}), replies])
    .describe('the judge looks at each reply before it is delivered, and sends it back if it falls short'),
  keptJudgeRules: z.array(z.strictObject({ name: z.string(), text: z.string() })),
}
