import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { envelope, filesOf } from '../fixtures/memory-tree.ts'
import { planPatch } from '../plan-patch.ts'
import { relativePathOf } from '../file-text.ts'

describe('given a path as a patch writes it', () => {
  it.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['a//b/./c', 'a/b/c'],
    ['~/a', '~/a'],
    ['..a/b..', '..a/b..'],
    ['a b', 'a b'],
  ])('%j is %j', (written, path) => {
    expect(relativePathOf(written)).toEqual({ kind: 'relative', path })
  })

  it.each([
    '',
    '.',
    '/',
    '/a',
    '..',
    'a/..',
    '../a',
    'a/../b',
    'a/',
    'a/.',
    './',
    'a\\b',
    '..\\a',
    'C:a',
    'c:/a',
    'a\0b',
    'a\x7f',
  ])('%j is refused, with the path in the reason', (written) => {
    const relative = relativePathOf(written)
    expect(relative.kind).toBe('bad')
    if (relative.kind === 'bad') expect(relative.reason).toContain(JSON.stringify(written))
  })

  it('never leaves the root, whatever it is', async () => {
    const part = fc.constantFrom('..', '.', '', 'a', '~', 'C:', '\\', '\0', 'é', '...', '. .')
    const path = fc.oneof(
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('/')),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('Add', 'Update', 'Delete', 'Move'), async (written, verb) => {
        const header =
          verb === 'Move' ? `*** Update File: a\n*** Move to: ${written}` : `*** ${verb} File: ${written}`
        const plan = await planPatch(envelope(header), filesOf({ a: 'x' }))
        const paths = plan.kind === 'planned' ? plan.changes.map(({ path: changed }) => changed) : []
        for (const changed of paths) {
          expect(changed).not.toMatch(/^\/|^[a-z]:|[\\\0]/i)
          expect(changed.split('/')).not.toContain('..')
        }
      }),
    )
  })
})
