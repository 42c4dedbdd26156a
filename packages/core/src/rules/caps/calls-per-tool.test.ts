/** Caps of single tools: the n-th call is made, the next one is refused, and the run goes on. */
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../events/index.ts'
import { begun, given, type Step } from '../../testing/index.ts'
import {
  budgetAdded,
  modelCalled,
  modelProposed,
  runResumed,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
} from '../../testing/facts.ts'
import { callsPerToolCap } from './hard-caps.ts'

const search = (callId: string) => toolCall(callId, 'web_search', { query: callId })
const done = (callId: string, tool = 'web_search') => [toolCalled(callId, 'read', tool), toolReturned(callId)]

/** A run in which so many searches were made, one a turn. */
function searched(times: number, limit: number, caps = {}) {
  const turns = Array.from({ length: times }, (_, index): Step => {
    const callId = `s${index + 1}`
    return [modelCalled(index + 1), modelProposed(search(callId)), done(callId), turnEnded(index + 1)]
  })
  return given(begun({ caps: { maxCallsPerTool: { web_search: limit }, ...caps } }), turns)
}

describe('given a cap of 2 searches', () => {
  const batch = (...calls: readonly (string | ToolCall)[]) =>
    searched(1, 2).and(modelCalled(2), modelProposed(...calls))

  it('refuses the third, and says why to the drive', () => {
    const over = batch(search('x'), search('y')).and(done('x')).afterNotes()
    over.whenDecided().then({
      kind: 'refuse-tools',
      callIds: ['y'],
      reason: 'the cap of 2 calls of web_search is reached; go on without it',
    })
  })

  it('cuts a batch at the call that does not fit, so that answers keep their order', () => {
    const mixed = batch(search('x'), search('y'), 'edit', search('z'), 'edit2').afterNotes()
    const after = (...steps: readonly Step[]) =>
      mixed
        .and(...steps)
        .afterNotes()
        .whenDecided()
    after().then({ kind: 'run-tools', callIds: ['x'] })
    after(done('x')).then({ kind: 'refuse-tools', callIds: ['y'] })
    const edits = [done('x'), toolRefused('y', 'cap')]
    after(edits).then({ kind: 'run-tools', callIds: ['edit'] })
    after(edits, done('edit', 'write_file')).then({ kind: 'refuse-tools', callIds: ['z'] })
    after(edits, done('edit', 'write_file'), toolRefused('z', 'cap')).then({
      kind: 'run-tools',
      callIds: ['edit2'],
    })
  })

  it('does not count a call that was refused by somebody else', () => {
    batch(search('x'), search('y'))
      .and(toolRefused('x', 'gate'))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'run-tools', callIds: ['y'] })
  })
})

describe('given a cap of 5 searches', () => {
  it('says so at four fifths and at the end, each once, and never asks for an end', () => {
    const levels = [3, 4, 5].map((times) => callsPerToolCap(searched(times, 5).state)?.level)
    expect(levels).toEqual([undefined, 'note', 'warn'])
    expect(callsPerToolCap(searched(4, 5).afterNotes().state)).toBeUndefined()
    expect(callsPerToolCap(searched(5, 5).afterNotes().state)).toBeUndefined()
  })

  it('does not say it just below four fifths', () => {
    expect(callsPerToolCap(searched(8, 10).state)).toMatchObject({ level: 'note', key: 'web_search' })
    expect(callsPerToolCap(searched(7, 9).state)).toBeUndefined()
  })

  it('speaks of every tool by itself', () => {
    const both = given(
      begun({ caps: { maxCallsPerTool: { web_search: 1, write_file: 1 } } }),
      modelCalled(1),
      modelProposed(search('a'), 'b'),
      done('a'),
      done('b', 'write_file'),
    )
    const first = callsPerToolCap(both.state)
    expect(first?.key).toBe('web_search')
    if (first === undefined) throw new Error('there is a finding')
    expect(callsPerToolCap(both.and({ type: 'finding-noted', finding: first }).state)?.key).toBe('write_file')
  })

  it('takes more after a top-up, and says it again for the new bound', () => {
    const more = searched(5, 5)
      .afterNotes()
      .and(runResumed(), budgetAdded({ callsPerTool: { web_search: 1 } }))
    more
      .and(modelCalled(6), modelProposed(search('x')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'run-tools' })
    expect(callsPerToolCap(more.state)).toMatchObject({ level: 'note', numbers: { used: 5, limit: 6 } })
  })
})

describe('given a tool with the name of a property that every object has', () => {
  it('is not capped by it', () => {
    given(
      begun({ caps: { maxCallsPerTool: { web_search: 1 } } }),
      modelCalled(1),
      modelProposed(toolCall('a', 'constructor')),
    )
      .whenDecided()
      .then({ kind: 'run-tools', callIds: ['a'] })
  })
})
