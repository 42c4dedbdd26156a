/** Models that are asked whether it is done, and what they may spend. */
import { z } from 'zod'

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

export const judgeFields = {
  judge: z.union([models.transform((given): JudgeConfig => ({ models: given })), judge]),
  /** What must be fulfilled: a text, or a file that holds it. */
  rubric: text,
  /** Of all judges in one run. Null: no bound. */
  maxJudgeCostUsd: z.number().positive().nullable(),
  /** What judges are shown as rules of the project, as it was at the start; kept with the run. */
  keptJudgeRules: z.array(z.strictObject({ name: z.string(), text: z.string() })),
}

export type JudgeConfig = z.output<typeof judge>
