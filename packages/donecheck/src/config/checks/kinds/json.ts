import { bounds, checkKind, count, file, loadVerifiers, text, UsageError, z } from './check-kind.ts'

export const json = checkKind({
  name: 'json',
  what: 'what stands at a place of a JSON text',
  options: {
    query: text.describe('a JSONPath (RFC 9535)'),
    exists: z.boolean().exactOptional().describe('whether it finds something (default true)'),
    equals: z.json().exactOptional().describe('what stands at the one place that it finds'),
    count: z.union([count, bounds]).exactOptional().describe('how many places it finds'),
    file,
  },
  line: (typed) => ({ query: typed }),
  async verifiers({ query, exists = true, equals, count: places, file: named }, options) {
    if (equals !== undefined && places !== undefined)
      throw new UsageError('json is given equals and count; give one of them')
    const expected = equals !== undefined ? { equals } : places !== undefined ? { count: places } : { exists }
    return [(await loadVerifiers()).jsonPath(named ?? { answer: true }, query, expected, options)]
  },
})
