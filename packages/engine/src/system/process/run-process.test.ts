import { describe, expect, it } from 'vitest'
import { ProcessOutput } from './run-process.ts'

const bounds = { headBytes: 100, tailBytes: 100, keepBytes: 0 }
const euro = Buffer.from('€')

describe('given two streams that interrupt each other inside a character', () => {
  it('keeps the characters whole', () => {
    const output = new ProcessOutput(bounds)
    output.add('stdout', euro.subarray(0, 1))
    output.add('stderr', Buffer.from('warning '))
    output.add('stdout', euro.subarray(1))
    expect(output.end().output.head).toBe('warning €')
  })
})

describe('given bytes that are no text', () => {
  it.each([
    ['a character cut by two reads', [euro.subarray(0, 2), euro.subarray(2)], true],
    ['a byte that begins nothing', [Buffer.from([0x61, 0xff])], false],
    ['a character that is never finished', [euro.subarray(0, 2)], false],
  ] as const)('tells text from other bytes: %s', (_, reads, isText) => {
    const output = new ProcessOutput(bounds)
    for (const bytes of reads) output.add('stdout', bytes)
    expect(output.end().stdoutIsUtf8).toBe(isText)
  })
})

describe('given a listener', () => {
  it('hears whole characters, with the name of the stream', () => {
    const heard: string[] = []
    const output = new ProcessOutput(bounds, (piece, stream) => heard.push(`${stream}: ${piece}`))
    output.add('stdout', Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)]))
    output.add('stdout', euro.subarray(2))
    output.add('stderr', Buffer.from('b'))
    output.end()
    expect(heard).toEqual(['stdout: a', 'stdout: €', 'stderr: b'])
  })

  it('goes on collecting when the listener throws', () => {
    const output = new ProcessOutput(bounds, () => {
      throw new Error('no ears')
    })
    output.add('stdout', Buffer.from('text'))
    expect(output.end().output.head).toBe('text')
  })
})

describe('given that the whole is to be kept', () => {
  it('keeps it', () => {
    const output = new ProcessOutput({ headBytes: 1, tailBytes: 1, keepBytes: 10 })
    output.add('stdout', Buffer.from('0123456789'))
    expect(output.end().whole).toBe('0123456789')
  })

  it('keeps its ends and says so when it is too long', () => {
    const output = new ProcessOutput({ headBytes: 1, tailBytes: 1, keepBytes: 5 })
    output.add('stdout', Buffer.from('0123456789'))
    expect(output.end().whole).toBe('012\n[... 5 bytes left out ...]\n89')
  })
})
