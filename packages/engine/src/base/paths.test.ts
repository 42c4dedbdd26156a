import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { realPath, realPathsOnce } from './paths.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-real-path-')))

afterAll(() => rmSync(base, { recursive: true }))

it('follows links, also above what is not there, and looks at each folder once', () => {
  mkdirSync(join(base, 'real'))
  symlinkSync(join(base, 'real'), join(base, 'link'))
  expect(realPath(join(base, 'link/new/file'))).toBe(join(base, 'real/new/file'))
  const find = realPathsOnce()
  expect(find(join(base, 'link/a'))).toBe(join(base, 'real/a'))
  rmSync(join(base, 'link'))
  expect(find(join(base, 'link/b'))).toBe(join(base, 'real/b'))
})
