/**
 * A verifier is a function that returns a boolean or `{ passed, reason }`. What it throws is an `error`, and never counts as
 * passed.
 */
import { createAgentLoop, scriptedAgent, verifierOf } from 'donecheck'
import type { UserVerifier } from '@donecheck/engine/verify'

/** These look at the answer; without `reads` a verifier looks at the work folder. */
const ofAnswer = (name: string, ask: UserVerifier) => verifierOf(name, ask, { reads: 'answer' })

const loop = createAgentLoop({
  agent: scriptedAgent(['About forty.', '41', '42']),
  hardVerifiers: [
    ofAnswer('is a number', ({ finalText }) => /^\d+$/.test(finalText)),
    ofAnswer('is short', ({ finalText }) => ({
      passed: finalText.length < 20,
      reason: `${finalText.length} characters`,
    })),
    ofAnswer('is even', async ({ finalText }) => ({
      passed: Number(finalText) % 2 === 0,
      reason: `${finalText} divided by two leaves ${Number(finalText) % 2}`,
    })),
  ],
  hardCap: { iterations: 5 },
})
const run = loop.run('What is six times seven? Answer with the number alone.')
for await (const event of run) {
  if (event.type === 'model-replied') console.log(`answer: ${event.text}`)
  if (event.type === 'verdict-given') console.log(`  ${event.verdict.status}: ${event.verdict.reason}`)
}
const answered = await run

const blind = createAgentLoop({
  agent: scriptedAgent(['42'], { repeatLast: true }),
  hardVerifiers: [
    ofAnswer('asks the oracle', () => {
      throw new Error('the oracle cannot be reached')
    }),
  ],
  hardCap: { iterations: 2 },
})
const { transition, verdicts } = await blind.run('What is six times seven?')
for (const { status, reason } of verdicts) console.log(`  ${status}: ${reason}`)

console.log(`with working checks: ${answered.transition.outcome}; with a broken one: ${transition.outcome}`)

// prints: with working checks: verified; with a broken one: exhausted
