/** The host of a network rule, as it is compared. */
import { quoteValue, RuleFault } from '../rule-fault.ts'
import type { NetworkRule, RuleDecision } from '../rule.ts'
import { decisionFrom } from './rule-parts.ts'
import { hasSpace, trim } from './white-space.ts'

const protocols = {
  http: 'http',
  https: 'https',
  https_connect: 'https',
  'http-connect': 'https',
  socks5_tcp: 'socks5_tcp',
  socks5_udp: 'socks5_udp',
} as const satisfies Record<string, NetworkRule['protocol']>

/** @throws RuleFault */
export function protocolFrom(value: unknown): NetworkRule['protocol'] {
  const entry = Object.entries(protocols).find(([name]) => name === value)
  if (entry === undefined)
    throw new RuleFault(
      `protocol must be one of http, https, socks5_tcp, socks5_udp, not ${quoteValue(value)}`,
    )
  return entry[1]
}

/** As `decisionFrom`, and `deny` for `forbidden`. @throws RuleFault */
export function networkDecisionFrom(value: unknown): RuleDecision {
  return value === 'deny' ? 'forbidden' : decisionFrom(value)
}

/** In lower case, without port, brackets and final dots. @throws RuleFault */
export function hostFrom(value: unknown): string {
  if (typeof value !== 'string') throw new RuleFault(`host must be a string, not ${quoteValue(value)}`)
  const trimmed = trim(value)
  if (trimmed === '') throw new RuleFault('host must not be empty')
  if (/[/?#]/.test(trimmed))
    throw new RuleFault(`host must be a name or an address without scheme and path, not ${quoteValue(value)}`)
  const host = asciiLowerCase(trim(withoutPort(trimmed).replace(/\.+$/, '')))
  if (host === '') throw new RuleFault('host must not be empty')
  if (host.includes('*'))
    throw new RuleFault(`host must be one host without wildcards, not ${quoteValue(value)}`)
  if (hasSpace(host)) throw new RuleFault(`host must not have blanks in it: ${quoteValue(value)}`)
  return host
}

function withoutPort(text: string): string {
  if (!text.startsWith('[')) return /^([^:]+):[0-9]+$/.exec(text)?.[1] ?? text
  const end = text.indexOf(']')
  if (end === -1) throw new RuleFault(`host has an open bracket: ${quoteValue(text)}`)
  if (!/^(:[0-9]+)?$/.test(text.slice(end + 1)))
    throw new RuleFault(`host has something behind its bracket: ${quoteValue(text)}`)
  return text.slice(1, end)
}

const asciiLowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
