import type { JsonValue } from '@donecheck/core/events'
import { describe, expect, it } from 'vitest'
import { changesOfCall } from './changes.ts'

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
