import { describe, expect, it } from 'vitest'
import { expectRows } from './expect-rows.ts'
import { geminiAsShipped, geminiFirstHit } from './gemini-cli.ts'
import { firstAlarms, named, rounds } from './script.ts'

const stops = (count: number) => ({ stop: count })

describe('given gemini-cli that ends at its first hit', () => {
  expectRows(geminiFirstHit, {
    'A A A': stops(5),
    'same call, same error': stops(5),
    'A B A B': stops(10),
    'A B C': stops(15),
    'period 4': stops(20),
    'period 5': stops(25),
    'reworded thought, same call': stops(5),
    'chanting text': stops(1),
    // where it is wrong
    'a poll whose output changes': stops(5),
    'a quiet job': stops(5),
    'a batch of equal calls': stops(5),
    'a list with dashes': stops(1),
  })
})

describe('given gemini-cli as it is shipped', () => {
  const warnsThenStops = (count: number) => ({ warn: count, stop: 2 * count })
  expectRows(geminiAsShipped, {
    'A A A': warnsThenStops(5),
    'same call, same error': warnsThenStops(5),
    'A B A B': warnsThenStops(10),
    'A B C': warnsThenStops(15),
    'period 4': warnsThenStops(20),
    'period 5': warnsThenStops(25),
    'reworded thought, same call': warnsThenStops(5),
    'chanting text': warnsThenStops(1),
    'a poll whose output changes': warnsThenStops(5),
    'a quiet job': { warn: 5 },
    'a batch of equal calls': { warn: 5 },
    'a list with dashes': { warn: 1 },
  })

  it('counts its detections anew at each prompt', () => {
    const half = [...rounds(5, [named('a')]), { message: 'go on' }]
    expect(firstAlarms(geminiAsShipped, rounds(4, half))).toEqual({ warn: 5 })
  })
})

describe('given the edges of the calls that gemini-cli keeps', () => {
  const period = ['a', 'b', 'c', 'd', 'e'].map(named)

  it('needs the whole fifth round', () => {
    expect(firstAlarms(geminiFirstHit, rounds(5, period).slice(0, 24))).toEqual({})
    expect(firstAlarms(geminiFirstHit, rounds(5, period))).toEqual({ stop: 25 })
  })

  it('does not care what stood before', () => {
    const before = ['x', 'y', 'z'].map(named)
    expect(firstAlarms(geminiFirstHit, [...before, ...rounds(5, [named('a')])])).toEqual({ stop: 8 })
  })

  it('forgets the calls before a prompt', () => {
    const script = [...rounds(4, [named('a')]), { message: 'again' }, ...rounds(4, [named('a')])]
    expect(firstAlarms(geminiFirstHit, script)).toEqual({})
  })
})

describe('given text that repeats itself', () => {
  const chant = 'I will look at the file again. '

  it('forgets it when a tool is called', () => {
    const reply = { reply: chant.repeat(8) }
    expect(firstAlarms(geminiFirstHit, [reply, reply])).toEqual({ stop: 2 })
    expect(firstAlarms(geminiFirstHit, [reply, named('a'), reply])).toEqual({})
  })

  it.each([
    ['code', `\`\`\`\n${chant.repeat(40)}\n\`\`\``],
    ['a table', '| step | look at the file again and again and again |\n'.repeat(40)],
    ['numbers', '1234567890'.repeat(60)],
    ['capitals, which the shipped range takes for a divider', 'SELECT'.repeat(100)],
  ])('lets %s pass', (_, text) => {
    expect(firstAlarms(geminiFirstHit, [{ reply: text }])).toEqual({})
  })
})
