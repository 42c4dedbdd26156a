import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { isKnownHost, isLoopback, listOrigins } from './requests.ts'

describe('an address', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.2', false],
    ['127.0.0.1.example.org', false],
  ])('%s is of this machine alone: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected)
  })
})

describe('given a service on the loopback, with a proxy in front of it', () => {
  const origins = listOrigins({ host: '127.0.0.1', port: 4747 }, ['https://runs.example.org/'])

  it.each(['127.0.0.1:4747', 'localhost:4747', '[::1]:4747', 'runs.example.org'])(
    'knows itself as %s',
    (host) => {
      expect(isKnownHost(origins, host)).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    'evil.example.org',
    'evil.example.org:4747',
    '127.0.0.1',
    '127.0.0.1:4748',
    'runs.example.org.evil.org',
    'user@127.0.0.1:4747x',
    '127.0.0.1:4747/x y',
  ])('does not know itself as %s', (host) => {
    expect(isKnownHost(origins, host)).toBe(false)
  })

  it('takes its own pages for its own, and no others', () => {
    expect(origins.has('https://runs.example.org')).toBe(true)
    for (const origin of ['null', '', 'http://runs.example.org', 'https://evil.org', 'http://127.0.0.1:80'])
      expect(origins.has(origin)).toBe(false)
  })
})

it('a proxy is named by a whole address', () => {
  for (const url of ['runs.example.org', 'file:///etc', 'javascript:1'])
    expect(() => listOrigins({ host: '::1', port: 1 }, [url])).toThrow(UsageError)
})
