/**
 * The one table of checks that are no command: what each can be told, and what the text of `--check KIND:TEXT` means for it.
 * Schema, parser, help and reference page come from here; `cli/wiring/check-kinds.ts` makes verifiers of them.
 */
import { z } from 'zod'
import type { CheckKind } from '@donecheck/core/base'

const text = z.string().trim().min(1, 'it is empty')
const texts = z.array(text).min(1, 'the list is empty')
const share = z.number().gt(0).max(1)
const count = z.number().int().nonnegative()
const seconds = z.number().positive()
const bounds = z.strictObject({ min: z.number().exactOptional(), max: z.number().exactOptional() })

/** A text is looked for as it stands; an expression as JavaScript reads it. */
const pattern = z.union([
  text,
  z.strictObject({ pattern: text, flags: z.string().exactOptional() }),
  z.instanceof(RegExp).transform(({ source, flags }) => ({ pattern: source, flags })),
])
export type PatternSpec = z.output<typeof pattern>

/** What every check can be told. */
export const commonFields = {
  name: text.exactOptional().describe('unique in a run; default: what is checked, in words'),
  required: z.boolean().exactOptional().describe('its verdict decides (default true)'),
  weight: z.number().nonnegative().exactOptional().describe('under `weighted` (1)'),
  timeoutSeconds: seconds.exactOptional().describe('longer is an error (300)'),
  exclusive: z.boolean().exactOptional().describe('nothing else is checked meanwhile'),
}

const file = text.exactOptional().describe('a file of the work folder, instead of the answer')
const baseUrl = z.url().exactOptional().describe('a server that speaks the OpenAI protocol and has the model')
const caseSensitive = z.boolean().exactOptional().describe('default true')

const fields = {
  schema: {
    schema: z
      .union([text, z.record(z.string(), z.json())])
      .describe('a JSON Schema, or a file with one, which is read before the agent begins'),
    file,
  },
  json: {
    query: text.describe('a JSONPath (RFC 9535)'),
    exists: z.boolean().exactOptional().describe('whether it finds something (default true)'),
    equals: z.json().exactOptional().describe('what stands at the one place that it finds'),
    count: z.union([count, bounds]).exactOptional().describe('how many places it finds'),
    file,
  },
  text: {
    requires: z.array(pattern).min(1).exactOptional().describe('what must stand in it'),
    forbids: z.array(pattern).min(1).exactOptional().describe('what may not'),
    words: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    lines: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    characters: bounds.exactOptional().describe('how many, as `{ min, max }`'),
    caseSensitive,
    file,
  },
  files: {
    files: texts.describe('globs, each of which must match a file'),
    nonEmpty: z.boolean().exactOptional().describe('a file of 0 bytes is none'),
    contain: pattern.exactOptional().describe('what stands in each of them; then they are paths'),
  },
  citations: {
    sources: texts.describe('globs of the files that may be cited'),
    quotes: z
      .enum(['needed', 'optional'])
      .exactOptional()
      .describe('whether each claim must quote its source'),
    file,
  },
  similarity: {
    to: text.exactOptional().describe('the text that it should mean about the same as'),
    toFile: text.exactOptional().describe('a file with that text, which is read before the agent begins'),
    threshold: share.exactOptional().describe('cosine, above 0 to 1 (0.7)'),
    model: text.exactOptional().describe('an embedding model, `provider/name`; without one: error'),
    baseUrl,
    file,
  },
  git: {
    clean: z.literal(true).exactOptional().describe('nothing is uncommitted'),
    only: texts.exactOptional().describe('globs: nothing else is changed'),
    forbid: texts.exactOptional().describe('globs: these are not'),
    maxFiles: count.exactOptional().describe('changed files'),
    maxAddedLines: count.exactOptional().describe('of all files together'),
    maxRemovedLines: count.exactOptional().describe('of all files together'),
    against: text.exactOptional().describe('a revision (HEAD)'),
  },
  patch: { file },
  http: {
    url: z.url().describe('`http:` or `https:`'),
    status: z.number().int().min(100).max(599).exactOptional().describe('which it answers (200)'),
    method: text.exactOptional().describe('default GET'),
    contains: pattern.exactOptional().describe('what stands in the body'),
    readyWithinSeconds: seconds.exactOptional().describe('asked again for so long (once)'),
  },
  process: {
    port: z.number().int().min(1).max(65_535).exactOptional().describe('something listens on it'),
    pidFile: text.exactOptional().describe('a file of the work folder with a process id'),
  },
  human: {
    question: text.describe('what a person decides, at the terminal or with donecheck approve'),
    details: text.exactOptional().describe('what there is to look at'),
    reads: z.enum(['workspace', 'answer']).exactOptional().describe('what is approved (the work tree)'),
  },
  judge: {
    rubric: text.describe('a ready rubric (`goal`, `clarity`, `coherence`, `coverage`), or a text'),
    model: text.exactOptional().describe('`provider/name`'),
    baseUrl,
    minScore: share.exactOptional().describe('a lower score fails'),
    reads: z.enum(['workspace', 'answer']).exactOptional().describe('what is judged (the answer)'),
    quotesFrom: texts.exactOptional().describe('files in which its quotes may stand too'),
  },
} satisfies Record<CheckKind, z.ZodRawShape>

/** What it looks at; and of `--check KIND:TEXT` the options that TEXT stands for, or how it is said otherwise. */
export const kindRows: Readonly<
  Record<CheckKind, { readonly what: string; readonly line: (text: string) => object | string }>
> = {
  schema: { what: 'JSON that keeps to a schema', line: (text) => ({ schema: text }) },
  json: { what: 'what stands at a place of a JSON text', line: (text) => ({ query: text }) },
  text: { what: 'length, required and forbidden words', line: (text) => ({ requires: [text] }) },
  files: { what: 'files that are there, and what is in them', line: (text) => ({ files: [text] }) },
  citations: {
    what: 'claims whose source is listed and says what they quote',
    line: (text) => ({ sources: [text] }),
  },
  similarity: { what: 'a text that means about the same', line: (text) => ({ to: text }) },
  git: {
    what: 'what is changed or uncommitted',
    line: (text) => (text === 'clean' ? { clean: true } : 'git:clean'),
  },
  patch: { what: 'a patch that applies', line: (text) => ({ file: text }) },
  http: { what: 'what a server answers', line: (text) => ({ url: text }) },
  process: {
    what: 'something that runs',
    line: (text) => (/^\d+$/.test(text) ? { port: Number(text) } : { pidFile: text }),
  },
  human: { what: 'what a person says', line: (text) => ({ question: text }) },
  judge: { what: 'what a model says of a rubric', line: (text) => ({ rubric: text }) },
}

function objectOf<Kind extends CheckKind>(kind: Kind) {
  return z.strictObject({ kind: z.literal(kind), ...commonFields, ...fields[kind] })
}

export const kindSchemas = {
  schema: objectOf('schema'),
  json: objectOf('json'),
  text: objectOf('text'),
  files: objectOf('files'),
  citations: objectOf('citations'),
  similarity: objectOf('similarity'),
  git: objectOf('git'),
  patch: objectOf('patch'),
  http: objectOf('http'),
  process: objectOf('process'),
  human: objectOf('human'),
  judge: objectOf('judge'),
} satisfies Record<CheckKind, z.ZodType>
