import { checkKind, file, loadVerifiers, sourceOf, text, UsageError, z } from './check-kind.ts'

export const schema = checkKind({
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
})
