import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SessionRecord } from './translate-session.ts'

const recorded = readFileSync(join(import.meta.dirname, 'fixtures', 'session-record.jsonl'))
const everything = { inputTokens: 3000, outputTokens: 150, cachedInputTokens: 300, estimated: false }

describe('given a recorded session', () => {
  it('counts every reply once, however often it stands there', () => {
    const record = new SessionRecord('2026-01-01T00:00:00.000Z')
    record.add(recorded)
    expect(record.usage()).toEqual(everything)
  })

  it('counts the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(recorded.length), { maxLength: 6 }), (cuts) => {
        const record = new SessionRecord('2026-01-01T00:00:00.000Z')
        const places = [0, ...cuts.toSorted((one, other) => one - other), recorded.length]
        for (const [index, place] of places.entries())
          record.add(recorded.subarray(place, places[index + 1] ?? place))
        expect(record.usage()).toEqual(everything)
      }),
    )
  })

  it('leaves earlier turns out', () => {
    const record = new SessionRecord('2100-01-01T00:00:00.000Z')
    record.add(recorded)
    expect(record.usage()).toBeUndefined()
  })
})

describe('given a forged record', () => {
  it.each([
    '',
    '{}',
    'null',
    'noise',
    '{"type":"gemini","id":"a","timestamp":"9","tokens":{"input":-5,"output":-5}}',
  ])('counts nothing for %j', (line) => {
    const record = new SessionRecord('2026')
    record.add(Buffer.from(`${line}\n`))
    expect(record.usage()).toBeUndefined()
  })
})
