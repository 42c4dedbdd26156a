import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect } from 'vitest'
import { applyCompatible } from '../../analysis/patch/index.ts'
import { directFiles } from './direct-files.ts'
import { rehearsedFiles } from './rehearsed-files.ts'

const bases: string[] = []

function folderWithFiles(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-rehearsal-')))
  bases.push(base)
  mkdirSync(join(base, 'd'))
  writeFileSync(join(base, 'a'), 'one\ntwo\n')
  writeFileSync(join(base, 'd/b'), 'b\n')
  symlinkSync('d', join(base, 'link'))
  symlinkSync('a', join(base, 'name'))
  return base
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    // Once under its own name: what a link leads to is listed below the link as well.
    .filter((entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath)
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(files.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]))
}

afterEach(() => {
  for (const base of bases.splice(0)) rmSync(base, { recursive: true })
})

describe('given a patch of the codex-compatible mode', () => {
  const path = fc.constantFrom(
    'a',
    'd/b',
    'd',
    'new',
    'd/new',
    'x/y',
    'a/z',
    'x',
    'd/e/f',
    'link/b',
    'link/new',
    'name',
  )
  const line = fc.constantFrom('one', 'two', 'b', 'x')
  const hunk = fc.oneof(
    fc.tuple(path, line).map(([to, text]) => [`*** Add File: ${to}`, `+${text}`]),
    path.map((gone) => [`*** Delete File: ${gone}`]),
    fc.tuple(path, line).map(([of, text]) => [`*** Update File: ${of}`, '@@', `-${text}`, '+x']),
    fc
      .tuple(path, path, line)
      .map(([of, to, text]) => [`*** Update File: ${of}`, `*** Move to: ${to}`, '@@', `-${text}`, '+x']),
  )
  const patch = fc
    .array(hunk, { minLength: 1, maxLength: 5 })
    .map((hunks) => ['*** Begin Patch', ...hunks.flat(), '*** End Patch'].join('\n'))

  const removedLink = [
    '*** Begin Patch',
    '*** Delete File: a',
    '*** Delete File: name',
    '*** End Patch',
  ].join('\n')

  test.prop([patch], { numRuns: 200, examples: [[removedLink]] })(
    'its rehearsal says what it would say, and changes nothing',
    async (text) => {
      const folder = folderWithFiles()
      const before = filesIn(folder)
      const rehearsal = rehearsedFiles()
      const rehearsed = await applyCompatible(text, rehearsal, folder)
      expect(filesIn(folder)).toEqual(before)
      expect(await applyCompatible(text, directFiles, folder)).toEqual(rehearsed)
      const expected = new Map(Object.entries(before))
      for (const [name, bytes] of rehearsal.changed) {
        if (bytes === null) expected.delete(name.slice(folder.length))
        else expected.set(name.slice(folder.length), Buffer.from(bytes).toString())
      }
      expect(filesIn(folder)).toEqual(Object.fromEntries(expected))
    },
  )
})
