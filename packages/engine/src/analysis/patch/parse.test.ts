import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Hunk, oldLinesOf, parsePatch } from './patch-text.ts'

const valid =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'"
const everyLine = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"

function patched(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

/** @throws {Error} where the patch is invalid */
function hunksOf(text: string): readonly Hunk[] {
  const parsed = parsePatch(text)
  if (parsed.kind === 'invalid') throw new Error(parsed.message)
  return parsed.hunks
}

function messageOf(text: string): string | undefined {
  const parsed = parsePatch(text)
  return parsed.kind === 'invalid' ? parsed.message : undefined
}

function updated(...lines: readonly string[]) {
  const [hunk] = hunksOf(patched('*** Update File: a', ...lines))
  return hunk?.kind === 'update' ? hunk.chunks : []
}

describe('given the hunks of a patch', () => {
  it('reads every kind, with the lines where they stand', () => {
    const text = patched(
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Delete File: old.txt',
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      '@@ def f():',
      ' kept',
      '-gone',
      '+come',
      '*** End of File',
    )
    expect(hunksOf(text)).toEqual([
      { kind: 'add', path: 'new.txt', lines: ['one', ''], line: 2 },
      { kind: 'delete', path: 'old.txt', line: 5 },
      {
        kind: 'update',
        path: 'a.txt',
        moveTo: 'b.txt',
        line: 6,
        chunks: [
          {
            contexts: [{ text: 'def f():', line: 8 }],
            lines: [
              { kind: 'context', text: 'kept', line: 9 },
              { kind: 'removed', text: 'gone', line: 10 },
              { kind: 'added', text: 'come', line: 11 },
            ],
            isEndOfFile: true,
            line: 8,
          },
        ],
      },
    ])
  })

  it('takes an empty file, and a patch without hunks', () => {
    expect(hunksOf(patched('*** Add File: empty'))).toEqual([
      { kind: 'add', path: 'empty', lines: [], line: 2 },
    ])
    expect(hunksOf(patched())).toEqual([])
  })

  it('reads past the environment that Codex names', () => {
    expect(hunksOf(patched('*** Environment ID:box', '*** Delete File: a'))).toHaveLength(1)
  })
})

describe('given white space and control characters', () => {
  it('takes them off around the patch, its markers and its headers', () => {
    const text =
      '\u3000\n  *** Begin Patch \n\t*** Add File: a b \r\n+x\r\n   *** Delete File: c\u3000\n *** End Patch\n\n'
    expect(hunksOf(text)).toEqual([
      { kind: 'add', path: 'a b', lines: ['x'], line: 2 },
      { kind: 'delete', path: 'c', line: 4 },
    ])
  })

  it('takes an indented marker within an update for context', () => {
    const [chunk, ...others] = updated(' a', ' @@ b', ' *** Delete File: c', ' *** End of File')
    expect(others).toEqual([])
    expect(chunk && oldLinesOf(chunk)).toEqual(['a', '@@ b', '*** Delete File: c', '*** End of File'])
  })

  it('takes the last line for the end marker, indented or not', () => {
    expect(hunksOf('*** Begin Patch\n*** Update File: a\n-x\n  *** End Patch  ')).toHaveLength(1)
  })

  it('keeps leading blanks of a context, and drops those behind', () => {
    expect(updated('@@   b @@ \t', ' x')[0]?.contexts).toEqual([{ text: '  b @@', line: 3 }])
  })
})

describe('given an envelope', () => {
  it.each(['<<EOF', "<<'EOF'", '<<"EOF"'])('takes off the here-document %s', (start) => {
    expect(hunksOf(`${start}\n${patched('*** Delete File: a')}\nEOF`)).toEqual([
      { kind: 'delete', path: 'a', line: 2 },
    ])
  })

  it.each(['<< EOF', '<<-EOF', '<<END', "apply_patch <<'EOF'", '<<EOF '])('does not take off %s', (start) => {
    expect(messageOf(`${start}\n${patched('*** Delete File: a')}\nEOF`)).toContain(
      'The first line of the patch',
    )
  })

  it('takes another end marker where nothing but white space follows', () => {
    expect(hunksOf(patched('*** Delete File: a', '*** End Patch', ' \t', ''))).toHaveLength(1)
    expect(hunksOf(patched('*** Delete File: a', ' *** End Patch '))).toHaveLength(1)
    expect(messageOf(patched('*** End Patch', 'x'))).toContain('The last line of the patch')
  })
})

describe('given what is no patch', () => {
  const first = "Invalid patch: The first line of the patch must be '*** Begin Patch'"
  const last = "Invalid patch: The last line of the patch must be '*** End Patch'"
  const on = (line: number) => `Invalid patch hunk on line ${line}:`
  const update = '*** Update File: a'
  const unexpected = (line: number, text: string) =>
    `${on(line)} Unexpected line found in update hunk: '${text}'. ${everyLine}`
  const noMarker = (line: number, text: string) =>
    `${on(line)} Expected update hunk to start with a @@ context marker, got: '${text}'`
  const noHeader = (line: number, text: string) =>
    `${on(line)} '${text}' is not a valid hunk header. ${valid}`

  it.each([
    ['', last],
    [' \n ', last],
    ['*** Begin Patch', last],
    ['*** Begin Patch\nx', last],
    ['<<EOF\n*** Begin Patch\nEOF', last],
    ['x\n*** End Patch', first],
    [patched('  foo '), noHeader(2, 'foo')],
    [patched('*** Add File: a', ' +x'), noHeader(3, '+x')],
    [patched('*** Delete File: a', '*** Environment ID: b'), noHeader(3, '*** Environment ID: b')],
    [patched(update), `${on(2)} Update file hunk for path 'a' is empty`],
    [patched(update, '*** End of File'), `${on(2)} Update file hunk for path 'a' is empty`],
    [patched(update, '@@'), `${on(4)} Update hunk does not contain any lines`],
    [patched(update, '@@', '*** End of File', ' x'), `${on(4)} Update hunk does not contain any lines`],
    [patched(update, '@@', '*** Delete File: b '), unexpected(4, '*** Delete File: b')],
    [patched(update, '@@x'), unexpected(3, '@@x')],
    [patched(update, '\tx '), unexpected(3, '\tx ')],
    [patched(update, '*** Move to: b', '*** Move to: c'), unexpected(4, '*** Move to: c')],
    [patched(update, ' x', '*** Move to: b'), noMarker(4, '*** Move to: b')],
    [patched(update, ' x', '*** End of File', '*** End of File'), noMarker(5, '*** End of File')],
  ])('says of %j: %s', (text, message) => {
    expect(messageOf(text)).toBe(message)
  })
})

describe('given any input', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      '*** Begin Patch',
      '*** End Patch',
      '*** Update File: a',
      '*** Add File: b',
      '*** Delete File: c',
    ),
    fc.constantFrom(
      ...'@@ -x +x <<EOF EOF'.split(' '),
      '@@ x',
      ' x',
      '',
      ' ',
      '*** End of File',
      '*** Move to: d',
    ),
  )
  const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'))

  it('never throws, and every chunk of a patch has lines', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((middle) => patched(middle)),
        ),
        (input) => {
          const parsed = parsePatch(input)
          const hunks = parsed.kind === 'patch' ? parsed.hunks : []
          for (const hunk of hunks) {
            if (hunk.kind !== 'update') continue
            expect(hunk.chunks.length > 0 || hunk.moveTo !== undefined).toBe(true)
            for (const chunk of hunk.chunks) expect(chunk.lines.length).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})
