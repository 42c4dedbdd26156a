/** An answer that no command can check: two of three judges must be content, and what they quote must be there. */
import { createAgentLoop, scriptedAgent } from 'donecheck'
import { judgeCheck, judgePanel } from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/judge'

/** Stands in for `modelJudge({ model: 'openai/gpt-5', account, rules })`. */
function wanting(word: string): Judge {
  return {
    name: `wants ${word}`,
    judge: async ({ answer }) =>
      answer.includes(word)
        ? { kind: 'met', reason: 'it is said', quotes: [{ text: word }], costUsd: null }
        : { kind: 'not-met', reason: `say ${word}`, category: 'incomplete', quotes: [], costUsd: null },
  }
}

const panel = judgePanel([wanting('Paris'), wanting('France'), wanting('Europe')], { atLeast: 2 })
const loop = createAgentLoop({
  agent: scriptedAgent(['It is Paris.', 'It is Paris, in France.']),
  hardVerifiers: [judgeCheck(panel, { rubric: 'It names the city and its country.', trusted: true })],
})

const { transition, verdicts } = await loop.run('Where is the Louvre?')
const votes = verdicts.flatMap(({ evidence }) => evidence.filter((piece) => piece.kind === 'judge'))
console.log(
  `${transition.outcome}: ${votes.filter(({ said }) => said === 'met').length} of ${votes.length} are content`,
)

// prints: verified: 2 of 3 are content
