/** Accepts only our own origins, so that pages of other sites cannot call the service. */
import { isIP } from 'node:net'
import { UsageError } from '@donecheck/engine/internal/base'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function listOwnNames(host: string): readonly string[] {
  const isAll = ['0.0.0.0', '::'].includes(host)
  return [...(isAll ? [] : [host]), ...(isAll || isLoopback(host) ? ['localhost', '127.0.0.1', '::1'] : [])]
}

/**
 * Lists origins such as `http://127.0.0.1:4747`, as browsers send them.
 * @param publicUrls addresses of a proxy in front of the service
 * @throws {UsageError} for an address that is not http
 */
export function listOrigins(
  { host, port }: ListenAddress,
  publicUrls: readonly string[],
): ReadonlySet<string> {
  const own = listOwnNames(host).map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`)
  return new Set([...own, ...publicUrls].map(parseOrigin))
}

function parseOrigin(url: string): string {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError(`--public-url must be a URL such as https://donecheck.example.org, not "${url}"`)
  return origin
}

/** @param host the Host header; rejects names that others point at this address */
export function isKnownHost(origins: ReadonlySet<string>, host: string | undefined): boolean {
  return ['http', 'https'].some((scheme) => origins.has(`${scheme}://${host?.toLowerCase() ?? ''}`))
}

export interface RateLimit {
  /** Takes one token. @returns undefined, or the milliseconds until the next */
  take(caller: string, nowMs: number): number | undefined
}

/** Beyond this, the least recently used bucket is evicted; by then it is full again. */
const maxBuckets = 10_000

export function rateLimit(burst: number, perMinute: number): RateLimit {
  const buckets = new Map<string, { readonly tokens: number; readonly atMs: number }>()
  const perMs = perMinute / 60_000
  return {
    take(caller, nowMs) {
      const { tokens, atMs } = buckets.get(caller) ?? { tokens: burst, atMs: nowMs }
      const filled = Math.min(burst, tokens + Math.max(0, nowMs - atMs) * perMs)
      const hasToken = filled >= 1
      buckets.delete(caller)
      buckets.set(caller, { tokens: hasToken ? filled - 1 : filled, atMs: nowMs })
      const [oldest] = buckets.keys()
      if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest)
      return hasToken ? undefined : Math.ceil((1 - filled) / perMs)
    },
  }
}

/** The web UI loads only our files and cannot be framed, so injected markup does nothing. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}
