import type { JsonValue } from '@donecheck/core/internal/events'
import { describe, expect, it } from 'vitest'
import { changesOfCall, diffLines, filesOfDiff } from './changes.ts'

const told = (args: JsonValue) =>
  changesOfCall({ args, sequence: 7 }, 2).map(({ path, lines }) => [
    path,
    ...lines.map(({ kind, text }) => `${kind} ${text}`),
  ])

describe('given the arguments of a call', () => {
  it.each<[string, JsonValue, readonly (readonly string[])[]]>([
    ['writes a file', { path: 'a.ts', content: 'one\ntwo\n' }, [['a.ts', 'added one', 'added two']]],
    [
      'replaces a text',
      { path: 'a.ts', old_text: 'one', new_text: 'two' },
      [['a.ts', 'removed one', 'added two']],
    ],
    [
      'replaces a text as other agents say it',
      { file_path: '/srv/a.ts', old_string: 'one', new_string: '' },
      [['/srv/a.ts', 'removed one']],
    ],
    [
      'patches two files',
      {
        patch:
          '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n z\n*** Add File: b.ts\n+b\n*** End Patch',
      },
      [
        ['a.ts', 'head @@', 'removed x', 'added y', 'same z'],
        ['b.ts', 'added b'],
      ],
    ],
    ['only reads', { path: 'a.ts' }, []],
    ['has no arguments at all', null, []],
    ['has others than it seems', { path: 1, content: ['x'] }, []],
  ])('that %s', (_, args, expected) => {
    expect(told(args)).toEqual(expected)
  })
})

describe('given a diff of two trees', () => {
  it('each file has its lines, and what cannot be shown says so', () => {
    const diff = [
      'diff --git a/a.ts b/a.ts',
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1 +1 @@',
      '-one',
      '+two',
      'diff --git a/gone.ts b/gone.ts',
      'deleted file mode 100644',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-diff --git a/x b/x',
      'diff --git a/a b.png b/a b.png',
      'Binary files a/a b.png and b/a b.png differ',
      '',
    ].join('\n')
    expect(
      filesOfDiff(diff).map(({ path, lines }) => [path, ...lines.map(({ kind, text }) => `${kind} ${text}`)]),
    ).toEqual([
      ['a.ts', 'head @@ -1 +1 @@', 'removed one', 'added two'],
      ['gone.ts', 'head @@ -1 +0,0 @@', 'removed diff --git a/x b/x'],
      ['a b.png', 'head Binary files a/a b.png and b/a b.png differ'],
    ])
  })
})

describe('given a text with a unified diff', () => {
  it('takes only the lines of its hunks for changes, whatever they begin with', () => {
    const text =
      '✗ adds\n--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n same\n--- a comment\n+++ two\n--- b.sql\n+++ b.sql\n'
    expect(diffLines(text).map(({ kind, text: shown }) => `${kind} ${shown}`)).toEqual([
      'head ✗ adds',
      'head --- a.sql',
      'head +++ a.sql',
      'head @@ -1,2 +1,2 @@',
      'same same',
      'removed -- a comment',
      'added ++ two',
      'head --- b.sql',
      'head +++ b.sql',
    ])
  })
})
