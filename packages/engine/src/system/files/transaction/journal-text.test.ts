import { test } from '@fast-check/vitest'
import { Buffer } from 'node:buffer'
import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { journalOf, readJournal } from './journal-text.ts'
import type { Transaction } from './transaction.ts'

const image = fc.option(
  fc.record({
    bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    mode: fc.nat(0o7777),
  }),
)
const owner = fc.record({ userId: fc.nat(), groupId: fc.nat() })
const file = fc.record(
  { path: fc.string({ unit: 'binary' }), before: image, after: image, owner },
  { requiredKeys: ['path', 'before', 'after'] },
)
const transaction: fc.Arbitrary<Transaction> = fc.record({
  id: fc.uuid(),
  root: fc.string({ unit: 'binary' }).map((name) => `/${name}`),
  folders: fc.array(fc.string()),
  files: fc.array(file, { maxLength: 5 }),
})

describe('given a transaction', () => {
  test.prop([transaction])('its journal says the same', (given) => {
    const read = readJournal(journalOf(given))
    if (read.kind === 'unreadable') throw new TypeError(read.problem)
    expect(read.transaction).toEqual(given)
  })

  test.prop([transaction, fc.nat(), fc.integer({ min: 1, max: 255 })])(
    'a journal with another byte cannot be read',
    (given, place, difference) => {
      const bytes = journalOf(given)
      const index = place % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ difference
      expect(readJournal(bytes).kind).toBe('unreadable')
    },
  )

  test.prop([fc.uint8Array()])('any bytes are read or refused', (bytes) => {
    expect(readJournal(Buffer.from(bytes)).kind).toBe('unreadable')
  })

  it('one of another version is refused', () => {
    const text = journalOf({ id: randomUUID(), root: '/x', folders: [], files: [] }).toString()
    expect(text).toContain('"version":1')
    const later = text.slice(text.indexOf('\n') + 1).replace('"version":1', '"version":2')
    const digest = createHash('sha256').update(later).digest('hex')
    expect(readJournal(Buffer.from(`${digest}\n${later}`))).toEqual({
      kind: 'unreadable',
      problem: 'it was written by another version',
    })
  })
})
