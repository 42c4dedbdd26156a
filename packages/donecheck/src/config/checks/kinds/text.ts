import {
  bounds,
  checkKind,
  file,
  given,
  loadVerifiers,
  pattern,
  patternOf,
  sourceOf,
  z,
} from './check-kind.ts'

export const text = checkKind({
  name: 'text',
  what: 'length, required and forbidden words',
  options: {
    requires: z.array(pattern).min(1).exactOptional().describe('what must stand in it'),
    forbids: z.array(pattern).min(1).exactOptional().describe('what may not'),
    words: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    lines: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    characters: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    caseSensitive: z.boolean().exactOptional().describe('default true'),
    file,
  },
  line: (typed) => ({ requires: [typed] }),
  async verifiers({ requires, forbids, caseSensitive, words, lines, characters, ...spec }, options) {
    const { forbiddenPatterns, requiredItems, responseLength } = await loadVerifiers()
    const source = { ...options, ...sourceOf(spec) }
    const form = { ...source, ...given({ caseSensitive }) }
    const length = given({ words, lines, characters })
    return [
      ...(Object.keys(length).length === 0 ? [] : [responseLength(length, source)]),
      ...(requires === undefined ? [] : [requiredItems(requires.map(patternOf), form)]),
      ...(forbids === undefined ? [] : [forbiddenPatterns(forbids.map(patternOf), form)]),
    ]
  },
})
