import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { confinedFiles } from './plan-in-folder.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-look-')))
const root = join(base, 'work')
const files = confinedFiles(root)

mkdirSync(join(root, 'd'), { recursive: true })
writeFileSync(join(base, 'outside'), 'not yours')
writeFileSync(join(root, 'd/run'), 'text', { mode: 0o750 })
writeFileSync(join(root, 'large'), '')
truncateSync(join(root, 'large'), 8 * 1024 * 1024 + 1)
const links = { link: 'd/run', folder: 'd', dangling: 'd/new', out: '../outside', far: '/no/such/file' }
for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))

afterAll(() => rmSync(base, { recursive: true }))

describe('given a path of a patch', () => {
  it.each(['d/run', './d/../d/run', 'link', 'folder/run', join(root, 'd/run')])(
    '%s is the file that it leads to',
    async (path) => {
      const image = { bytes: Buffer.from('text'), mode: 0o750 }
      expect(await files.look(path)).toEqual({ kind: 'file', path: 'd/run', image })
    },
  )

  it.each([
    ['new', 'new'],
    ['x/y/z', 'x/y/z'],
    ['folder/new', 'd/new'],
    ['dangling', 'd/new'],
  ])('%s is missing, and would be created at %s', async (path, place) => {
    expect(await files.look(path)).toEqual({ kind: 'missing', path: place })
  })

  it.each([
    ['out', 'outside of the work folder'],
    ['far', 'outside of the work folder'],
    ['../outside', 'outside of the work folder'],
    ['/etc/passwd', 'outside of the work folder'],
    ['d', 'd is a folder'],
    ['', '. is a folder'],
    ['d/run/x', 'not a folder'],
    ['a\0b', 'NUL'],
    ['large', 'has 8388609 bytes, more than the 8388608 that can be handled'],
  ])('%j is refused', async (path, reason) => {
    expect(await files.look(path)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason) as string,
    })
  })
})
