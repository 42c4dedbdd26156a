import { describe, expect, it } from 'vitest'
import { labels, type Vocabulary } from './find-reason.ts'
import { labelRows, wordRows } from './fixtures/table-rows.ts'

function vocabularyOf(system: string, field: string): Vocabulary {
  const { vocabularies = [] } = labels.systems.find(({ id }) => id === system) ?? {}
  const found = vocabularies.find((vocabulary) => vocabulary.field === field)
  if (found === undefined) throw new TypeError(`${system} has no ${field}`)
  return found
}

describe('given a table for readers', () => {
  it('then detectors are told apart only where the system does', () => {
    const detectors = wordRows(vocabularyOf('openclaw', 'detector of tool.loop')).map(({ from }) => from)
    expect(detectors).toContain('loop_detected ping_pong')
    expect(wordRows(vocabularyOf('hermes', 'turn_exit_reason')).map(({ from }) => from)).toContain(
      'loop_detected',
    )
  })

  it('then every word of theirs is a row, with our label or why it has none', () => {
    const rows = labelRows(vocabularyOf('gemini-cli', 'exit code'))
    expect(rows).toHaveLength(10)
    expect(rows).toContainEqual({ from: '53', to: 'hard_cap iterations' })
    expect(rows).toContainEqual({ from: '42', to: null, note: 'wrong input: there was no run' })
    expect(labelRows(vocabularyOf('openclaw', 'detector of tool.loop'))).toContainEqual({
      from: 'ping_pong',
      to: 'loop_detected ping_pong',
    })
  })
})
