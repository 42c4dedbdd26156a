import type { FactOf } from '@donecheck/core/events'
import { messageOf } from '../../base/index.ts'
import type { AuthorAnswer, AuthorRequest, CheckAuthor } from './author.ts'
import { parseProposal, type Proposal } from './proposal.ts'

/** What an author handed in, as far as it can be used. */
export interface Asked {
  readonly author: FactOf<'checks-sealed'>['authors'][number]
  readonly proposal?: Proposal
}

const maxAnswerMs = 300_000

/** Never rejects, and waits for nobody who does not listen. */
export async function askAuthor(
  author: CheckAuthor,
  request: AuthorRequest,
  signal: AbortSignal,
): Promise<Asked> {
  const { name } = author
  const answered = await answerOf(author, request, signal)
  const { costUsd } = answered
  if ('problem' in answered)
    return { author: { name, costUsd, problem: `gave no answer: ${answered.problem}` } }
  const parsed = parseProposal(answered.proposal)
  return parsed.kind === 'proposal'
    ? { author: { name, costUsd }, proposal: parsed.proposal }
    : { author: { name, costUsd, problem: `its answer is not understood: ${parsed.problem}` } }
}

async function answerOf(
  author: CheckAuthor,
  request: AuthorRequest,
  signal: AbortSignal,
): Promise<AuthorAnswer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)])
  const given = Promise.withResolvers<never>()
  const giveUp = () => given.reject(new Error(signal.aborted ? 'interrupted' : 'it did not answer in time'))
  within.addEventListener('abort', giveUp, { once: true })
  try {
    within.throwIfAborted()
    return await Promise.race([author.propose(request, within), given.promise])
  } catch (error) {
    return { costUsd: null, problem: messageOf(error) }
  } finally {
    within.removeEventListener('abort', giveUp)
  }
}
