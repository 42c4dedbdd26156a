import { createHash } from 'node:crypto'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import type { Verifier } from '../../../../ports/checks.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { ask, startedAtOnce } from '../../texts/text/fixtures/ask.ts'
import { workFolder } from '../../texts/text/fixtures/work-folder.ts'
import { fileMatches, type FileDigest } from './file-matches.ts'

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

function given(content: string, verifier: Verifier): Verifier {
  return {
    ...verifier,
    async verify(context, signal) {
      await writeFile(join(context.workFolder ?? '', 'a.txt'), content)
      return verifier.verify(context, signal)
    },
  }
}

const kinds: readonly [string, string | RegExp | FileDigest][] = [
  ['a text', 'hello'],
  ['an expression', /^hel+o$/],
  ['a digest', { sha256: sha256('hello') }],
]

for (const [kind, expected] of kinds)
  verifierContract(`fileMatches with ${kind}`, {
    passing: () => given('hello', fileMatches('a.txt', expected)),
    failing: () => given('good bye', fileMatches('a.txt', expected)),
    makeUndecided: () => ({
      ...fileMatches('a.txt', expected),
      verify: (context, signal) =>
        fileMatches('a.txt', expected).verify({ ...context, workFolder: null }, signal),
    }),
    hanging: (onStart) => startedAtOnce(fileMatches('a.txt', expected), onStart),
  })

const folder = workFolder()
const look = (verifier: Verifier) => ask(verifier, 'hello', folder.path)

describe('given a file', () => {
  it.each(kinds)('fails for %s when it is missing', async (_, expected) => {
    expect(await look(fileMatches('a.txt', expected))).toMatchObject({
      status: 'failed',
      reason: 'there is no a.txt',
      evidence: [{ kind: 'file', path: 'a.txt', digest: null }],
    })
  })

  it.each(kinds)('shows what it saw for %s', async (_, expected) => {
    await folder.write('a.txt', 'hello')
    const report = await look(fileMatches('a.txt', expected))
    expect(report.evidence[0]).toEqual({ kind: 'file', path: 'a.txt', digest: sha256('hello'), bytes: 5 })
  })

  it.each(kinds)('does not follow a symlink out of the folder for %s', async (_, expected) => {
    await writeFile(join(folder.path, '..', 'outside.txt'), 'hello')
    await symlink('../outside.txt', join(folder.path, 'a.txt'))
    expect(await look(fileMatches('a.txt', expected))).toMatchObject({ status: 'failed' })
  })

  it('fails for content that is no UTF-8 text, whatever is looked for', async () => {
    await folder.write('a.txt', new Uint8Array([0x68, 0x65, 0xff, 0xfe]))
    expect(await look(fileMatches('a.txt', 'he'))).toMatchObject({
      status: 'failed',
      reason: 'a.txt is no UTF-8 text',
    })
  })

  it('is an error when it is too large to be read as text, and no error for a digest', async () => {
    const content = `hello${'x'.repeat(10 * 1024 * 1024)}`
    await folder.write('a.txt', content)
    expect(await look(fileMatches('a.txt', 'hello'))).toMatchObject({
      status: 'error',
      evidence: [{ kind: 'file', digest: sha256(content) }],
    })
    expect(await look(fileMatches('a.txt', { sha256: sha256(content) }))).toMatchObject({ status: 'passed' })
  })

  it('compares a digest in any case of its letters', async () => {
    await folder.write('a.txt', 'hello')
    const upper = { sha256: sha256('hello').toUpperCase() }
    expect(await look(fileMatches('a.txt', upper))).toMatchObject({ status: 'passed' })
  })

  it('says nothing of a byte order mark', async () => {
    await folder.write('a.txt', '\ufeffhello')
    expect(await look(fileMatches('a.txt', /^hello$/))).toMatchObject({ status: 'passed' })
  })
})

describe('given misuse', () => {
  it.each(['', 'xyz', 'a'.repeat(63)])('refuses the digest %j', (digest) => {
    expect(() => fileMatches('a.txt', { sha256: digest })).toThrow(UsageError)
  })

  it.each(['', '../a', '/a'])('refuses the path %j', (path) => {
    expect(() => fileMatches(path, 'x')).toThrow(UsageError)
    expect(() => fileMatches(path, { sha256: sha256('') })).toThrow(UsageError)
  })

  it('refuses an empty text', () => {
    expect(() => fileMatches('a.txt', '')).toThrow(UsageError)
  })
})
