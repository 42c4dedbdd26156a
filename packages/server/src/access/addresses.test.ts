import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/base'
import { isKnownHost, isLoopback, originsOf, readListenAddress } from './addresses.ts'

describe('where to listen', () => {
  it.each([
    ['127.0.0.1:4747', { host: '127.0.0.1', port: 4747 }],
    ['4747', { host: '127.0.0.1', port: 4747 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['box.example.org:8080', { host: 'box.example.org', port: 8080 }],
  ])('%s is read', (text, address) => {
    expect(readListenAddress(text)).toEqual(address)
  })

  it.each(['', 'localhost', ':4747:', '::1:80', '127.0.0.1:99999', 'http://a:1', '1.2.3.4:x'])(
    '"%s" is refused',
    (text) => {
      expect(() => readListenAddress(text)).toThrow(UsageError)
    },
  )

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
  const origins = originsOf({ host: '127.0.0.1', port: 4747 }, ['https://runs.example.org/'])

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
    expect(() => originsOf({ host: '::1', port: 1 }, [url])).toThrow(UsageError)
})
