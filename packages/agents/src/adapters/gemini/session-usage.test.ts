import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonOf } from '@donecheck/engine/base'
import { RecordFile } from '../../protocol/stream/index.ts'
import { RecordedUsage } from './session-usage.ts'

const recorded = readFileSync(join(import.meta.dirname, 'fixtures', 'session-record.jsonl'))
const entries = recorded.toString().split('\n').map(jsonOf)
const everything = { inputTokens: 3000, outputTokens: 150, cachedInputTokens: 300, estimated: false }

describe('given a recorded session', () => {
  it('counts every reply once, however often it stands there', () => {
    const usage = new RecordedUsage('2026-01-01T00:00:00.000Z')
    usage.add(entries)
    usage.add(entries)
    expect(usage.total()).toEqual(everything)
  })

  it('counts the same in whatever pieces it comes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'donecheck-session-'))
    let files = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(recorded.length), { maxLength: 6 }), async (cuts) => {
        const file = join(folder, String((files += 1)))
        const [record, usage] = [new RecordFile(file), new RecordedUsage('2026-01-01T00:00:00.000Z')]
        const places = [0, ...cuts.toSorted((one, other) => one - other), recorded.length]
        for (const [index, place] of places.entries()) {
          appendFileSync(file, recorded.subarray(place, places[index + 1] ?? place))
          usage.add(await record.news())
        }
        expect(usage.total()).toEqual(everything)
      }),
    )
    rmSync(folder, { recursive: true })
  })

  it('leaves earlier turns out', () => {
    const usage = new RecordedUsage('2100-01-01T00:00:00.000Z')
    usage.add(entries)
    expect(usage.total()).toBeUndefined()
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
    const usage = new RecordedUsage('2026')
    usage.add([jsonOf(line)])
    expect(usage.total()).toBeUndefined()
  })
})
