import { z } from 'zod'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import { problemCodes, type Route } from './route.ts'
import { named, shapeNames } from './shapes.ts'
import { routeTable } from './table.ts'

export const errorAnswer = named(
  'ErrorAnswer',
  z.object({
    error: z.object({
      code: z.enum(Object.keys(problemCodes)),
      message: z.string().describe('for people, with the way out'),
    }),
  }),
)

export function openApiDocument() {
  const schemas: Schemas = {}
  const paths = Object.fromEntries(
    [...Map.groupBy(routeTable, ({ path }) => path)].map(([path, routes]) => [
      path.replaceAll(/:(\w+)/g, '{$1}'),
      Object.fromEntries(routes.map((route) => [route.method, operationOf(route, schemas)])),
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'donecheck',
      version: donecheckVersion,
      description:
        'Runs, approvals and receipts. Every request carries "Authorization: Bearer TOKEN", or the cookie of a login.',
    },
    security: [{ bearer: [] }],
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function operationOf(
  { method, path, role, summary, query, body, answers, status = 200 }: Route,
  schemas: Schemas,
) {
  const isJson = typeof answers !== 'string'
  const content: Readonly<Record<string, { readonly schema: object }>> = isJson
    ? { 'application/json': { schema: schemaOf(answers, 'output', schemas) } }
    : { [answers]: { schema: { type: 'string' } } }
  return {
    summary,
    description: `Needs the role ${role}.`,
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name, 'path', { type: 'string' }, true)),
      ...queryParameters(query, schemas),
    ],
    ...(method === 'post'
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, 'input', schemas) } },
          },
        }
      : {}),
    responses: {
      [status]: { description: 'What was asked for', content },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: schemaOf(errorAnswer, 'output', schemas) } },
      },
    },
  }
}

function queryParameters(query: z.ZodType, schemas: Schemas) {
  const { properties = {}, required = [] } = schemaOf(query, 'input', schemas)
  return Object.entries(properties).map(([name, schema]) =>
    parameter(name, 'query', schema, required.includes(name)),
  )
}

function parameter(name: string | undefined, where: string, schema: unknown, required: boolean) {
  return { name, in: where, required, schema }
}

type Schemas = Record<string, unknown>

/** Named schemas become references. Path numbers are parsed from text, so any is allowed. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Schemas) {
  const { $defs, ...schema } = moved(
    z.toJSONSchema(shape, { io, unrepresentable: 'any', metadata: shapeNames }),
  )
  delete schema.$schema
  Object.assign(schemas, $defs)
  return schema
}

const home = '#/components/schemas/'

function moved(schema: z.core.JSONSchema.JSONSchema): z.core.JSONSchema.JSONSchema {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', `"${home}`),
  ) as z.core.JSONSchema.JSONSchema
}
