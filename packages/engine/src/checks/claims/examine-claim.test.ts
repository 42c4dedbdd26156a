import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examineClaim } from './examine-claim.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claim-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const { signal } = new AbortController()
const brokenOf = async (...sources: readonly string[]) =>
  (await examineClaim({ sources, claimed: [] }, folder, signal)).map(({ path }) => path)
const missingOf = async (...claimed: readonly string[]) =>
  (await examineClaim({ sources: [], claimed }, folder, signal)).map(({ path }) => path)

describe('given sources that were changed', () => {
  it('names those that no parser takes, and what it says', async () => {
    put('a.ts', 'export const a: number = 1\n')
    put('b.ts', 'export const b = {\n')
    put('c.tsx', 'export const c = <p>1</p>\n')
    put('d.json', '{ "a": 1, }')
    expect(await brokenOf('a.ts', 'b.ts', 'c.tsx', 'd.json', join(folder, 'b.ts'))).toEqual([
      'b.ts',
      'd.json',
      join(folder, 'b.ts'),
    ])
    const [problem] = await examineClaim({ sources: ['b.ts'], claimed: [] }, folder, signal)
    expect(problem).toMatchObject({
      kind: 'does-not-parse',
      detail: expect.stringContaining('(2:0)') as string,
    })
  })

  it('says nothing of what it cannot tell', async () => {
    put('a.py', 'def f(:')
    put('tsconfig.json', '{ // a comment\n }')
    put('test/fixtures/broken.js', 'const {')
    put('deep.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`)
    put('byte-order.json', '\uFEFF{}')
    expect(
      await brokenOf(
        'a.py',
        'tsconfig.json',
        'test/fixtures/broken.js',
        'deep.json',
        'byte-order.json',
        'gone.ts',
        '../x.ts',
      ),
    ).toEqual([])
  })
})

describe('given files that are said to be written', () => {
  it('names those that are nowhere', async () => {
    put('packages/x/src/report.md', '')
    put('here.txt', '')
    expect(await missingOf('here.txt', 'src/report.md', 'report.md', 'src/other.md', 'absent.txt')).toEqual([
      'src/other.md',
      'absent.txt',
    ])
  })

  it('says nothing of what lies outside, or where not all could be looked through', async () => {
    symlinkSync('/nowhere', join(folder, 'linked'))
    expect(
      await missingOf('../absent.txt', '/etc/absent.txt', 'node_modules/a/absent.js', 'linked/absent.txt'),
    ).toEqual([])
    expect(await examineClaim({ sources: [], claimed: ['absent.txt'] }, folder, AbortSignal.abort())).toEqual(
      [],
    )
    expect(
      await examineClaim({ sources: [], claimed: ['absent.txt'] }, join(folder, 'gone'), signal),
    ).toEqual([])
  })
})
