import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter, type JsonLine } from './json-lines.ts'

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
})

describe('given what is no JSON', () => {
  it('tells the beginning of it, and reads on', () => {
    expect(linesOf([Buffer.from('Error: no such thing\n{"a":1}\n')])).toEqual([
      { kind: 'noise', text: 'Error: no such thing' },
      { kind: 'value', value: { a: 1 } },
    ])
  })

  it('takes a line of exactly the longest length', () => {
    expect(linesOf([Buffer.from(`"${'x'.repeat(8)}"\n`)], 10)).toEqual([{ kind: 'value', value: 'xxxxxxxx' }])
    expect(linesOf([Buffer.from(`"${'x'.repeat(9)}"\n`)], 10)).toMatchObject([{ kind: 'noise' }])
  })
})
