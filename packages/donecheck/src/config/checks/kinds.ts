import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  UsageError,
  baseUrl,
  bounds,
  checkKind,
  count,
  file,
  given,
  loadVerifiers,
  pattern,
  patternOf,
  seconds,
  share,
  sourceOf,
  text,
  texts,
  z,
} from './check-kind.ts'

export const checkKinds = [
  checkKind({
    name: 'schema',
    what: 'JSON that keeps to a schema',
    options: {
      schema: z
        .union([text, z.record(z.string(), z.json())])
        .describe('a JSON Schema, or a file with one, which is read before the agent begins'),
      file,
    },
    line: (typed) => ({ schema: typed }),
    async readFiles({ schema: named }, read) {
      if (typeof named !== 'string') return {}
      const content = await read(named)
      try {
        return { schema: JSON.parse(content) as unknown }
      } catch (error) {
        throw new UsageError(`the schema ${named} is no JSON: ${String(error)}`, { cause: error })
      }
    },
    async verifiers(spec, options) {
      if (typeof spec.schema === 'string') throw new UsageError(`the schema ${spec.schema} was not read`)
      return [(await loadVerifiers()).schema(spec.schema, { ...options, ...sourceOf(spec) })]
    },
  }),
  checkKind({
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
      const expected =
        equals !== undefined ? { equals } : places !== undefined ? { count: places } : { exists }
      return [(await loadVerifiers()).jsonPath(named ?? { answer: true }, query, expected, options)]
    },
  }),
  checkKind({
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
  }),
  checkKind({
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
  }),
  checkKind({
    name: 'size',
    what: 'how large files are, such as what is shipped to a browser',
    options: {
      files: texts.describe('globs; at least one file must match'),
      maxBytes: count.describe('of each file'),
    },
    line: () => 'size:{"files":["dist/*.js"],"maxBytes":200000}',
    async verifiers({ files, maxBytes }, { name = `size of ${files.join(', ')}`, ...options }) {
      const { verifierOf } = await loadVerifiers()
      const measure = async ({ workFolder }: { readonly workFolder: string | null }) => {
        if (workFolder === null) throw new TypeError('there is no work folder')
        const sizes: { readonly path: string; readonly bytes: number }[] = []
        for await (const path of glob(files, { cwd: workFolder })) {
          const found = await stat(join(workFolder, path))
          if (found.isFile()) sizes.push({ path, bytes: found.size })
        }
        const tooLarge = sizes.filter(({ bytes }) => bytes > maxBytes)
        if (sizes.length === 0) return { passed: false, reason: `no file matches ${files.join(', ')}` }
        const words = tooLarge.map(({ path, bytes }) => `${path} has ${bytes} bytes`)
        return words.length === 0
          ? { passed: true, reason: `${sizes.length} files have at most ${maxBytes} bytes` }
          : { passed: false, reason: `${words.join(', ')}; the limit is ${maxBytes}` }
      }
      return [verifierOf(name, measure, { ...options, reads: 'workspace' })]
    },
  }),
  checkKind({
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
  }),
  checkKind({
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
        (await import('@donecheck/engine/internal/system/models')).embeddingModel(name, server, environment)
      const model = named === undefined ? undefined : await load(named)
      return [
        (await loadVerifiers()).similarity(to, {
          ...options,
          ...sourceOf(spec),
          ...given({ threshold, model }),
        }),
      ]
    },
  }),
  checkKind({
    name: 'git',
    what: 'what is changed or uncommitted',
    options: {
      clean: z.literal(true).exactOptional().describe('nothing is uncommitted'),
      only: texts.exactOptional().describe('globs: nothing else is changed'),
      forbid: texts.exactOptional().describe('globs: these are not'),
      maxFiles: count.exactOptional().describe('changed files'),
      maxAddedLines: count.exactOptional().describe('of all files together'),
      maxRemovedLines: count.exactOptional().describe('of all files together'),
      against: text.exactOptional().describe('a revision (HEAD)'),
    },
    line: (typed) => (typed === 'clean' ? { clean: true } : 'git:clean'),
    async verifiers(spec, options) {
      const { clean = false, only, forbid, maxFiles, maxAddedLines, maxRemovedLines, against } = spec
      const limits = given({ only, forbid, maxFiles, maxAddedLines, maxRemovedLines })
      const isLimited = Object.keys(limits).length > 0
      if (against !== undefined && !isLimited)
        throw new UsageError(
          `git is compared with ${against}, and nothing is asked of it; give only or forbid`,
        )
      const { gitClean, gitDiff } = await loadVerifiers()
      return [
        ...(clean ? [gitClean(options)] : []),
        ...(isLimited ? [gitDiff({ ...options, ...limits, ...given({ against }) })] : []),
      ]
    },
  }),
  checkKind({
    name: 'patch',
    what: 'a patch that applies',
    options: { file },
    line: (typed) => ({ file: typed }),
    async verifiers(spec, options) {
      return [(await loadVerifiers()).patchApplies({ ...options, ...sourceOf(spec) })]
    },
  }),
  checkKind({
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
  }),
  checkKind({
    name: 'process',
    what: 'something that runs',
    options: {
      port: z.number().int().min(1).max(65_535).exactOptional().describe('something listens on it'),
      pidFile: text.exactOptional().describe('a file of the work folder with a process id'),
    },
    line: (typed) => (/^\d+$/.test(typed) ? { port: Number(typed) } : { pidFile: typed }),
    async verifiers({ port, pidFile }, options) {
      return [(await loadVerifiers()).processAlive({ ...options, ...given({ port, pidFile }) })]
    },
  }),
  checkKind({
    name: 'human',
    what: 'what a person says',
    options: {
      question: text.describe('what a person decides, at the terminal or with donecheck approve'),
      details: text.exactOptional().describe('what there is to look at'),
      reads: z.enum(['workspace', 'answer']).exactOptional().describe('what is approved (the work tree)'),
    },
    line: (typed) => ({ question: typed }),
    async verifiers({ question, details, reads = 'workspace' }, options, { human: person }) {
      const { humanApproves } = await loadVerifiers()
      return [humanApproves({ ...options, ...given({ details }), question, human: person, reads })]
    },
  }),
  checkKind({
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
  }),
] as const
