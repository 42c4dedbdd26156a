import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { envelopeOf, parseReceiptFile, preAuthentication } from './envelope.ts'

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))

describe('given a statement in an envelope', () => {
  test.prop([fc.jsonValue(), fc.uint8Array({ minLength: 1, maxLength: 200 })])(
    'gives back what was signed, byte for byte',
    (statement, signature) => {
      const payload = bytesOf(statement)
      const file = parseReceiptFile(JSON.stringify(envelopeOf(payload, signature)))
      expect(file).toEqual({
        kind: 'envelope',
        statement: JSON.parse(payload.toString()) as unknown,
        signed: preAuthentication(payload),
        signatures: [Buffer.from(signature)],
      })
    },
  )

  it('is signed with its type and its length, as DSSE has it', () => {
    expect(Buffer.from(preAuthentication(Buffer.from('é'))).toString()).toBe(
      'DSSEv1 28 application/vnd.in-toto+json 2 é',
    )
  })
})

describe('given a file that is something else', () => {
  const good = envelopeOf(bytesOf({}), Buffer.from('signature'))

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['another type', JSON.stringify({ ...good, payloadType: 'text/plain' })],
    ['no signature', JSON.stringify({ ...good, signatures: [] })],
    ['a payload that is no base64', JSON.stringify({ ...good, payload: '{"a":1}' })],
    ['a payload that is no JSON', JSON.stringify({ ...good, payload: 'YWJj' })],
    ['a payload that is no UTF-8', JSON.stringify({ ...good, payload: 'Iv8i' })],
  ])('is not taken for an unsigned receipt (%s)', (_, text) => {
    expect(parseReceiptFile(text).kind).toBe('unreadable')
  })

  test.prop([fc.oneof(fc.string(), fc.json())])('never throws', (text) => {
    expect(['unsigned', 'unreadable', 'envelope']).toContain(parseReceiptFile(text).kind)
  })
})
