import { describe, expect, it } from 'vitest'
import { expectRows } from './expect-rows.ts'
import { hermes } from './hermes.ts'
import { firstAlarms, named, rounds, type ScriptedCall } from './script.ts'

describe('given hermes with hard stops', () => {
  expectRows(hermes, {
    'A A A': { warn: 3, stop: 5 },
    'same call, same error': { warn: 2, stop: 5, refuse: 6 },
    'A B A B': { warn: 6, stop: 10 },
    'A B C': { warn: 9, stop: 15 },
    'period 4': { warn: 12, stop: 20 },
    'shell, jittered arguments, same failure': { warn: 3 },
    'other tool, jittered arguments, same error': { warn: 3, stop: 8 },
    'reworded thought, same call': { warn: 3, stop: 5 },
    'argument key order shuffled': { warn: 3, stop: 5 },
    // where it is wrong
    'a batch of equal calls': { warn: 3, stop: 5 },
    'a provider that is down for a while': { warn: 2 },
  })
})

describe('given reads that bring nothing new', () => {
  const read: ScriptedCall = { tool: 'read_file', args: { path: 'a.ts' }, result: 'text' }
  const cycle = [read, ...['a', 'b', 'c', 'd', 'e', 'f'].map(named)]

  it.each([5, 6, 7])('refuses the sixth in a cycle of %i', (period) => {
    expect(firstAlarms(hermes, rounds(8, cycle.slice(0, period)))).toEqual({
      warn: period + 1,
      refuse: 5 * period + 1,
    })
  })

  it('counts from the last text that differed', () => {
    const texts = ['1', '2', '3', '4', '5', '6', '7'].map((result) => ({ ...read, result }))
    expect(firstAlarms(hermes, texts)).toEqual({})
  })

  it('counts from the last mutation', () => {
    const edit: ScriptedCall = { tool: 'edit_file', args: { path: 'a.ts' }, result: 'edited' }
    const script = Array.from({ length: 12 }, (_, at) => [read, { ...edit, result: `edit ${at}` }]).flat()
    expect(firstAlarms(hermes, script)).toEqual({})
  })
})

describe('given failures', () => {
  const failing = (at: number): ScriptedCall => ({ tool: 'deploy', result: `denied ${at}`, isError: true })

  it('refuses the call that failed five times, though with another text each time', () => {
    const script = Array.from({ length: 6 }, (_, at) => failing(at))
    expect(firstAlarms(hermes, script.slice(0, 5))).toEqual({ warn: 2 })
    expect(firstAlarms(hermes, script)).toEqual({ warn: 2, refuse: 6 })
  })

  it('takes a mutation between for progress', () => {
    const edit: ScriptedCall = { tool: 'edit_file', result: 'edited' }
    const script = Array.from({ length: 30 }, (_, at) => [failing(at), { ...edit, args: { at } }]).flat()
    expect(firstAlarms(hermes, script)).toEqual({})
  })

  it('takes a result that begins like an error for a failure where the source does not say', () => {
    const script = Array.from({ length: 8 }, (_, at) => ({
      tool: 'deploy',
      args: { at },
      result: `Error: no ${at}`,
      isError: null,
    }))
    expect(firstAlarms(hermes, script)).toEqual({ warn: 3, stop: 8 })
  })
})

describe('given the rest of its table', () => {
  it('refuses the search after fifty', () => {
    const searches = Array.from({ length: 51 }, (_, at) => ({ tool: 'web_search', args: { at } }))
    expect(firstAlarms(hermes, searches)).toEqual({ refuse: 51 })
    expect(
      firstAlarms(hermes, [...searches.slice(0, 50), { message: 'go on' }, ...searches.slice(0, 50)]),
    ).toEqual({})
  })

  it('counts no round of unknown results', () => {
    expect(firstAlarms(hermes, rounds(20, [{ result: null }]))).toEqual({})
  })

  it('begins anew with each turn', () => {
    expect(firstAlarms(hermes, rounds(9, [named('a'), named('a'), { message: 'go on' }]))).toEqual({})
  })
})
