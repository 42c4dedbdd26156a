import type { z } from 'zod'
import type { routeTable } from '../api/index.ts'

type Row = Extract<(typeof routeTable)[number], { readonly answers: z.ZodType }>

type NameOf<Route extends Row> = `${Uppercase<Route['method']>} ${Braced<Route['path']>}`

type Braced<Path extends string> = Path extends `${infer Before}:${infer Name}/${infer After}`
  ? `${Before}{${Name}}/${Braced<After>}`
  : Path extends `${infer Before}:${infer Name}`
    ? `${Before}{${Name}}`
    : Path

type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer After}`
  ? Name | Parameters<After>
  : never

/** Leaves out parts of a request that the route does not take. */
type Part<Name extends string, Value> = [keyof Value] extends [never]
  ? unknown
  : [string] extends [keyof Value]
    ? unknown
    : Readonly<Record<Name, ReadonlyDeep<Value>>>

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
  : Value

type Requests = {
  [Route in Row as NameOf<Route>]: Part<'path', Record<Parameters<Braced<Route['path']>>, string>> &
    Part<'query', z.input<Route['query']>> &
    (Route['body'] extends z.ZodUndefined ? unknown : { readonly body: ReadonlyDeep<z.input<Route['body']>> })
}

export type Answers = { [Route in Row as NameOf<Route>]: z.output<Route['answers']> }

export type RouteName = keyof Answers

export type RequestOf<Name extends RouteName> = Requests[Name]

export interface ServiceClient {
  /**
   * @param headers such as `Idempotency-Key`
   * @throws {ServiceError} for an error response
   */
  ask<Name extends RouteName>(
    name: Name,
    request: RequestOf<Name>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answers[Name]>
}

export interface ServiceAddress {
  readonly url: string
  readonly token: string
}

export class ServiceError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'ServiceError'
    this.status = status
    this.code = code
  }
}

/**
 * @example
 * const client = serviceClient({ url, token })
 * const { runs } = await client.ask('GET /api/runs', { query: { outcome: 'exhausted' } })
 */
export function serviceClient(address: ServiceAddress): ServiceClient {
  async function ask<Name extends RouteName>(
    name: Name,
    request: RequestOf<Name>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answers[Name]>
  async function ask(name: string, request: AnyRequest, headers = {}): Promise<unknown> {
    const { method, url } = targetOf(name, request, address.url)
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer
    throw errorOf(response.status, answer)
  }
  return { ask }
}

interface AnyRequest {
  readonly path?: object
  readonly query?: object
  readonly body?: unknown
}

function targetOf(name: string, { path = {}, query = {} }: AnyRequest, base: string) {
  const [method = '', pattern = ''] = name.split(' ')
  const parts = new Map<string, unknown>(Object.entries(path))
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(String(parts.get(part))),
  )
  const asked = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return {
    method,
    url: `${base}${filled}${asked.size === 0 ? '' : `?${asked.toString()}`}`,
  }
}

function errorOf(status: number, answer: unknown): ServiceError {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    return new ServiceError(status, 'unknown', `the service answered ${status}`)
  return new ServiceError(status, String(error.code), String(error.message))
}
