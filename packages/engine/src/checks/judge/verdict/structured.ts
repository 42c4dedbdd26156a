import { z } from 'zod'
import { malformedVerdict, type JudgeVerdict } from './judge-verdict.ts'
import { jsonOf } from '../../../base/index.ts'

/** Reasoning comes first: a model that has decided argues for its decision. */
const answer = z.strictObject({
  goalAchievement: z.string(),
  completeness: z.string(),
  ruleCompliance: z.string(),
  quotes: z.array(z.strictObject({ source: z.string().nullable(), text: z.string() })),
  score: z.number().min(0).max(1).nullable(),
  verdict: z.enum(['PASS', 'FAIL', 'ABSTAIN']),
  category: z.string().nullable(),
  feedback: z.string(),
})

type Answer = z.infer<typeof answer>

/** For providers that hold a model to a schema. */
export function answerSchema(verdicts: readonly Answer['verdict'][], categories: readonly string[]) {
  return answer.extend({
    verdict: z.enum(verdicts),
    category: z.enum(categories).nullable(),
    // Bounds of numbers are not known to every provider; they are looked at when the answer is read.
    score: z.number().nullable(),
  })
}

/** JSON takes the last of two equal names: two verdicts would read as one. */
const verdictField = /(?<!\\)"verdict"\s*:/gu

export function parseStructured(text: string, categories: readonly string[]): JudgeVerdict {
  const parsed = answer.safeParse(jsonOf(text))
  if (!parsed.success)
    return malformedVerdict(`it is no such object as was asked for: ${firstIssue(parsed.error)}`)
  if ([...text.matchAll(verdictField)].length > 1) return malformedVerdict('it holds more than one verdict')
  const { verdict, category, feedback, score } = parsed.data
  const quotes = parsed.data.quotes.map(({ source, text: words }) => ({
    text: words,
    ...(source === null || source === '' ? {} : { source }),
  }))
  const scored = score === null ? {} : { score }
  if (verdict === 'ABSTAIN') return { kind: 'abstained', reason: feedback, quotes }
  if (verdict === 'PASS') {
    if (category !== null) return malformedVerdict(`it passes, and names the fault "${category}"`)
    return { kind: 'met', reason: reasonOf(parsed.data), quotes, ...scored }
  }
  if (category !== null && !categories.includes(category))
    return malformedVerdict(`it names the unknown category "${category}"`)
  const named = category === null ? {} : { category }
  const reason = feedback.trim() === '' ? reasonOf(parsed.data) : feedback
  return { kind: 'not-met', reason, quotes, ...scored, ...named }
}

function reasonOf({ goalAchievement, completeness, ruleCompliance }: Answer): string {
  return [goalAchievement, completeness, ruleCompliance].filter((part) => part.trim() !== '').join(' ')
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim()
}
