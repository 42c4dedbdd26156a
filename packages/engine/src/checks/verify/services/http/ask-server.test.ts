import { describe, expect, it } from 'vitest'
import { failureOf } from './ask-server.ts'

function failedWith(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) })
}

describe('given a connection that failed', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'])('nobody is there: %s', (code) => {
    expect(failureOf(failedWith(code))).toEqual({ kind: 'refused', problem: `connect ${code}` })
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ETIMEDOUT', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
    'the way is broken: %s',
    (code) => {
      expect(failureOf(failedWith(code))).toEqual({ kind: 'unreachable', problem: `connect ${code}` })
    },
  )

  it.each([undefined, 'text', new Error('bad port'), { code: 7 }])('cannot tell from %j', (thrown) => {
    expect(failureOf(thrown)).toMatchObject({ kind: 'unreachable' })
  })
})
