import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anyPatchChecker, v4aPatchChecker } from './patch-checker.ts'

const never = new AbortController().signal
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-checker-'))
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

function v4a(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

const good = v4a('*** Update File: a.txt', '@@', '-two', '+2', '*** Add File: d/new.txt', '+new')
const unified = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'

describe('given a V4A patch', () => {
  it('when it applies, then its files are named and none is touched', async () => {
    const answer = await v4aPatchChecker().check(good, folder, never)
    expect(answer).toEqual({ kind: 'applies', files: ['a.txt', 'd/new.txt'] })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  })

  it.each([
    ['a line that is not there', v4a('*** Update File: a.txt', '@@', ' one', '-tow', '+2'), 'a.txt'],
    ['a file that is not there', v4a('*** Delete File: b.txt'), 'b.txt'],
    ['a path out of the folder', v4a('*** Add File: ../b.txt', '+x'), '../b.txt'],
  ])('%s is refused with its place', async (_, patch, place) => {
    expect(await v4aPatchChecker().check(patch, folder, never)).toMatchObject({
      kind: 'does-not-apply',
      place,
    })
  })

  it('what is no patch is refused', async () => {
    const answer = await v4aPatchChecker().check('not a patch', folder, never)
    expect(answer).toMatchObject({ kind: 'does-not-apply' })
  })
})

describe('given a patch of either format', () => {
  it('it is looked at as what it is', async () => {
    const checker = anyPatchChecker()
    expect(await checker.check(good, folder, never)).toMatchObject({
      kind: 'applies',
      files: ['a.txt', 'd/new.txt'],
    })
    expect(await checker.check(unified, folder, never)).toEqual({ kind: 'applies', files: ['a.txt'] })
    expect(await checker.check(unified.replace('-two', '-tow'), folder, never)).toMatchObject({
      kind: 'does-not-apply',
    })
  })
})
