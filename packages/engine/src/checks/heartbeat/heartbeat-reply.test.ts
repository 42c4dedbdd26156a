import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHeartbeatReply } from './heartbeat-reply.ts'

describe('given the answer of a heartbeat', () => {
  it.each([
    ['HEARTBEAT_OK', true, ''],
    [' HEARTBEAT_OK.\n', true, ''],
    ['**HEARTBEAT_OK**', true, ''],
    ['<b>HEARTBEAT_OK</b>', true, ''],
    ['`HEARTBEAT_OK` HEARTBEAT_OK', true, ''],
    ['Disk is full! HEARTBEAT_OK', true, 'Disk is full!'],
    ['HEARTBEAT_OK\n\nThe disk is at 91 %.', true, 'The disk is at 91 %.'],
    ['I would say HEARTBEAT_OK if it were.', false, 'I would say HEARTBEAT_OK if it were.'],
    ['heartbeat_ok', false, 'heartbeat_ok'],
    ['HEARTBEAT_OKAY', false, 'HEARTBEAT_OKAY'],
    ['', false, ''],
  ])('%j', (text, claimsAllClear, rest) => expect(readHeartbeatReply(text)).toEqual({ claimsAllClear, rest }))

  it('never loses a word beside the token, however long', () => {
    const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,60}$/)
    fc.assert(
      fc.property(words, fc.boolean(), (said, isFirst) => {
        const text = isFirst ? `HEARTBEAT_OK ${said}` : `${said}\nHEARTBEAT_OK`
        expect(readHeartbeatReply(text)).toEqual({ claimsAllClear: true, rest: said })
      }),
    )
  })
})
