import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lookAtUpdates } from './turn.ts'
import type { FileUpdate } from './items.ts'

let root = ''
let folder = ''

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-changes-')))
  folder = join(root, 'work')
  await mkdir(folder)
  await writeFile(join(folder, 'src.txt'), 'one\ntwo\nthree\n')
})

afterEach(() => rm(root, { recursive: true, force: true }))

function update(changes: Partial<FileUpdate>): FileUpdate {
  return { path: join(folder, 'src.txt'), kind: 'update', movedTo: undefined, diff: '', ...changes }
}

const diff = '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n'
const before = 'one\ntwo\nthree\n'
const after = 'one\nzwei\nthree\n'

describe('given changes within the work folder', () => {
  it.each([
    ['an update', () => update({ diff }), [{ path: 'src.txt', before, after }]],
    [
      'a new file',
      () => update({ kind: 'add', path: join(folder, 'a/new.txt'), diff: 'x\n' }),
      [{ path: 'a/new.txt', before: null, after: 'x\n' }],
    ],
    [
      'a new file over another',
      () => update({ kind: 'add', diff: 'x\n' }),
      [{ path: 'src.txt', before, after: 'x\n' }],
    ],
    ['a file that goes', () => update({ kind: 'delete' }), [{ path: 'src.txt', before, after: null }]],
    [
      'a rename, as Codex tells of it',
      () =>
        update({ movedTo: join(folder, 'dst.txt'), diff: `${diff}\n\nMoved to: ${join(folder, 'dst.txt')}` }),
      [
        { path: 'src.txt', before, after: null },
        { path: 'dst.txt', before: null, after },
      ],
    ],
    [
      'a diff that does not fit',
      () => update({ diff: '@@ -1,1 +1,1 @@\n-other\n+x\n' }),
      [{ path: 'src.txt', before, after: undefined }],
    ],
    ['no diff at all', () => update({ diff: 'nonsense' }), [{ path: 'src.txt', before }]],
  ])('shows the gate what becomes of %s', async (_, make, files) => {
    expect(await lookAtUpdates(folder, [make()])).toMatchObject({ kind: 'inside', files })
  })
})

describe('given changes that reach out of it', () => {
  it('tells them, also behind a link and as the place of a rename', async () => {
    await symlink(root, join(folder, 'link'))
    const outside = [
      update({ path: join(root, 'out.txt') }),
      update({ path: join(folder, 'link/out.txt') }),
      update({ movedTo: join(folder, '../out.txt') }),
    ]
    for (const one of outside)
      expect(await lookAtUpdates(folder, [update({ diff }), one])).toMatchObject({ kind: 'outside' })
  })
})
