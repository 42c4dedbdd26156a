import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, prepared, startedAtOnce } from '../texts/fixtures/ask.ts'
import { workFolder } from '../texts/fixtures/work-folder.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { fileExists, fileMatches } from './file-checks.ts'

const isRoot = process.getuid?.() === 0

verifierContract('fileExists', {
  passing: () => prepared(fileExists('a.txt'), (folder) => writeFile(join(folder, 'a.txt'), 'a')),
  failing: () => fileExists('a.txt'),
  makeUndecided: () => ({
    ...fileExists('a.txt'),
    verify: (context, signal) => fileExists('a.txt').verify({ ...context, workFolder: null }, signal),
  }),
  hanging: (onStart) => startedAtOnce(fileExists(['**/*.txt']), onStart),
})

const folder = workFolder()
const look = (verifier: Verifier) => ask(verifier, '', folder.path)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('given a path', () => {
  it('passes for a file, and shows what it saw', async () => {
    await folder.write('out/report.txt', 'hello')
    const report = await look(fileExists('out/report.txt'))
    expect(report).toMatchObject({
      status: 'passed',
      evidence: [{ kind: 'file', path: 'out/report.txt', digest: sha256('hello'), bytes: 5 }],
    })
  })

  it('fails for nothing, with nothing as evidence', async () => {
    const report = await look(fileExists('out/report.txt'))
    expect(report).toMatchObject({
      status: 'failed',
      reason: 'there is no out/report.txt',
      evidence: [{ kind: 'file', digest: null, bytes: 0 }],
    })
  })

  it('fails for a folder, a path through a file, and a pipe', async () => {
    await folder.write('out/report.txt', 'hello')
    execFileSync('mkfifo', [join(folder.path, 'pipe')])
    expect(await look(fileExists('out'))).toMatchObject({
      status: 'failed',
      reason: 'out is a folder, not a file',
    })
    expect(await look(fileExists('out/report.txt/x'))).toMatchObject({ status: 'failed' })
    expect(await look(fileExists('pipe'))).toMatchObject({
      status: 'failed',
      reason: 'pipe is no regular file',
    })
  })

  it('wants content where that is asked for', async () => {
    await folder.write('empty', '')
    expect(await look(fileExists('empty'))).toMatchObject({ status: 'passed' })
    expect(await look(fileExists('empty', { nonEmpty: true }))).toMatchObject({
      status: 'failed',
      reason: 'empty is empty',
    })
  })

  it.skipIf(isRoot)('is an error for a file that may not be read (not as root, who may)', async () => {
    await folder.write('secret', 'x')
    await chmod(join(folder.path, 'secret'), 0)
    expect(await look(fileExists('secret'))).toMatchObject({ status: 'error' })
  })
})

describe('given symlinks of an agent', () => {
  it('follows those that stay in the work folder', async () => {
    await folder.write('real.txt', 'x')
    await symlink('real.txt', join(folder.path, 'link.txt'))
    expect(await look(fileExists('link.txt'))).toMatchObject({ status: 'passed' })
  })

  it.each(['/etc/passwd', '../outside.txt'])('does not take %s for a file of the work', async (target) => {
    await writeFile(join(folder.path, '..', 'outside.txt'), 'x')
    await symlink(target, join(folder.path, 'link.txt'))
    const report = await look(fileExists('link.txt'))
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('leads out of the work folder')
  })

  it('does not take what a linked folder puts outside', async () => {
    await mkdir(join(folder.path, '..', 'elsewhere'))
    await writeFile(join(folder.path, '..', 'elsewhere', 'a.txt'), 'x')
    await symlink('../elsewhere', join(folder.path, 'sub'))
    expect(await look(fileExists('sub/a.txt'))).toMatchObject({ status: 'failed' })
    expect(await look(fileExists(['**/a.txt']))).toMatchObject({ status: 'failed' })
  })

  it('fails for links that lead nowhere or in a circle', async () => {
    await symlink('nothing', join(folder.path, 'dangling'))
    await symlink('circle', join(folder.path, 'circle'))
    expect(await look(fileExists('dangling'))).toMatchObject({ status: 'failed' })
    expect(await look(fileExists('circle'))).toMatchObject({ status: 'failed' })
  })

  it('does not mistake a sibling with the same beginning for the folder', async () => {
    await mkdir(join(folder.path, '..', 'work-2'))
    await writeFile(join(folder.path, '..', 'work-2', 'a.txt'), 'x')
    await symlink('../work-2/a.txt', join(folder.path, 'a.txt'))
    expect(await look(fileExists('a.txt'))).toMatchObject({ status: 'failed' })
  })
})

