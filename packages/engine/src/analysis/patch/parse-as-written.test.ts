import { describe, expect, it } from 'vitest'
import { parsePatch } from './patch-text.ts'

function parsed(...lines: readonly string[]) {
  return parsePatch(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'))
}

/** Of the first hunk, without line numbers. */
function chunksOf(...lines: readonly string[]) {
  const patch = parsed('*** Update File: a', ...lines)
  const hunk = patch.kind === 'patch' ? patch.hunks[0] : undefined
  return hunk?.kind !== 'update'
    ? patch
    : hunk.chunks.map(({ contexts, lines }) => [
        contexts.map(({ text }) => text),
        lines.map(({ text }) => text),
      ])
}

describe('given what models write', () => {
  it('stacks contexts', () => {
    expect(chunksOf('@@ class A', '@@ def f', '-x')).toEqual([[['class A', 'def f'], ['x']]])
    expect(chunksOf('@@ class A', '@@', '-x', '@@ class B', '-y')).toEqual([
      [['class A'], ['x']],
      [['class B'], ['y']],
    ])
  })

  it('takes the ranges of a unified diff for no context', () => {
    expect(chunksOf('@@ -1,2 +3 @@', '-x')).toEqual([[[], ['x']]])
    expect(chunksOf('@@ -1 +1,4 @@ def f', '-x')).toEqual([[['def f'], ['x']]])
  })

  it('renames without chunks', () => {
    expect(parsed('*** Update File: a', '*** Move to: b')).toEqual({
      kind: 'patch',
      hunks: [{ kind: 'update', path: 'a', moveTo: 'b', chunks: [], line: 2 }],
    })
    expect(parsed('*** Update File: a')).toMatchObject({ kind: 'invalid' })
  })

  it('skips blank lines between hunks', () => {
    const patch = parsed('', '*** Add File: a', '+x', '', '*** Delete File: b', ' ')
    expect(patch).toMatchObject({ kind: 'patch', hunks: [{ lines: ['x'] }, { path: 'b' }] })
  })

  it('ignores that a line has no newline', () => {
    const mark = '\\ No newline at end of file'
    expect(parsed('*** Add File: a', '+x', mark)).toMatchObject({ hunks: [{ lines: ['x'] }] })
    expect(parsed('*** Add File: a', mark)).toMatchObject({ kind: 'invalid' })
    expect(parsed('*** Update File: a', '-x', mark, '+y')).toMatchObject({
      hunks: [{ chunks: [{ lines: [{ kind: 'removed' }, { kind: 'added' }] }] }],
    })
    expect(parsed('*** Update File: a', mark)).toMatchObject({ kind: 'invalid' })
  })

  it('still wants lines in a chunk', () => {
    expect(chunksOf('@@ class A', '@@ def f')).toMatchObject({ kind: 'invalid' })
    expect(chunksOf('@@ a', '*** End of File')).toMatchObject({ kind: 'invalid' })
  })
})
