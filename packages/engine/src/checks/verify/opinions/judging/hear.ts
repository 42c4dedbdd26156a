/** What a judge says is unknown data: it is read here, and believed as far as it has grounds. */
import { z } from 'zod'
import { judgeEvidence, type JudgeEvidence } from '@donecheck/core/verdicts'
import type { Judge, JudgeAnswer, JudgeRequest } from '../../../../ports/judges.ts'
import { showValue } from '../../reports/reports.ts'
import { comparable, groundlessness } from './grounds.ts'
import { given } from '../../../../base/index.ts'

export interface HeardAnswer {
  readonly answer: JudgeAnswer
  /** Why it counts for nothing, as a whole sentence; then the answer is an abstention. */
  readonly problem?: string
}

/** Nothing else is an answer of a judge. */
const judgeAnswer = judgeEvidence
  .pick({ reason: true, category: true, quotes: true, seed: true, tokens: true, costUsd: true })
  .extend({
    kind: judgeEvidence.shape.said,
    score: z.number().min(0).max(1).optional(),
    quotes: judgeEvidence.shape.quotes.refine(
      (quotes) => quotes.every(({ text }) => comparable(text) !== ''),
      'a quote is empty',
    ),
    unavailable: z.literal(true).exactOptional(),
    votes: z.array(judgeEvidence).exactOptional(),
  })

/** Asks, reads and looks up. Rejects where the judge does. @param quotesFrom see `groundlessness` */
export async function hear(
  judge: Judge,
  request: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<HeardAnswer> {
  const answered: unknown = await judge.judge(request, signal)
  const parsed = judgeAnswer.safeParse(answered)
  if (!parsed.success) return nonsense(judge.name, answered, parsed.error)
  const { score, ...others } = parsed.data
  const answer: JudgeAnswer = { ...others, ...given({ score }) }
  const problem = await groundlessness(answer, request, quotesFrom, signal)
  return problem === undefined ? { answer } : { answer: abstention(answer, problem), problem }
}

/** What was spent and quoted stays on record. */
function abstention(answer: JudgeAnswer, reason: string): JudgeAnswer {
  const { quotes, costUsd, seed, tokens, votes } = answer
  return {
    kind: 'abstained',
    reason,
    quotes,
    costUsd,
    ...given({ seed, tokens, votes }),
  }
}

function nonsense(name: string, answered: unknown, error: z.ZodError): HeardAnswer {
  const [issue] = error.issues
  const detail = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`
  const problem = `${name} answered ${showValue(answered)}, which is not understood (${detail})`
  return {
    answer: { kind: 'abstained', reason: problem, quotes: [], costUsd: costOf(answered) },
    problem,
  }
}

/** Money that was spent is told even where the rest is nonsense. */
function costOf(answered: unknown): number | null {
  const cost = z.object({ costUsd: z.number().nonnegative() }).safeParse(answered)
  return cost.success ? cost.data.costUsd : null
}

/** For the record: what this judge said. */
export function voteOf(
  judge: Pick<Judge, 'name' | 'family' | 'identity'>,
  answer: JudgeAnswer,
): JudgeEvidence {
  const { kind: said, reason, category, score, quotes, seed, tokens, costUsd } = answer
  const { name, family, identity } = judge
  return {
    kind: 'judge',
    judge: name,
    ...given({ family, identity }),
    said,
    reason,
    ...given({ category, score }),
    quotes,
    ...given({ seed, tokens }),
    costUsd,
  }
}

/** Of the models behind it, each once. */
export function familiesOf({ family, members = [] }: Judge): readonly string[] {
  return [...new Set([...(family === undefined ? [] : [family]), ...members.flatMap(familiesOf)])]
}
