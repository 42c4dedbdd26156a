/** `npm run api-types`: the types of the client, made of the OpenAPI document of the service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@donecheck/server'
import { format, resolveConfig } from 'prettier'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../packages/server/src/client')

const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).default([]),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  get anyOf() {
    return z.array(schema).optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
  get items() {
    return schema.optional()
  },
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  required: z.array(z.string()).default([]),
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional()
  },
})
type Schema = z.output<typeof schema>

const content = z.record(z.string(), z.object({ schema }))
const operation = z.looseObject({
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema })),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content })),
})
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schema) }),
})

const origin = '/** Made of the routes of the service by `npm run api-types`; a test holds it to them. */\n'

/** Two files by their paths: one type for each shape with a name, and one row for each route that answers JSON. */
export async function apiTypes(): Promise<Readonly<Record<string, string>>> {
  const { paths, components } = document.parse(openApiDocument())
  const shapes = Object.entries(components.schemas).map(
    ([name, shape]) => `  readonly ${name}: ${typeOf(shape)}`,
  )
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, one]) => rowOf(`${method.toUpperCase()} ${path}`, one)),
  )
  const texts = {
    'shapes.ts': `${origin}export interface Shapes {\n${shapes.join('\n')}\n}\n`,
    'routes.ts': `${origin}import type { Shapes } from './shapes.ts'\n\nexport interface Routes {\n${routes.join('\n')}\n}\n`,
  }
  const options = { ...(await resolveConfig(join(folder, 'routes.ts'))), parser: 'typescript' }
  const formatted = Object.entries(texts).map(
    async ([name, text]) => [join(folder, name), await format(text, options)] as const,
  )
  return Object.fromEntries(await Promise.all(formatted))
}

/** What a route does not take is left out. */
function rowOf(name: string, { summary, parameters, requestBody, responses }: z.output<typeof operation>) {
  const given = (where: string) => {
    const fields = parameters
      .filter((one) => one.in === where)
      .map((one) => `readonly ${one.name}${one.required ? '' : '?'}: ${typeOf(one.schema)}`)
    return fields.length === 0 ? [] : [`readonly ${where}: { ${fields.join('; ')} }`]
  }
  const [answer] = Object.entries(responses).flatMap(([status, one]) =>
    status === 'default' ? [] : [one.content],
  )
  const answered = answer?.['application/json']
  if (answered === undefined) return []
  const body = requestBody?.content['application/json']
  const parts = [
    ...given('path'),
    ...given('query'),
    ...(body === undefined ? [] : [`readonly body: ${typeOf(body.schema)}`]),
    `readonly answer: ${typeOf(answered.schema)}`,
  ]
  return [`  /** ${summary}. */\n  readonly '${name}': { ${parts.join('; ')} }`]
}

function typeOf(one: Schema): string {
  const either = one.anyOf ?? one.oneOf
  if (one.$ref !== undefined) return `Shapes['${one.$ref.split('/').at(-1) ?? ''}']`
  if (either !== undefined) return either.map(typeOf).join(' | ')
  if (one.const !== undefined) return JSON.stringify(one.const)
  if (one.enum !== undefined) return one.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (one.type === 'array') return `readonly (${one.items === undefined ? 'unknown' : typeOf(one.items)})[]`
  if (one.type === 'object') return objectType(one)
  const plain = [one.type].flat().map((type) => (type === 'integer' ? 'number' : type))
  return plain.length === 0 ? 'unknown' : plain.join(' | ')
}

function objectType({ properties = {}, required, additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, shape]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(shape)}`,
  )
  if (typeof additionalProperties === 'object') {
    if (fields.length === 0) return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
    fields.push('readonly [name: string]: unknown')
  }
  return `{ ${fields.join('; ')} }`
}

if (import.meta.main) for (const [path, text] of Object.entries(await apiTypes())) writeFileSync(path, text)
