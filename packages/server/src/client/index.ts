import { hc } from 'hono/client'
import type { api } from '../api/index.ts'

export type {
  AnswerRequest,
  Figures,
  Insights,
  Question,
  RunItem,
  Session,
  StartRequest,
  TopUpRequest,
} from '../api/index.ts'
export type { TreeChanges, RunDetailsResponse } from '../api/index.ts'

export interface ServiceAddress {
  readonly url: string
  /** Default: the login cookie of the browser. */
  readonly token?: string
}

/** Every call resolves to a successful response or rejects with a `ServiceError`. */
export type ServiceClient = ReturnType<typeof serviceClient>

export class ServiceError extends Error {
  override name = 'ServiceError'
  /** HTTP status, or 0 if there was no response. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * @example
 * const { api } = serviceClient({ url, token })
 * const response = await api.runs.$get({ query: { outcome: 'exhausted' } })
 * const { runs } = await response.json()
 */
export function serviceClient({ url, token }: ServiceAddress) {
  return hc<typeof api>(url, {
    fetch: fetchOrThrow,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
}

const fetchOrThrow: typeof fetch = async (url, request) => {
  const response = await fetch(url, request).catch((cause: unknown) => {
    const message = 'The service does not answer. Is `donecheck serve` still running?'
    throw Object.assign(new ServiceError(0, 'unreachable', message), { cause })
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    throw new ServiceError(response.status, 'unknown', `The service answered ${response.status}.`)
  throw new ServiceError(response.status, String(error.code), String(error.message))
}
