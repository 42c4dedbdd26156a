/** What npm would publish, looked at before it does. The package must have been built: `npm test` does that first. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from './architecture/read-tree.ts'
import { packageNames } from './architecture/rooms.ts'
import { manifestPath, packageProblems } from './package/contents.ts'
import { packedFiles } from './package/packed-files.ts'

let packed: ReturnType<typeof packedFiles>
beforeAll(() => {
  packed = packedFiles(packageNames)
})

describe.each(packageNames)('given the package %s as npm would publish it', (name) => {
  it('holds what it promises, nothing else, and needs what it names', () => {
    const files = packed.get(name) ?? new Map()
    expect(packageProblems(files).map(({ where, message }) => `${where}: ${message}`)).toEqual([])
  })

  it('carries the licence of the repository, word for word', () => {
    const licence = (folder: string) => readFileSync(path.join(folder, 'LICENSE'), 'utf8')
    expect(licence(path.join(repositoryRoot, 'packages', name))).toBe(licence(repositoryRoot))
  })
})

const sound: Readonly<Record<string, string>> = {
  [manifestPath]: JSON.stringify({
    name: 'donecheck',
    bin: { donecheck: './bin/donecheck.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    dependencies: { zod: '4' },
    peerDependencies: { '@ai-sdk/google': '4' },
  }),
  'README.md': 'Text.\n',
  LICENSE: 'MIT\n',
  'bin/donecheck.js': `import '../dist/index.js'\n`,
  'dist/hook/main.cjs': '',
  'dist/program/cli/main.js': `import 'events'\n`,
  'dist/program/cli/help.json': '',
  'dist/program/cli/LICENSES.txt': 'MIT\n',
  'dist/index.js': `import 'node:fs'\nimport { z } from 'zod'\nexport const load = () => import('@ai-sdk/google')\n`,
  'dist/index.d.ts': 'export declare const a = 1\n',
}

function placesIn(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  const files = Object.entries({ ...sound, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return packageProblems(new Map(files)).map(({ where }) => where)
}

describe('given planted packages', () => {
  it('lets a sound one through', () => {
    expect(placesIn({})).toEqual([])
  })

  it.each([
    ['a licence that is missing', { LICENSE: undefined }, 'LICENSE'],
    ['types that are missing', { 'dist/index.d.ts': undefined }, 'dist/index.d.ts'],
    ['a command that is missing', { 'bin/donecheck.js': undefined }, 'bin/donecheck.js'],
    ['a bundle that is missing', { 'dist/program/cli/main.js': undefined }, 'dist/program/cli/main.js'],
    ['a test', { 'dist/core/decide.test.js': '' }, 'dist/core/decide.test.js'],
    ['a source', { 'src/index.ts': '' }, 'src/index.ts'],
    ['notes of the compiler', { 'dist/.tsbuildinfo': '' }, 'dist/.tsbuildinfo'],
    ['a library that nobody promised', { 'dist/a.js': `import 'vitest'\n` }, 'dist/a.js'],
    [
      'a type of a library that nobody promised',
      { 'dist/a.d.ts': `export type A = import('ajv').A\n` },
      'dist/a.d.ts',
    ],
    ['a library that nobody uses', { 'dist/index.js': `import('@ai-sdk/google')\n` }, manifestPath],
    ['a path of one machine', { 'dist/a.js': `'${['', 'root', 'a'].join('/')}'\n` }, 'dist/a.js'],
  ])('catches %s', (_, changes, where) => {
    expect(placesIn(changes)).toEqual([where])
  })
})