describe('given globs', () => {
  it('wants one file for each of them', async () => {
    await folder.write('dist/a.js', 'x')
    await folder.write('dist/deep/b.d.ts', 'x')
    expect(await look(fileExists(['dist/*.js', 'dist/**/*.d.ts']))).toMatchObject({
      status: 'passed',
      evidence: [{ path: 'dist/a.js' }, { path: 'dist/deep/b.d.ts' }],
    })
    expect(await look(fileExists(['dist/*.js', 'dist/*.css']))).toMatchObject({
      status: 'failed',
      reason: 'there is no dist/*.css',
    })
  })

  it('wants one file with content among them, not all', async () => {
    await folder.write('a.log', '')
    expect(await look(fileExists(['*.log'], { nonEmpty: true }))).toMatchObject({ status: 'failed' })
    await folder.write('b.log', 'x')
    expect(await look(fileExists(['*.log'], { nonEmpty: true }))).toMatchObject({ status: 'passed' })
  })

  it('does not look into node_modules and .git unless they are named', async () => {
    await folder.write('node_modules/x/a.js', 'x')
    await folder.write('.git/a.js', 'x')
    expect(await look(fileExists(['**/a.js']))).toMatchObject({ status: 'failed' })
    expect(await look(fileExists(['node_modules/**/a.js']))).toMatchObject({ status: 'passed' })
  })
})

describe('given what stands in a file', () => {
  it.each<[string, string | RegExp, string | Uint8Array | undefined, string]>([
    ['a text that stands there', 'ell', 'hello', 'passed'],
    ['an expression that matches', /^hel+o$/, 'hello', 'passed'],
    ['a text that does not stand there', 'bye', 'hello', 'failed'],
    ['a missing file', 'hello', undefined, 'failed'],
    ['what is no UTF-8 text', 'he', new Uint8Array([0x68, 0x65, 0xff, 0xfe]), 'failed'],
    ['a byte order mark', /^hello$/, '\ufeffhello', 'passed'],
    ['more than is read as text', 'hello', `hello${'x'.repeat(10 * 1024 * 1024)}`, 'error'],
  ])('looks for a pattern: %s', async (_, pattern, content, status) => {
    if (content !== undefined) await folder.write('a.txt', content)
    const report = await look(fileMatches('a.txt', pattern))
    expect(report).toMatchObject({ status })
    expect(report.evidence[0]).toMatchObject({ kind: 'file', path: 'a.txt' })
  })
})

describe('given misuse', () => {
  it.each([
    ['', /no file of the work folder/],
    ['.', /no file of the work folder/],
    ['/etc/passwd', /relative to the folder/],
    ['../x', /relative to the folder/],
    ['a/../../x', /relative to the folder/],
    ['a\0b', /no file of the work folder/],
    ['dist/*.js', /as a list/],
  ])('refuses the path %j', (path, message) => {
    expect(() => fileExists(path)).toThrow(UsageError)
    expect(() => fileExists(path)).toThrow(message)
  })

  it.each([[[]], [['!a']], [['../*']], [['/tmp/*']], [['a', '']]])('refuses the globs %j', (globs) => {
    expect(() => fileExists(globs)).toThrow(UsageError)
  })
})
