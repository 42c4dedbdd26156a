/**
 * A weekly report is delivered only when its form is right, two of three judges are content and a person has said yes. What falls
 * short goes back to the agent; where the judges cannot decide, it is delivered all the same, marked as unverified.
 */
import { z } from 'zod'
import { createAgentLoop, schema, scriptedAgent } from 'donecheck'
import { judgeCheck, judgePanel } from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/judge'
import type { Reply } from '@donecheck/engine'
import { composed, humanApproves } from '@donecheck/engine/verify'

const form = z.object({ done: z.array(z.string()).min(1), next: z.array(z.string()).min(1) })

/** Stands in for `modelJudge({ model, account })`: wants a word, and says what is missing. */
function wanting(word: string): Judge {
  return {
    name: `wants ${word}`,
    judge: async ({ answer }) =>
      answer.includes(word)
        ? { kind: 'met', reason: 'it is said', quotes: [{ text: word }], costUsd: null }
        : { kind: 'not-met', reason: `say ${word}`, category: 'incomplete', quotes: [], costUsd: null },
  }
}

function unreachable(name: string): Judge {
  return { name, judge: () => Promise.reject(new Error('the server does not answer')) }
}

/** Stands in for `terminalHuman()`. */
const editor = { ask: async () => ({ kind: 'approved', by: 'Mia', reason: 'read and fine' }) as const }

async function report(drafts: readonly object[], judges: readonly Judge[]): Promise<string> {
  const panel = judgePanel(judges, { atLeast: 2 })
  const isFit = composed({ kind: 'all' }, [
    schema(form),
    judgeCheck(panel, { rubric: 'It names risks, dates and owners.', trusted: true }),
    humanApproves({ question: 'Send this report?', human: editor, reads: 'answer' }),
  ])
  const delivered: Reply[] = []
  const { transition, reply } = await createAgentLoop({
    agent: scriptedAgent(drafts.map((draft) => JSON.stringify(draft))),
    verifyReplies: { judge: isFit, verifyAll: true, deliver: (sent) => void delivered.push(sent) },
  }).run('Write the report of this week as JSON with the lists "done" and "next".')
  return `${transition.outcome}, ${delivered.length} sent at attempt ${reply?.attempt ?? 0}`
}

const withoutNext = { done: ['search is faster'] }
const vague = { done: ['search is faster'], next: ['release'] }
const whole = { done: ['search is faster'], next: ['release on May 3 (owner: Mia; risk: the old index)'] }
const judges = [wanting('risk'), wanting('May'), wanting('owner')]
const offline = judges.map(({ name }) => unreachable(name))

const ends = [
  await report([whole], judges),
  await report([withoutNext, vague, whole], judges),
  await report([whole], offline),
]
console.log(ends.join('; '))

// prints: verified, 1 sent at attempt 1; verified, 1 sent at attempt 3; unverified, 1 sent at attempt 1
