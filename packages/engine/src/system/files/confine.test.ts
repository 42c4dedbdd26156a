import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confine, type Confined, hasMoved } from './confine.ts'
import { confinedFiles, patchFormatOf } from './plan-in-folder.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-confine-')))
const folder = join(base, 'work')
const secret = join(base, 'outside')

beforeAll(() => {
  mkdirSync(join(folder, 'd/e'), { recursive: true })
  mkdirSync(join(base, 'work-beside'))
  mkdirSync(secret)
  writeFileSync(join(folder, 'd/file'), 'inside')
  writeFileSync(join(secret, 'file'), 'outside')
  const links = {
    'to-file': 'd/file',
    'to-folder': 'd',
    'to-self': '.',
    'to-parent': '..',
    'to-outside': secret,
    'to-secret': '../outside/file',
    dangling: 'd/not-yet',
    'dangling-out': '../outside/not-yet',
    'dangling-far': '/no/such/folder/x',
    loop: 'loop',
    chain: 'to-folder/up',
    'd/up': '..',
    'd/out': '../../outside',
    'd/deep': 'e/../up/to-parent',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path))
})

afterAll(() => rmSync(base, { recursive: true }))

function leadsTo(confined: Confined): string {
  return confined.kind === 'inside' ? confined.relative : 'refused'
}

describe('given a path of the model', () => {
  it.each([
    ['.', '.'],
    ['', '.'],
    ['d/file', 'd/file'],
    ['./d//e/../file', 'd/file'],
    ['new/folder/file', 'new/folder/file'],
    ['missing/../d/file', 'd/file'],
    [join(folder, 'd/file'), 'd/file'],
    ['to-file', 'd/file'],
    ['to-folder/new', 'd/new'],
    ['dangling', 'd/not-yet'],
    ['chain/d/file', 'd/file'],
    ['to-folder/../to-file', 'd/file'],
  ])('%j leads to %j', async (path, expected) => {
    expect(leadsTo(await confine(folder, path))).toBe(expected)
  })

  it.each([
    '..',
    '../outside/file',
    '../work-beside/file',
    '/',
    '/etc/passwd',
    'd/../../outside/file',
    'to-outside/file',
    'to-secret',
    'to-parent',
    'dangling-out',
    'dangling-far',
    'd/out/new',
    'd/deep/outside/file',
    'loop',
    'loop/x',
    'd/file/x',
    'nul\0byte',
    'x'.repeat(5_000),
  ])('%j is refused', async (path) => {
    const confined = await confine(folder, path)
    expect(confined.kind).toBe('outside')
  })
})

describe('given any path at all', () => {
  const names = [
    '',
    '.',
    '..',
    'd',
    'e',
    'file',
    'new',
    'to-file',
    'to-folder',
    'to-self',
    'to-parent',
    'outside',
    'work-beside',
    'work',
  ]
  const links = ['to-outside', 'to-secret', 'dangling', 'dangling-out', 'loop', 'chain', 'up', 'out', 'deep']
  const part = fc.oneof(fc.constantFrom(...names, ...links), fc.string({ unit: 'binary', maxLength: 3 }))
  const parts = fc.array(part, { maxLength: 9 }).map((list) => list.join('/'))
  const path = fc.oneof(
    parts,
    parts.map((tail) => `/${tail}`),
    parts.map((tail) => `${folder}/${tail}`),
    fc.string({ unit: 'binary' }),
  )

  test.prop([path], { numRuns: 1_500 })('none escapes, and none that is inside is refused', async (raw) => {
    const confined = await confine(folder, raw)
    const systemSays = realOf(raw.startsWith('/') ? raw : `${folder}/${raw}`)
    if (systemSays !== undefined) expect(confined.kind).toBe(isInside(systemSays) ? 'inside' : 'outside')
    if (confined.kind === 'outside') return
    if (systemSays !== undefined) expect(confined.absolute).toBe(systemSays)
    const above = nearestExisting(confined.absolute)
    expect(realpathSync(above)).toBe(above)
    expect(isInside(above)).toBe(true)
    expect(isInside(confined.absolute)).toBe(true)
  })
})

describe('given a symlink that is swapped in between', () => {
  it('the path has moved', async () => {
    mkdirSync(join(folder, 'swap'))
    const before = await confine(folder, 'swap/file')
    if (before.kind === 'outside') throw new TypeError(before.reason)
    expect(await hasMoved(folder, 'swap/file', before)).toBeUndefined()
    renameSync(join(folder, 'swap'), join(folder, 'swapped'))
    symlinkSync('d', join(folder, 'swap'))
    expect(await hasMoved(folder, 'swap/file', before)).toContain('leads to')
    rmSync(join(folder, 'swap'))
    symlinkSync(secret, join(folder, 'swap'))
    expect(await hasMoved(folder, 'swap/file', before)).toContain('outside of the work folder')
  })
})

function isInside(path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** What the system makes of it; undefined where it does not exist. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

const planned = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-look-')))
const root = join(planned, 'work')
const files = confinedFiles(root)

mkdirSync(join(root, 'd'), { recursive: true })
writeFileSync(join(planned, 'outside'), 'not yours')
writeFileSync(join(root, 'd/run'), 'text', { mode: 0o750 })
writeFileSync(join(root, 'large'), '')
truncateSync(join(root, 'large'), 8 * 1024 * 1024 + 1)
const links = { link: 'd/run', folder: 'd', dangling: 'd/new', out: '../outside', far: '/no/such/file' }
for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))

afterAll(() => rmSync(planned, { recursive: true }))

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

describe('given a patch', () => {
  it.each([
    ['*** Begin Patch\n*** End Patch', 'v4a'],
    ['\n  *** Begin Patch  \n', 'v4a'],
    ["<<'EOF'\n*** Begin Patch\n*** Add File: x\n+--- a\n+++ b\nEOF", 'v4a'],
    ['*** Begin Patch\n*** Update File: x\n@@\n--- a/x\n+++ b/x\n*** End Patch', 'v4a'],
    ['diff --git a/x b/x\nnew file mode 100644', 'unified'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', 'unified'],
    ['From 1234\nSubject: x\n\n---\n x | 2\n\ndiff --git a/x b/x', 'unified'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-*** Begin Patch\n+x', 'unified'],
    ['hello', 'v4a'],
    ['', 'v4a'],
  ])('%j is %s', (text, format) => {
    expect(patchFormatOf(text)).toBe(format)
  })
})
