/** One case for each thing that a patch can ask for or get wrong, with what becomes of the files. */
import type { Entry, Tree } from './patch-tree.ts'

export interface Scenario {
  readonly name: string
  readonly before: Readonly<Record<string, string>>
  /** Folders that are there without a file. */
  readonly folders?: readonly string[]
  readonly patch: string
  readonly after: Readonly<Record<string, string>>
  readonly exitCode: 0 | 1
}

export function treeOf({ before, folders = [] }: Scenario): Tree {
  const tree: Record<string, Entry> = {}
  for (const path of folders) tree[path] = { kind: 'folder' }
  for (const [path, content] of Object.entries(before)) tree[path] = { kind: 'file', content }
  return tree
}

function patched(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
}

const song = { 'song.txt': 'do\nre\nmi\nfa\nsol\n' }

export const scenarios: readonly Scenario[] = [
  {
    name: 'adds a file in a new folder',
    before: {},
    patch: patched('*** Add File: notes/today.md', '+# Today', '+', '+Nothing yet.'),
    after: { 'notes/today.md': '# Today\n\nNothing yet.\n' },
    exitCode: 0,
  },
  {
    name: 'adds, updates and deletes in one patch',
    before: { 'keep.txt': 'old\n', 'drop.txt': 'bye\n' },
    patch: patched(
      '*** Add File: fresh.txt',
      '+hello',
      '*** Delete File: drop.txt',
      '*** Update File: keep.txt',
      '-old',
      '+new',
    ),
    after: { 'fresh.txt': 'hello\n', 'keep.txt': 'new\n' },
    exitCode: 0,
  },
  {
    name: 'changes several places of a file',
    before: song,
    patch: patched('*** Update File: song.txt', '@@', '-re', '+ray', '@@', ' fa', '-sol', '+so'),
    after: { 'song.txt': 'do\nray\nmi\nfa\nso\n' },
    exitCode: 0,
  },
  {
    name: 'moves a file into a folder that is not there',
    before: { 'draft.txt': 'one\ntwo\n' },
    patch: patched(
      '*** Update File: draft.txt',
      '*** Move to: done/2024/final.txt',
      ' one',
      '-two',
      '+three',
    ),
    after: { 'done/2024/final.txt': 'one\nthree\n' },
    exitCode: 0,
  },
  { name: 'refuses a patch without hunks', before: song, patch: patched(), after: song, exitCode: 1 },
  {
    name: 'refuses lines that are not in the file',
    before: song,
    patch: patched('*** Update File: song.txt', '@@', '-la', '+ti'),
    after: song,
    exitCode: 1,
  },
  {
    name: 'refuses to delete what is not there',
    before: song,
    patch: patched('*** Delete File: dance.txt'),
    after: song,
    exitCode: 1,
  },
  {
    name: 'refuses an update without lines',
    before: song,
    patch: patched('*** Update File: song.txt'),
    after: song,
    exitCode: 1,
  },
  {
    name: 'refuses to update what is not there',
    before: {},
    patch: patched('*** Update File: dance.txt', '@@', '-one', '+two'),
    after: {},
    exitCode: 1,
  },
  {
    name: 'moves over a file that is there',
    before: { 'here.txt': 'mine\n', 'there/here.txt': 'theirs\n' },
    patch: patched('*** Update File: here.txt', '*** Move to: there/here.txt', '-mine', '+ours'),
    after: { 'there/here.txt': 'ours\n' },
    exitCode: 0,
  },
  {
    name: 'adds over a file that is there',
    before: { 'a.txt': 'long\nold\ncontent\n' },
    patch: patched('*** Add File: a.txt', '+short'),
    after: { 'a.txt': 'short\n' },
    exitCode: 0,
  },
  {
    name: 'does not delete a folder',
    before: {},
    folders: ['things'],
    patch: patched('*** Delete File: things'),
    after: {},
    exitCode: 1,
  },
  {
    name: 'refuses an unknown header',
    before: song,
    patch: patched('*** Rename File: song.txt'),
    after: song,
    exitCode: 1,
  },
  {
    name: 'ends the last line of a file that it changes',
    before: { 'a.txt': 'first\nlast' },
    patch: patched('*** Update File: a.txt', '-first', '+second'),
    after: { 'a.txt': 'second\nlast\n' },
    exitCode: 0,
  },
  {
    name: 'keeps what was done before a hunk that fails',
    before: song,
    patch: patched('*** Add File: early.txt', '+here', '*** Update File: missing.txt', '-a', '+b'),
    after: { ...song, 'early.txt': 'here\n' },
    exitCode: 1,
  },
  {
    name: 'puts lines without context at the end',
    before: song,
    patch: patched('*** Update File: song.txt', '@@', '+la', '+ti'),
    after: { 'song.txt': 'do\nre\nmi\nfa\nsol\nla\nti\n' },
    exitCode: 0,
  },
  {
    name: 'takes headers with white space around them',
    before: { 'a.txt': 'old\n' },
    patch: patched('  *** Update File: a.txt  ', '@@', '-old', '+new'),
    after: { 'a.txt': 'new\n' },
    exitCode: 0,
  },
  {
    name: 'takes the outer markers with white space behind them',
    before: { 'a.txt': 'old\n' },
    patch: '*** Begin Patch \t\n*** Update File: a.txt\n-old\n+new\n*** End Patch  \n',
    after: { 'a.txt': 'new\n' },
    exitCode: 0,
  },
  {
    name: 'changes text of any script',
    before: { 'gr\u00fc\u00dfe.txt': 'na\u00efve \u2014 \u65e5\u672c\n\u20ac 5\n' },
    patch: patched(
      '*** Update File: gr\u00fc\u00dfe.txt',
      ' na\u00efve \u2014 \u65e5\u672c',
      '-\u20ac 5',
      '+\u20ac 6 \ud83d\ude80',
    ),
    after: { 'gr\u00fc\u00dfe.txt': 'na\u00efve \u2014 \u65e5\u672c\n\u20ac 6 \ud83d\ude80\n' },
    exitCode: 0,
  },
  {
    name: 'deletes a file',
    before: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
    patch: patched('*** Delete File: a.txt'),
    after: { 'b.txt': 'b\n' },
    exitCode: 0,
  },
  {
    name: 'takes indented outer markers and blank lines around them',
    before: { 'a.txt': 'a\n' },
    patch: '\n\n   *** Begin Patch\n*** Delete File: a.txt\n   *** End Patch\n\n',
    after: {},
    exitCode: 0,
  },
  {
    name: 'deletes lines and adds none',
    before: song,
    patch: patched('*** Update File: song.txt', '@@', ' do', '-re', '-mi', ' fa'),
    after: { 'song.txt': 'do\nfa\nsol\n' },
    exitCode: 0,
  },
  {
    name: 'changes the place at the end of the file where the patch says so',
    before: { 'a.txt': 'x\ny\nx\ny\n' },
    patch: patched('*** Update File: a.txt', '@@', ' x', '-y', '+z', '*** End of File'),
    after: { 'a.txt': 'x\ny\nx\nz\n' },
    exitCode: 0,
  },
]
