/** The critic, as a script: it reads the text for what no word count finds. A model would be `modelJudge({ … })`. */
import type { Judge } from '@donecheck/engine/judge'

export const rubric = 'It says why a program must decide, and what a wrong "done" costs.'

export const critic: Judge = {
  name: 'critic',
  judge: async ({ answer }) => {
    const costs = /The cost of [^.]+\./u.exec(answer.replaceAll('\n', ' '))
    return costs === null
      ? {
          kind: 'not-met',
          reason: 'say what a wrong "done" costs',
          category: 'incomplete',
          score: 0.6,
          quotes: [],
          costUsd: null,
        }
      : {
          kind: 'met',
          reason: 'it weighs the costs',
          score: 0.9,
          quotes: [{ text: costs[0] }],
          costUsd: null,
        }
  },
}
