import {
  baseUrl,
  checkKind,
  file,
  given,
  loadVerifiers,
  share,
  sourceOf,
  text,
  UsageError,
} from './check-kind.ts'

export const similarity = checkKind({
  name: 'similarity',
  what: 'a text that means about the same',
  options: {
    to: text.exactOptional().describe('the text that it should mean about the same as'),
    toFile: text.exactOptional().describe('a file with that text, which is read before the agent begins'),
    threshold: share.exactOptional().describe('cosine, above 0 to 1 (0.7)'),
    model: text.exactOptional().describe('an embedding model, `provider/name`; without one: error'),
    baseUrl,
    file,
  },
  line: (typed) => ({ to: typed }),
  async readFiles({ toFile }, read) {
    return toFile === undefined ? {} : { toFile: undefined, to: await read(toFile) }
  },
  async verifiers({ to, threshold, model: named, baseUrl: server, ...spec }, options, { environment }) {
    if (to === undefined) throw new UsageError('similarity has nothing to compare with; give to or toFile')
    // Missing keys or packages are reported before the run.
    const load = async (name: string) =>
      (await import('@donecheck/engine/models')).embeddingModel(name, server, environment)
    const model = named === undefined ? undefined : await load(named)
    return [
      (await loadVerifiers()).similarity(to, {
        ...options,
        ...sourceOf(spec),
        ...given({ threshold, model }),
      }),
    ]
  },
})
