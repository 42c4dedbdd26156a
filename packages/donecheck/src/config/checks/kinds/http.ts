import { checkKind, loadVerifiers, pattern, patternOf, seconds, text, z } from './check-kind.ts'

export const http = checkKind({
  name: 'http',
  what: 'what a server answers',
  options: {
    url: z.url().describe('`http:` or `https:`'),
    status: z.number().int().min(100).max(599).exactOptional().describe('which it answers (200)'),
    method: text.exactOptional().describe('default GET'),
    contains: pattern.exactOptional().describe('what stands in the body'),
    readyWithinSeconds: seconds.exactOptional().describe('asked again for so long (once)'),
  },
  line: (typed) => ({ url: typed }),
  async verifiers({ url, status = 200, method = 'GET', contains, readyWithinSeconds = 0 }, options) {
    const body = contains === undefined ? {} : { bodyMatches: patternOf(contains) }
    const asked = { url, status, method, readyWithinMs: readyWithinSeconds * 1000 }
    return [(await loadVerifiers()).httpStatus({ ...options, ...body, ...asked })]
  },
})
