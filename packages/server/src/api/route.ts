/** What a route is made of: the shapes that it takes and gives, the role that it needs, and how it refuses. */
import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import type { Role, User } from '../access/index.ts'
import { errorAnswer, invalid, Problem } from './shapes.ts'
import type { Workplace } from './workplace.ts'

export interface Environment {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { place: Workplace; user: User; isBearer: boolean }
}

/** Routes that refuse an invalid query, header or body by its first invalid field. */
export function routes(): OpenAPIHono<Environment> {
  return new OpenAPIHono<Environment>({
    defaultHook(result) {
      if (result.success) return
      const [issue] = result.error.issues
      const place = [targetNames[result.target] ?? result.target, ...(issue?.path.map(String) ?? [])].join(
        '.',
      )
      throw invalid(`${place}: ${issue?.message ?? 'it has another form'}`)
    },
  })
}

const targetNames: Readonly<Record<string, string>> = { json: 'body', param: 'path' }

/** Adds what every route of the service has: its role, its limits and its refusals. */
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
      ...(config.request?.query === undefined ? [takesNoQuery] : []),
      ...(config.method === 'post' ? [meansIt, withinLimit] : []),
    ],
    responses: { ...responses, ...refusals },
  })
}

/** A JSON body of a request. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** A response in JSON. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { description: 'What was asked for', content: { 'application/json': { schema } } }
}

export function needsRole(role: Role): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const { name, roles } = context.var.user
    if (!roles.includes(role))
      throw new Problem('forbidden', `this needs the role ${role}, which ${name} has not`)
    await next()
  }
}

const takesNoQuery: MiddlewareHandler<Environment> = async (context, next) => {
  const [name] = Object.keys(context.req.query())
  if (name !== undefined) throw invalid(`query: Unrecognized key: ${JSON.stringify(name)}`)
  await next()
}

/** Changes require our page or a token, so a foreign form cannot make them. */
const meansIt: MiddlewareHandler<Environment> = async (context, next) => {
  if (!context.var.isBearer && context.req.header('origin') === undefined)
    throw new Problem(
      'foreign-origin',
      'a request with a cookie says its Origin; programs send a token instead',
    )
  const [type = ''] = (context.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported-media-type', 'the body is sent as application/json')
  await next()
}

/** Of a body; a task is the longest text. */
const maxBodyBytes = 1024 * 1024

const withinLimit = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new Problem('too-large', `a body has at most ${maxBodyBytes} bytes`)
  },
})

/** Not a part of the types of routes: handlers throw a `Problem`, and clients an error. */
const refusals: object = {
  default: { description: 'An error', content: { 'application/json': { schema: errorAnswer } } },
}
