import { baseUrl, checkKind, share, text, texts, z } from './check-kind.ts'

export const judge = checkKind({
  name: 'judge',
  what: 'what a model says of a rubric',
  options: {
    rubric: text.describe('a ready rubric (`goal`, `clarity`, `coherence`, `coverage`), or a text'),
    model: text.exactOptional().describe('`provider/name`'),
    baseUrl,
    minScore: share.exactOptional().describe('a lower score fails'),
    reads: z.enum(['workspace', 'answer']).exactOptional().describe('what is judged (the answer)'),
    quotesFrom: texts.exactOptional().describe('files in which its quotes may stand too'),
  },
  line: (typed) => ({ rubric: typed }),
  verifiers: async (spec, options, { judged }, within) => [await judged(spec, options, within)],
})
