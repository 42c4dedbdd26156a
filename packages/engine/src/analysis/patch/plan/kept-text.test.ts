/** What a change leaves as it is: byte order mark, encoding, line ends, final newline. */
import { describe, expect, it } from 'vitest'
import { envelope, filesOf, image, outcomeOf } from '../fixtures/memory-tree.ts'
import { encodeTextFile } from '../file-text.ts'
import { planPatch } from '../plan-patch.ts'

async function textAfter(text: string, chunk: string): Promise<string | null | undefined> {
  const outcome = outcomeOf(await planPatch(envelope(`*** Update File: a\n${chunk}`), filesOf({ a: text })))
  return typeof outcome === 'string' ? outcome : outcome['a']
}

describe('given line ends', () => {
  it.each([
    ['CRLF', '1\r\n2\r\n3\r\n', '-2\n+b\n+c', '1\r\nb\r\nc\r\n3\r\n'],
    ['CRLF, and lines with two carriage returns in the patch', '1\r\n2\r\n', '-2\r\r\n+b\r', '1\r\nb\r\n'],
    ['mixed: replaced lines give theirs', '1\n2\r\n3\n', '-1\n-2\n+a\n+b', 'a\nb\r\n3\n'],
    ['mixed: inserted ones take that of the line above', '1\n2\r\n3\n', ' 2\n+new', '1\n2\r\nnew\r\n3\n'],
    ['mixed: or below, at the top', '1\r\n2\n', '+new\n 1', 'new\r\n1\r\n2\n'],
    ['a stray carriage return', '1\r2\n3\n', ' 1\n+new\n 2', '1\rnew\n2\n3\n'],
    ['carriage returns alone', '1\r2\r', ' 1\n+new', '1\rnew\r2\r'],
    ['no end at all', '1', '+new\n 1', 'new\n1'],
  ])('keeps them: %s', async (_, text, chunk, expected) => {
    expect(await textAfter(text, chunk)).toBe(expected)
  })
})

describe('given a file without a final newline', () => {
  it.each([
    ['stays without', '1\n2\n3', '-1\n+a', 'a\n2\n3'],
    ['stays without, with its last line as context', '1\n2', '-1\n+a\n 2', 'a\n2'],
    ['stays without, with another last line', '1\n2', '-2\n+b', '1\nb'],
    ['stays without, with more lines at its end', '1\r\n2', '+b\n+c', '1\r\n2\r\nb\r\nc'],
    ['stays without, with fewer lines', '1\n2', '-2', '1'],
    ['gets one where the patch says so', '1\n2', '-2\n\\ No newline at end of file\n+b', '1\nb\n'],
    [
      'keeps to what the patch says',
      '1\n2',
      '-2\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
      '1\nb',
    ],
  ])('%s', async (_, text, chunk, expected) => {
    expect(await textAfter(text, chunk)).toBe(expected)
  })

  it('may be made by the patch, and only at its end', async () => {
    expect(await textAfter('1\n2\n', '-2\n+b\n\\ No newline at end of file')).toBe('1\nb')
    expect(await textAfter('1\n2\n', '-1\n+b\n\\ No newline at end of file')).toContain('must be the last')
  })

  it('is not claimed of one that has it', async () => {
    expect(await textAfter('1\n2\n', '-2\n\\ No newline at end of file\n+b')).toContain(
      'the patch says that it has none',
    )
  })
})

describe('given encodings', () => {
  const patch = envelope('*** Update File: a\n-one\n+two')
  const after = async (bytes: Uint8Array, text = patch) => {
    const plan = await planPatch(text, filesOf({ a: image(bytes) }))
    return plan.kind === 'planned' ? plan.changes[0]?.after?.bytes : plan.problems
  }

  it('keeps a byte order mark', async () => {
    const format = { encoding: 'utf-8', hasByteOrderMark: true } as const
    expect(await after(encodeTextFile('one\né\n', format))).toEqual(encodeTextFile('two\né\n', format))
  })

  it('keeps the bytes of an unknown encoding, and puts ASCII alone into it', async () => {
    const [one, rest] = [
      [0x6f, 0x6e, 0x65],
      [0x0a, 0xe9, 0x80, 0x0a],
    ]
    expect(await after(Uint8Array.from([...one, ...rest]))).toEqual(
      Uint8Array.from([0x74, 0x77, 0x6f, ...rest]),
    )
    const accented = envelope('*** Update File: a\n-one\n+é')
    expect(await after(Uint8Array.from([...one, ...rest]), accented)).toMatchObject([{ kind: 'not-text' }])
  })

  it('refuses UTF-16', async () => {
    expect(await after(Uint8Array.of(0xff, 0xfe, 0x61, 0x62))).toMatchObject([{ kind: 'not-text' }])
  })
})
