import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ChangeSet } from '../plan.ts'
import { image, imagesOf, type Tree } from '../fixtures/memory-tree.ts'
import { unifiedDiffOf } from '../unified.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
const base = mkdtempSync(join(tmpdir(), 'donecheck-unified-'))

afterAll(() => rmSync(base, { recursive: true }))

/** Old names by new ones. */
type Moves = Readonly<Record<string, string>>

function changesOf(before: Tree, after: Tree, moves: Moves = {}): ChangeSet {
  const [old, fresh] = [imagesOf(before), imagesOf(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].map((path) => {
    const movedFrom = moves[path]
    return {
      path,
      before: old.get(path) ?? null,
      after: fresh.get(path) ?? null,
      ...(movedFrom === undefined ? {} : { movedFrom }),
    }
  })
}

describe('given changes of files', () => {
  it('shows them as git does', () => {
    const changes = changesOf(
      { a: '1\n2\n3\n4\n5\n6\n7\n8\n9', gone: 'x', run: image('#!\n', 0o644) },
      { a: '1\n2\n3\n4\nfive\n6\n7\n8\nnine\n', 'n w': 'new\n', run: image('#!\n', 0o755) },
    )
    expect(unifiedDiffOf(changes)).toBe(`diff --git a/a b/a
--- a/a
+++ b/a
@@ -2,8 +2,8 @@
 2
 3
 4
-5
+five
 6
 7
 8
-9
\\ No newline at end of file
+nine
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,1 +0,0 @@
-x
\\ No newline at end of file
diff --git a/run b/run
old mode 100644
new mode 100755
diff --git a/n w b/n w
new file mode 100644
--- /dev/null
+++ b/n w
@@ -0,0 +1,1 @@
+new
`)
  })

  it('says that what is no text differs', () => {
    const changes = changesOf(
      { a: image(Uint8Array.of(0)) },
      { a: image(Uint8Array.of(0, 1)), b: image(Uint8Array.of(255)) },
    )
    expect(unifiedDiffOf(changes)).toContain('Binary files a/a and b/a differ\n')
    expect(unifiedDiffOf(changes)).toContain('Binary files /dev/null and b/b differ\n')
  })

  it.each([
    ['an 8-bit encoding', image(Uint8Array.of(0xe9)), image(Uint8Array.of(0xe8))],
    ['an 8-bit encoding that becomes UTF-8', image(Uint8Array.of(0xe9)), 'é'],
    ['UTF-16 that becomes UTF-8', image(Uint8Array.of(0xff, 0xfe, 0x61, 0)), 'a'],
  ])('shows nothing of %s: read as UTF-8 it would be another text', (_, before, after) => {
    expect(unifiedDiffOf(changesOf({ a: before }, { a: after }))).toBe(
      'diff --git a/a b/a\nBinary files a/a and b/a differ\n',
    )
  })

  it('shows a move as one', () => {
    expect(unifiedDiffOf(changesOf({ a: '1\n' }, { b: '1\n' }, { b: 'a' }))).toBe(
      'diff --git a/a b/b\nrename from a\nrename to b\n',
    )
  })

  it('gives up the smallest change of texts that have nothing in common', () => {
    const numbers = (first: number) =>
      Array.from({ length: 4_000 }, (_, index) => `${first + index}\n`).join('')
    const diff = unifiedDiffOf(changesOf({ a: numbers(0) }, { a: numbers(100_000) }))
    expect(diff.split('\n')).toHaveLength(8_000 + 5)
  })
})

const many = Array.from({ length: 60 }, (_, index) => `line ${index % 7}\n`).join('')

const cases: readonly (readonly [name: string, before: Tree, after: Tree, moves?: Moves])[] = [
  ['an edit', { a: many }, { a: many.replace('line 3', 'x').replace(/line 5\n$/, 'y') }],
  ['files without final newline', { a: '1\n2', b: '1', c: '1\n' }, { a: '1\nb', b: '1\n', c: '1' }],
  ['an empty file that is created, and one that is deleted', { e: '' }, { n: '' }],
  [
    'names that need quotes',
    { 'a b': '1\n', ü: '1\n', 'q"\\x': '1\n', 't\tb': '' },
    { 'a b': '2\n', ü: '2\n', 'q"\\x': '2\n' },
  ],
  ['folders', { 'd/e/f': '1\n' }, { 'd/g/h i': '2\n' }],
  ['line ends', { a: '1\r\n2\r\n', b: '1\n' }, { a: '1\r\nb\r\n', b: '1\r\n' }],
  ['modes', { a: '1\n', b: image('1\n', 0o755) }, { a: image('2\n', 0o755), b: '1\n' }],
  [
    'moves',
    { a: many, b: many },
    { 'd/a': many, 'd/b c': many.replace('line 2', 'z') },
    { 'd/a': 'a', 'd/b c': 'b' },
  ],
  ['a file in a full one and all out of one', { a: '', b: '1\n2\n' }, { a: '1\n', b: '' }],
  ['a byte order mark', { a: '\ufeff1\n' }, { a: '\ufeff2\n' }],
]

describe.skipIf(!hasGit)('given git (skipped where it is not installed)', () => {
  it.each(cases.map(([name, before, after, moves = {}]) => [name, before, after, moves] as const))(
    'git apply makes the same of %s',
    (_, before, after, moves) => {
      const folder = mkdtempSync(join(base, 'tree-'))
      for (const [path, { bytes, mode }] of imagesOf(before)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), bytes)
        chmodSync(join(folder, path), mode)
      }
      const input = unifiedDiffOf(changesOf(before, after, moves))
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input, stdio: 'pipe' })
      const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )
      const tree = found.map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [
          path.slice(folder.length + 1),
          readFileSync(path, 'utf8'),
          (statSync(path).mode & 0o100) !== 0,
        ] as const
      })
      const expected = [...imagesOf(after)].map(([path, { bytes, mode }]) => [
        path,
        Buffer.from(bytes).toString(),
        (mode & 0o100) !== 0,
      ])
      expect(tree.sort()).toEqual(expected.sort())
    },
  )
})
