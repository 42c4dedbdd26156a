/** For programs that ask the service: every route that answers JSON, with the types of its OpenAPI document. */
import type { Routes } from './routes.ts'

export type RouteName = keyof Routes

/** What is given with a request: what a route does not take is left out. */
export type RequestOf<Name extends RouteName> = Omit<Routes[Name], 'answer'>

export interface ServiceClient {
  /**
   * @param headers such as `Idempotency-Key`
   * @throws {ServiceError} for an answer that is an error
   */
  ask<Name extends RouteName>(
    name: Name,
    request: RequestOf<Name>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Routes[Name]['answer']>
}

export interface ServiceAddress {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string
  readonly token: string
}

/** An error that the service answered. */
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
  ): Promise<Routes[Name]['answer']>
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
