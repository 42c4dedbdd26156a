import { checkKind, loadVerifiers, pattern, patternOf, texts, z } from './check-kind.ts'

export const files = checkKind({
  name: 'files',
  what: 'files that are there, and what is in them',
  options: {
    files: texts.describe('globs, each of which must match a file'),
    nonEmpty: z.boolean().exactOptional().describe('a file of 0 bytes is none'),
    contain: pattern.exactOptional().describe('what stands in each of them; then they are paths'),
  },
  line: (typed) => ({ files: [typed] }),
  async verifiers({ files: globs, nonEmpty = false, contain }, options) {
    const { fileExists, fileMatches } = await loadVerifiers()
    if (contain === undefined) return [fileExists(globs, { ...options, nonEmpty })]
    return globs.map((path) => fileMatches(path, patternOf(contain), options))
  },
})
