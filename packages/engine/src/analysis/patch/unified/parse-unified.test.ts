/** The names of files in diffs as git and `diff` write them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { filesOf, outcomeOf } from '../fixtures/memory-tree.ts'
import { planUnifiedDiff } from '../unified.ts'

const base = mkdtempSync(join(tmpdir(), 'donecheck-diff-names-'))

afterAll(() => rmSync(base, { recursive: true }))

const old = {
  'src/a b.txt': 'one\ntwo\n',
  'src/ü.txt': 'x\ny',
  'gone.txt': 'gone\n',
  'crlf.txt': 'p\r\nq\r\n',
}
const fresh = {
  'src/a b.txt': 'one\n2\n',
  'src/ü.txt': 'x\n2',
  'new/n.txt': 'new\n',
  'crlf.txt': 'p\r\n2\r\n',
}
const outcome = { ...fresh, 'gone.txt': null }

function write(folder: string, tree: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Prints the difference of `old` and `fresh`; both exit with 1 where there is one. */
const run = (program: string, ...words: readonly string[]): string =>
  spawnSync(program, words, { cwd: base, encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Tokyo' } }).stdout

write(join(base, 'old'), old)
write(join(base, 'new'), fresh)
const repository = join(base, 'repository')
write(repository, old)
const git = (...words: readonly string[]) =>
  execFileSync(
    'git',
    ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.autocrlf=false', ...words],
    {
      encoding: 'utf8',
    },
  )
git('init', '-q')
git('add', '.')
git('commit', '-qm', 'old')
rmSync(join(repository, 'gone.txt'))
write(repository, fresh)
git('add', '-A')

describe('given a diff that another program wrote', () => {
  it.each([
    ['git diff', () => git('diff', '--cached')],
    ['with mnemonic prefixes', () => git('-c', 'diff.mnemonicPrefix=true', 'diff', '--cached')],
    ['of commit and work tree', () => git('-c', 'diff.mnemonicPrefix=true', 'diff', 'HEAD')],
    [
      'in reverse twice',
      () =>
        git('diff', '--cached', '-R').length > 0 &&
        git('diff', '--cached', '--src-prefix=o/', '--dst-prefix=1/'),
    ],
    ['without prefixes', () => git('diff', '--cached', '--no-prefix')],
    [
      'with prefixes of its own',
      () => git('diff', '--cached', '--src-prefix=before/', '--dst-prefix=after/'),
    ],
    ['without context', () => git('diff', '--cached', '-U0')],
    ['diff -ruN', () => run('diff', '-ruN', 'old', 'new')],
    ['diff -ruN of folders with paths', () => run('diff', '-ruN', './old', join(base, 'new'))],
  ])('%s applies', async (_, diff) => {
    expect(outcomeOf(await planUnifiedDiff(String(diff()), filesOf(old)))).toEqual(outcome)
  })

  it.each([
    ['diff -ru', () => run('diff', '-ru', 'old', 'new')],
    ['git diff --no-index', () => run('git', 'diff', '--no-index', '--diff-filter=M', 'old', 'new')],
  ])('%s changes what both sides have', async (_, diff) => {
    const { 'new/n.txt': added, ...changed } = fresh
    expect(outcomeOf(await planUnifiedDiff(diff(), filesOf(old)))).toEqual(changed)
    expect(added).toBe('new\n')
  })
})

describe('given names that could be meant in two ways', () => {
  const hunk = '@@ -1 +1 @@\n-x\n+y\n'

  it('takes the file that is there', async () => {
    const diff = `--- x/f\n+++ x/f\n${hunk}`
    expect(outcomeOf(await planUnifiedDiff(diff, filesOf({ f: 'x\n' })))).toEqual({ f: 'y\n' })
    const both = await planUnifiedDiff(diff, filesOf({ f: 'x\n', 'x/f': 'x\n' }))
    expect(outcomeOf(both)).toEqual({ 'x/f': 'y\n' })
  })

  it('takes no file of another folder', async () => {
    const diff = `diff --git a/d/f b/d/f\n--- a/d/f\n+++ b/d/f\n${hunk}`
    expect(await planUnifiedDiff(diff, filesOf({ f: 'x\n' }))).toMatchObject({
      problems: [{ kind: 'missing-file' }],
    })
  })

  it('takes a prefix off a file that is deleted', async () => {
    const diff = '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'
    expect(outcomeOf(await planUnifiedDiff(diff, filesOf({ f: 'x\n', 'a/f': 'x\n' })))).toEqual({ f: null })
  })
})

describe('given a file without a final newline', () => {
  it.each([
    ['-two\n+2\n', 'one\n2'],
    ['-two\n+2\n+three\n', 'one\n2\nthree'],
    ['-two\n\\ No newline at end of file\n+2\n', 'one\n2\n'],
    ['-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n', 'one\n2'],
  ])('%j makes %j of it', async (lines, text) => {
    const count = lines.split('\n+').length
    const diff = `--- a/f\n+++ b/f\n@@ -1,2 +1,${count} @@\n one\n${lines}`
    expect(outcomeOf(await planUnifiedDiff(diff, filesOf({ f: 'one\ntwo' })))).toEqual({ f: text })
  })
})
