import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { git, newFolder, newRepository, put, removeFolders } from './fixtures/repository.ts'
import { gitPatchChecker } from './patch-checker.ts'

afterEach(removeFolders)

const never = new AbortController().signal

function change(path: string, from: string, to: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n one\n-${from}\n+${to}\n`
}

function checked(patch: string, folder: string, signal = never) {
  return gitPatchChecker().check(patch, folder, signal)
}

describe('given a folder with a file', () => {
  it('says that a patch applies, and to which files, and changes nothing', async () => {
    const folder = newFolder()
    put(folder, 'a b.txt', 'one\ntwo\n')
    expect(await checked(change('a b.txt', 'two', 'zwei'), folder)).toEqual({
      kind: 'applies',
      files: ['a b.txt'],
    })
    expect(readFileSync(join(folder, 'a b.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it('knows renamed files', async () => {
    const folder = newFolder()
    put(folder, 'old.txt', 'one\n')
    const patch =
      'diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n'
    expect(await checked(patch, folder)).toEqual({ kind: 'applies', files: ['new.txt'] })
  })

  it.each([
    ['whose context is another one', change('a.txt', 'three', 'drei'), 'a.txt:1'],
    ['whose white space is another one', change('a.txt', 'two ', 'zwei'), 'a.txt:1'],
    ['for a file that is not there', change('b.txt', 'two', 'zwei'), undefined],
    ['that leads out of the folder', change('../a.txt', 'two', 'zwei'), undefined],
    ['that goes through a symlink', change('link/a.txt', 'two', 'zwei'), undefined],
    ['that is none', 'please change a.txt', undefined],
    ['that is cut off', change('a.txt', 'two', 'zwei').slice(0, -10), undefined],
  ])('refuses a patch %s', async (_, patch, place) => {
    const folder = newFolder()
    put(folder, 'a.txt', 'one\ntwo\n')
    symlinkSync('.', join(folder, 'link'))
    const answer = await checked(patch, folder)
    expect(answer).toMatchObject({ kind: 'does-not-apply', ...(place === undefined ? {} : { place }) })
    expect(answer.kind === 'does-not-apply' && answer.reason).not.toBe('')
  })
})

describe('given a folder in a repository', () => {
  it('means the files of that folder, and none is left out in silence', async () => {
    const folder = newRepository({ 'app/a.txt': 'one\ntwo\n', 'a.txt': 'one\nother\n' })
    const app = join(folder, 'app')
    expect(await checked(change('a.txt', 'two', 'zwei'), app)).toMatchObject({ files: ['a.txt'] })
    expect(await checked(change('app/a.txt', 'two', 'zwei'), app)).toMatchObject({ kind: 'does-not-apply' })
  })

  it('does not obey its settings', async () => {
    const folder = newRepository({ 'a.txt': 'one\ntwo\n' })
    git(folder, 'config', 'apply.ignoreWhitespace', 'change')
    expect(await checked(change('a.txt', 'two  ', 'zwei'), folder)).toMatchObject({ kind: 'does-not-apply' })
  })
})

describe('given git that cannot be asked', () => {
  it('rejects', async () => {
    await expect(checked('x', '/no/such/folder')).rejects.toThrow('/no/such/folder')
    await expect(checked('x', newFolder(), AbortSignal.abort())).rejects.toThrow('broken off')
  })
})
