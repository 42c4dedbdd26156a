import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonOf } from '@donecheck/engine/base'
import { RecordedUsage } from './drive.ts'

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
