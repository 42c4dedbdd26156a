import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectRows } from './expect-rows.ts'
import { openHands } from './openhands.ts'
import { firstAlarms, named, rounds, type ScriptedStep } from './script.ts'

describe('given OpenHands', () => {
  expectRows(openHands, {
    'A A A': { stop: 4 },
    'same call, same error': { warn: 3, stop: 4 },
    'A B A B': { stop: 6 },
    'argument key order shuffled': { stop: 4 },
    'chanting text': { stop: 3 },
    // where it is wrong
    'a quiet job': { stop: 4 },
    'a batch of equal calls': { stop: 4 },
    'three messages in a row': { stop: 3 },
    'a provider that is down for a while': { warn: 3 },
  })
})

describe('given the four rules', () => {
  const error = (result: string): ScriptedStep => ({ tool: 'deploy', result, isError: true })

  it('S1 wants the same result each time', () => {
    const results = ['x', 'x', 'x', 'y', 'x', 'x', 'x']
    expect(
      firstAlarms(
        openHands,
        results.map((result) => ({ result })),
      ),
    ).toEqual({})
  })

  it('S1 takes a result that is not known for a different one', () => {
    expect(firstAlarms(openHands, rounds(8, [{ result: null }]))).toEqual({})
  })

  it('S2 counts errors of the same call whatever they say', () => {
    expect(firstAlarms(openHands, ['a', 'b', 'c', 'd'].map(error))).toEqual({ warn: 3, stop: 4 })
  })

  it('S2 ends at a success, and a new streak is nudged again', () => {
    const script = [
      ...rounds(3, [error('no')]),
      { tool: 'deploy', result: 'yes' },
      ...rounds(3, [error('no')]),
    ]
    expect(firstAlarms(openHands, script)).toEqual({ warn: 3 })
  })

  it('S2 does not take a failing command for an error of the agent', () => {
    const results = ['a', 'b', 'c', 'd', 'e']
    const script = results.map((result) => ({ tool: 'bash', result, isError: true }))
    expect(firstAlarms(openHands, script)).toEqual({})
  })

  it('S3 is broken by a call', () => {
    const script = [{ reply: 'one' }, { reply: 'two' }, named('a'), { reply: 'three' }]
    expect(firstAlarms(openHands, script)).toEqual({})
  })

  it('S4 wants both results to stay as they are', () => {
    const script = rounds(6, [named('a')]).flatMap((call, at) => [
      call,
      { tool: 'count', result: String(at) },
    ])
    expect(firstAlarms(openHands, script)).toEqual({})
  })
})

describe('given the window', () => {
  it('is cut at a message to the agent', () => {
    const script = [...rounds(3, [named('a')]), { message: 'go on' }, ...rounds(3, [named('a')])]
    expect(firstAlarms(openHands, script)).toEqual({})
  })

  it('looks past calls only as far as 20 events reach: four equal calls must follow each other', () => {
    const calls = fc.array(fc.constantFrom('a', 'b', 'c').map(named), { maxLength: 40 })
    fc.assert(
      fc.property(calls, (script) => {
        const tools = script.map(({ tool }) => tool)
        const isEqual = (at: number) => tools.slice(at - 4, at).every((tool) => tool === tools[at - 1])
        const isAlternating = (at: number) =>
          tools.slice(at - 6, at).every((tool, place) => tool === tools[at - 6 + (place % 2)])
        const counts = script.map((_, at) => at + 1)
        const first = counts.find((at) => (at >= 4 && isEqual(at)) || (at >= 6 && isAlternating(at)))
        expect(firstAlarms(openHands, script)).toEqual(first === undefined ? {} : { stop: first })
      }),
    )
  })
})
