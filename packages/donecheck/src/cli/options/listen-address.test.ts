import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { readListenAddress } from './option.ts'

describe('where to listen', () => {
  it.each([
    ['127.0.0.1:4747', { host: '127.0.0.1', port: 4747 }],
    ['4747', { host: '127.0.0.1', port: 4747 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['box.example.org:8080', { host: 'box.example.org', port: 8080 }],
  ])('%s is read', (text, address) => {
    expect(readListenAddress('--listen', text)).toEqual(address)
  })

  it.each(['', 'localhost', ':4747:', '::1:80', '127.0.0.1:99999', 'http://a:1', '1.2.3.4:x'])(
    '"%s" is refused, with the name of the flag',
    (text) => {
      expect(() => readListenAddress('--health', text)).toThrow(UsageError)
      expect(() => readListenAddress('--health', text)).toThrow(/^--health takes HOST:PORT/)
    },
  )
})
