import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesOf, image, outcomeOf, type Tree } from '../fixtures/memory-tree.ts'
import { type ExactEdit, planExactEdits } from '../plan-patch.ts'

function plan(tree: Tree, ...edits: readonly ExactEdit[]) {
  return planExactEdits(edits, filesOf(tree))
}

describe('given exact edits', () => {
  it('plans all of them, each on what the ones before have made', async () => {
    const planned = await plan(
      { a: 'one two', b: 'x' },
      { path: 'a', oldText: 'one', newText: 'three' },
      { path: './a', oldText: 'three t', newText: 't' },
      { path: 'b', oldText: 'x', newText: '' },
    )
    expect(outcomeOf(planned)).toEqual({ a: 'two', b: '' })
  })

  it('plans none where one is wrong, and tells all that are', async () => {
    const refused = await plan(
      { a: 'one\none\n', b: 'x', c: image(Uint8Array.of(0xff, 0)) },
      { path: 'a', oldText: 'one', newText: 'two' },
      { path: 'b', oldText: 'x', newText: 'y' },
      { path: 'b', oldText: 'z', newText: 'q' },
      { path: 'c', oldText: 'z', newText: 'y' },
      { path: 'd', oldText: 'z', newText: 'y' },
      { path: '../e', oldText: 'z', newText: 'y' },
      { path: 'f', oldText: '', newText: 'y' },
    )
    expect(refused).toMatchObject({
      kind: 'refused',
      problems: [
        { kind: 'ambiguous', places: [1, 2], path: 'a' },
        { kind: 'not-found', path: 'b' },
        { kind: 'not-text', path: 'c' },
        { kind: 'missing-file', path: 'd' },
        { kind: 'bad-path' },
        { kind: 'missing-file', path: 'f' },
      ],
    })
  })

  it('replaces all places where it is told to', async () => {
    const planned = await plan({ a: 'x x x' }, { path: 'a', oldText: 'x', newText: 'yy', replaceAll: true })
    expect(outcomeOf(planned)).toEqual({ a: 'yy yy yy' })
  })

  it.each([
    ['', 'x'],
    ['x', 'x'],
  ])('refuses %j for %j', async (oldText, newText) => {
    expect(await plan({ a: 'x' }, { path: 'a', oldText, newText })).toMatchObject({
      problems: [{ kind: 'malformed' }],
    })
  })

  it('refuses no edits', async () => {
    expect(await plan({})).toMatchObject({ kind: 'refused' })
  })

  it('takes line feeds for the line ends of the file', async () => {
    const planned = await plan(
      { a: '1\r\n2\r\n3\r\n' },
      { path: 'a', oldText: '1\n2\n', newText: 'a\nb\nc\n' },
    )
    expect(outcomeOf(planned)).toEqual({ a: 'a\r\nb\r\nc\r\n3\r\n' })
  })

  it('refuses a result that would be too large', async () => {
    const many = { path: 'a', oldText: 'x', newText: 'y'.repeat(10_000), replaceAll: true }
    expect(await plan({ a: 'x'.repeat(10_000) }, many)).toMatchObject({
      problems: [{ kind: 'refused-file' }],
    })
  })

  it('does what the language does, for any texts', async () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$'), maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(short, short, short, async (text, oldText, newText) => {
        const planned = await plan({ a: text }, { path: 'a', oldText, newText, replaceAll: true })
        if (planned.kind !== 'planned') return
        expect(outcomeOf(planned)).toEqual({ a: text.split(oldText).join(newText) })
      }),
    )
  })
})
