/** Models that are asked whether it is done, after all other checks. */
import { z } from 'zod'
import { undecidedChoices } from '@donecheck/core/base'
import { flag } from './flag.ts'

const text = z.string().trim().min(1)
const whole = z.number().int().positive()
const models = z.union([text.transform((one) => [one]), z.array(text).min(1)])

const judge = z.strictObject({
  /** `provider/model`; several are a panel. */
  models,
  /** A server that speaks the OpenAI protocol. */
  baseUrl: z.url().exactOptional(),
  /** How many of a panel must be content. Default: more than half. */
  atLeast: whole.exactOptional(),
  /** Faults that a failure may name beside the usual ones. */
  categories: z.array(text).exactOptional(),
  /** Files whose text is shown as rules. Default: AGENTS.md, SOUL.md, CLAUDE.md. */
  rules: z.array(text).exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Of all judges in one run. */
  maxTokens: whole.exactOptional(),
  /** Shuffles what a judge is offered, and the order of a panel. */
  seed: z.number().int().nonnegative().exactOptional(),
})

export type JudgeConfig = z.output<typeof judge>

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
  /** What judges are shown as rules of the project, as it was at the start. */
  keptJudgeRules: z.array(z.strictObject({ name: z.string(), text: z.string() })),
}
