import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter, type JsonLine } from './json-line.ts'

function linesOf(chunks: readonly Buffer[], longest?: number): readonly JsonLine[] {
  const splitter = new LineSplitter(longest)
  return [...chunks.flatMap((chunk) => [...splitter.add(chunk)]), ...splitter.end()]
}

function chunked(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...chunks, bytes.subarray(at)]
}

describe('given lines of JSON in any pieces', () => {
  it('reads each as what was written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.integer({ min: 0, max: 20 })), (values, sizes) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
        const expected = values.map((value) => ({
          kind: 'value',
          value: JSON.parse(JSON.stringify(value)) as unknown,
        }))
        expect(linesOf(chunked(bytes, sizes))).toEqual(expected)
      }),
    )
  })

  it('takes a last line that no line break ends, and windows line breaks', () => {
    expect(linesOf([Buffer.from('1\r\n2\n\n  \n3')])).toEqual(
      [1, 2, 3].map((value) => ({ kind: 'value', value })),
    )
  })
})

describe('given what is no JSON', () => {
  it('tells the beginning of it, and reads on', () => {
    expect(linesOf([Buffer.from('Error: no such thing\n{"a":1}\n')])).toEqual([
      { kind: 'noise', text: 'Error: no such thing' },
      { kind: 'value', value: { a: 1 } },
    ])
  })

  it('keeps no more of a line than a line may have', () => {
    const flood = [
      ...Array.from({ length: 50 }, () => Buffer.from('x'.repeat(40))),
      Buffer.from('\n"next"\n'),
    ]
    expect(linesOf(flood, 1000)).toEqual([
      { kind: 'noise', text: 'x'.repeat(200) },
      { kind: 'value', value: 'next' },
    ])
  })

  it('takes a line of exactly the longest length', () => {
    expect(linesOf([Buffer.from(`"${'x'.repeat(8)}"\n`)], 10)).toEqual([{ kind: 'value', value: 'xxxxxxxx' }])
    expect(linesOf([Buffer.from(`"${'x'.repeat(9)}"\n`)], 10)).toMatchObject([{ kind: 'noise' }])
  })
})
