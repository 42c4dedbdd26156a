import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'
import { argumentWords, EventFilter, eventWords } from './event-words.ts'

describe('given an event of every kind', () => {
  it('is told in one line of bounded length', () => {
    for (const event of sampleRun()) {
      const { text } = eventWords(event)
      expect(text).not.toMatch(/\n/)
      expect(text.length).toBeLessThanOrEqual(300)
    }
  })
})

describe('given the arguments of a call', () => {
  it('is told by its values', () => {
    expect(argumentWords({ path: 'a.ts', lines: [1, 2] })).toBe('a.ts [1,2]')
    expect(argumentWords('raw')).toBe('raw')
    expect(argumentWords([1, 'two'])).toBe('[1,"two"]')
  })
})

describe('given a filter over a growing list', () => {
  it('finds by type and by words, each event once', () => {
    const events = [...sampleTurns(3)]
    const filter = new EventFilter('REPLY 2')
    expect(filter.in(events.slice(0, 4))).toEqual([])
    expect(filter.in(events)).toEqual([5])
    expect(new EventFilter('model-replied').in(events)).toHaveLength(3)
    expect(new EventFilter('').in(events)).toBe('all')
  })
})
