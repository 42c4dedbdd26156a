/** Builds routes with their request and response schemas, required role and errors. */
import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import type { Role, User } from '../access/index.ts'
import { errorResponse, invalid, Problem } from './shapes.ts'
import type { Workplace } from './workplace.ts'

export interface Environment {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { workplace: Workplace; user: User; isBearer: boolean }
}

/** Creates a router that rejects an invalid query, header or body and names its first invalid field. */
export function routes(): OpenAPIHono<Environment> {
  return new OpenAPIHono<Environment>({
    defaultHook(result) {
      if (result.success) return
      const [issue] = result.error.issues
      const location = [targetNames[result.target] ?? result.target, ...(issue?.path.map(String) ?? [])].join(
        '.',
      )
      throw invalid(`${location}: ${issue?.message ?? 'invalid value'}`)
    },
  })
}

const targetNames: Readonly<Record<string, string>> = { json: 'body', param: 'path' }

/** Adds the required role, the limits and the error responses of every route. */
export function route<
  Responses extends RouteConfig['responses'],
  const Config extends Omit<RouteConfig, 'path'> & { readonly path: string },
>(role: Role, config: Config & { responses: Responses }) {
  const responses: Responses = config.responses
  return createRoute({
    ...config,
    description: `Needs the role ${role}.`,
    security: [{ bearer: [role] }],
    middleware: [
      needsRole(role),
      ...(config.request?.query === undefined ? [rejectQuery] : []),
      ...(config.method === 'post' ? [requireOwnOrigin, withinLimit] : []),
    ],
    responses: { ...responses, ...refusals },
  })
}

/** Builds the OpenAPI entry of a JSON request body. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** Builds the OpenAPI entry of a JSON response. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { description: 'The result', content: { 'application/json': { schema } } }
}

export function needsRole(role: Role): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const { name, roles } = context.var.user
    if (!roles.includes(role))
      throw new Problem('forbidden', `This needs the role "${role}", which ${name} does not have.`)
    await next()
  }
}

const rejectQuery: MiddlewareHandler<Environment> = async (context, next) => {
  const [name] = Object.keys(context.req.query())
  if (name !== undefined) throw invalid(`query: Unrecognized key: ${JSON.stringify(name)}`)
  await next()
}

/** Changes require our own origin or a token, so forms on other sites cannot make them. */
const requireOwnOrigin: MiddlewareHandler<Environment> = async (context, next) => {
  if (!context.var.isBearer && context.req.header('origin') === undefined)
    throw new Problem(
      'foreign-origin',
      'A request with a cookie needs an Origin header; programs should send a token.',
    )
  const [type = ''] = (context.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported-media-type', 'Send the body as application/json.')
  await next()
}

/** The longest text in a body is a task. */
const maxBodyBytes = 1024 * 1024

const withinLimit = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new Problem('too-large', `The body is larger than ${maxBodyBytes} bytes.`)
  },
})

/** Not in the types of routes, because handlers throw a `Problem` and clients throw a `ServiceError`. */
const refusals: object = {
  default: { description: 'An error', content: { 'application/json': { schema: errorResponse } } },
}
