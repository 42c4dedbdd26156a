import { describe, expect, it } from 'vitest'
import { expectRows } from './expect-rows.ts'
import { qwenAll, qwenDefault } from './qwen-code.ts'
import { firstAlarms, named, rounds, type ScriptedCall } from './script.ts'

const stops = (count: number) => ({ stop: count })

describe('given qwen-code as it comes', () => {
  expectRows(qwenDefault, {
    'A A A': stops(5),
    'same call, same error': stops(5),
    'reworded thought, same call': stops(5),
    'argument key order shuffled': stops(5),
    // where it is wrong
    'a poll whose output changes': stops(5),
    'a quiet job': stops(5),
    'a batch of equal calls': stops(5),
  })
})

describe('given qwen-code with all its heuristics', () => {
  expectRows(qwenAll, {
    'A A A': stops(5),
    'same call, same error': stops(5),
    'A B A B': stops(6),
    'A B C': stops(16),
    'period 4': stops(21),
    'period 5': stops(26),
    'period 6': stops(31),
    'one unique call between repeats': stops(11),
    'shell, jittered arguments, same failure': stops(8),
    'other tool, jittered arguments, same error': stops(8),
    'reworded thought, same call': stops(5),
    'argument key order shuffled': stops(5),
    'chanting text': stops(1),
    // where it is wrong
    'a poll whose output changes': stops(5),
    'a quiet job': stops(5),
    'edit and test, edits differ': stops(12),
    'a batch of equal calls': stops(5),
  })
})

describe('given the heuristics one by one', () => {
  const distinct = (count: number, tool: (at: number) => string): ScriptedCall[] =>
    Array.from({ length: count }, (_, at) => ({ tool: tool(at), args: { at } }))

  it('a thought that comes three times', () => {
    const thought = { text: 'I should look at the tests.' }
    const script = [{ ...named('a'), ...thought }, named('b'), { ...named('c'), ...thought }, named('d')]
    expect(firstAlarms(qwenAll, script)).toEqual({})
    expect(firstAlarms(qwenAll, [...script, { ...named('e'), ...thought }])).toEqual(stops(4))
  })

  it('a thought is forgotten after 50 others', () => {
    const others = distinct(49, (at) => `tool_${at % 7}`).map((call, at) => ({
      ...call,
      text: `thought ${at}`,
    }))
    const thought = { ...named('a'), text: 'I should look at the tests.' }
    const again = { ...named('c'), args: { at: 50 }, text: thought.text }
    const last = { ...named('d'), args: { at: 51 }, text: thought.text }
    expect(firstAlarms(qwenAll, [thought, again, ...others.slice(2), last])).toEqual(stops(49))
    expect(firstAlarms(qwenAll, [thought, again, ...others.slice(1), last])).toEqual({})
  })

  it('eight reads in fifteen calls, once something else was done', () => {
    const reads = distinct(20, (at) => (at % 2 === 0 ? 'read_file' : 'list_directory'))
    expect(firstAlarms(qwenAll, reads)).toEqual({})
    expect(firstAlarms(qwenAll, [named('a'), ...reads])).toEqual(stops(9))
  })

  it('seven reads in any fifteen calls are let through', () => {
    const script = distinct(60, (at) => (at % 15 < 7 ? `read_${at % 2}` : `tool_${at % 3}`))
    expect(firstAlarms(qwenAll, script)).toEqual({})
  })

  it('eight looks at git with nothing but reads between', () => {
    const look = (at: number): ScriptedCall => ({ tool: 'bash', args: { command: `git log -${at}` } })
    const looks = Array.from({ length: 8 }, (_, at) => look(at)).flatMap((call, at) =>
      at % 4 === 3 ? [call, { tool: 'read_file', args: { at } }] : [call],
    )
    expect(firstAlarms(qwenAll, looks)).toEqual(stops(9))
    expect(firstAlarms(qwenAll, [...looks.slice(0, 5), named('a'), ...looks.slice(5)])).toEqual({})
  })

  it('text that chants, but not across a list or code', () => {
    const prose = 'I will look at the file again and then say so.\n'.repeat(6)
    expect(firstAlarms(qwenAll, [{ reply: prose + prose }])).toEqual(stops(1))
    expect(firstAlarms(qwenAll, [{ reply: `${prose}- one thing\n${prose}` }])).toEqual({})
    expect(firstAlarms(qwenAll, [{ reply: `\`\`\`\n${prose + prose}\`\`\`` }])).toEqual({})
  })

  it('a thousand calls', () => {
    const script = distinct(1000, (at) => `tool_${at % 3}`)
    expect(firstAlarms(qwenAll, script.slice(0, 999))).toEqual({})
    expect(firstAlarms(qwenAll, script)).toEqual(stops(1000))
  })

  it('begins anew with each turn', () => {
    const script = rounds(9, [...rounds(4, [named('a')]), { message: 'go on' }])
    expect(firstAlarms(qwenAll, script)).toEqual({})
  })
})
