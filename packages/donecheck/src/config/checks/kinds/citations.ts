import { checkKind, file, loadVerifiers, sourceOf, texts, z } from './check-kind.ts'

export const citations = checkKind({
  name: 'citations',
  what: 'claims whose source is listed and says what they quote',
  options: {
    sources: texts.describe('globs of the files that may be cited'),
    quotes: z
      .enum(['needed', 'optional'])
      .exactOptional()
      .describe('whether each claim must quote its source'),
    file,
  },
  line: (typed) => ({ sources: [typed] }),
  async verifiers({ sources, quotes = 'needed', ...spec }, options) {
    return [(await loadVerifiers()).citations({ ...options, ...sourceOf(spec), sources, quotes })]
  },
})
