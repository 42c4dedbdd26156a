/** `donecheck patch` as a person or a script uses it. */
import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from './donecheck.ts'

const files = { 'a.txt': 'one\ntwo\nthree\n', 'd/b.txt': 'b\n' }

const patch = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+2
*** Delete File: d/b.txt
*** Add File: new/c.txt
+c
*** End Patch
`

const unified = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'

const stale = patch.replace('-two', '-tow')

async function contentsOf({ folder }: Place): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const
    })
  return Object.fromEntries(await Promise.all(found))
}

describe('given a patch that applies', () => {
  it('when it is applied, then its diff is printed, which git takes back', async () => {
    await inPlace(files, async (place) => {
      await place.write('../fix.patch', patch)
      const applied = await place.run(['patch', 'apply', '../fix.patch'])
      expect(applied.exitCode).toBe(0)
      expect(applied.stderr.trim().split('\n').sort()).toEqual([
        'added new/c.txt',
        'deleted d/b.txt',
        'updated a.txt',
      ])
      expect(await contentsOf(place)).toEqual({ 'a.txt': 'one\n2\nthree\n', 'new/c.txt': 'c\n' })
      execFileSync('git', ['apply', '-R', '-'], { cwd: place.folder, input: applied.stdout })
      expect(await contentsOf(place)).toEqual(files)
    })
  })

  it('when a file for the receipt is named, then the diff is in it, and an old file is never lost', async () => {
    await inPlace(files, async (place) => {
      const words = ['patch', 'apply', '--receipt', '../done.diff']
      const { stdout } = await place.run(words, { stdin: unified })
      expect(stdout).toBe('')
      const receipt = await readFile(join(place.folder, '../done.diff'), 'utf8')
      expect(receipt).toContain(unified)
      const again = await place.run(words, { stdin: patch.replaceAll('two', '2').replace('+2', '+zwei') })
      expect(again.exitCode).toBe(2)
      expect(again.stderr).toContain('done.diff')
      expect(await readFile(join(place.folder, '../done.diff'), 'utf8')).toBe(receipt)
    })
  })
})

describe('given a patch that does not apply', () => {
  it('then nothing is written, and what is missing is shown', async () => {
    await inPlace(files, async (place) => {
      for (const task of ['check', 'apply']) {
        const { stdout, stderr, exitCode } = await place.run(['patch', task], { stdin: stale })
        expect(exitCode).toBe(1)
        expect(stdout).toBe('')
        expect(stderr).toContain('such as "tow"')
      }
      const json = await place.run(['patch', 'check', '--json'], { stdin: stale })
      expect(lastJson(json)).toMatchObject({
        kind: 'refused',
        problems: [{ kind: 'not-found', path: 'a.txt' }],
      })
      expect(await contentsOf(place)).toEqual(files)
    })
  })

  it.each([
    ['a file that is not there', ['check', 'no.patch']],
    ['a root that is no folder', ['check', '--root', 'a.txt']],
    ['a format that is not known', ['check', '--format', 'ed']],
    ['a flag that is not known', ['apply', '--no-such-flag']],
    ['a receipt that is there', ['apply', '--receipt', 'a.txt']],
  ])('%s is wrong usage, in JSON too', async (_, words) => {
    await inPlace(files, async (place) => {
      const plain = await place.run(['patch', ...words], { stdin: patch })
      expect(plain).toMatchObject({ stdout: '', exitCode: 2 })
      expect(plain.stderr).toMatch(/^donecheck: /)
      const json = await place.run(['patch', ...words, '--json'], { stdin: patch })
      expect(json.exitCode).toBe(2)
      expect(JSON.parse(json.stdout)).toEqual({
        type: 'patch',
        kind: 'wrong-usage',
        problem: expect.any(String) as string,
      })
      expect(await contentsOf(place)).toEqual(files)
    })
  })
})
