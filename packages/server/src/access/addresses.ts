/** Under which addresses the service may be asked: whoever comes by another name comes from a page that is not ours. */
import { isIP } from 'node:net'
import { UsageError } from '@donecheck/engine/base'

export interface ListenAddress {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Every name stands for all interfaces, or for one. */
function namesOf(host: string): readonly string[] {
  const isAll = ['0.0.0.0', '::'].includes(host)
  return [...(isAll ? [] : [host]), ...(isAll || isLoopback(host) ? ['localhost', '127.0.0.1', '::1'] : [])]
}

/**
 * Origins such as `http://127.0.0.1:4747`, as browsers write them.
 * @param publicUrls how a proxy in front of it is called
 * @throws {UsageError} for one that is no http address
 */
export function originsOf({ host, port }: ListenAddress, publicUrls: readonly string[]): ReadonlySet<string> {
  const own = namesOf(host).map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`)
  return new Set([...own, ...publicUrls].map(originOf))
}

function originOf(url: string): string {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError(`--public-url takes an address such as https://donecheck.example.org, not "${url}"`)
  return origin
}

/** @param host as the header of that name says; a name that somebody has made lead here is none of ours */
export function isKnownHost(origins: ReadonlySet<string>, host: string | undefined): boolean {
  return ['http', 'https'].some((scheme) => origins.has(`${scheme}://${host?.toLowerCase() ?? ''}`))
}
