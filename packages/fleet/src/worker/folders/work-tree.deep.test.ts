import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openCache } from './kept.ts'
import { git, newPlace, newRepository, removePlaces, write, type Entry } from './fixtures/places.ts'
import { openWorkTree } from './work-tree.ts'

afterEach(removePlaces)

const names = fc.constantFrom(
  ...[
    'a',
    'b.txt',
    'ignored.log',
    'dir/a',
    'dir/b',
    'dir/deep/c',
    'dir',
    'ünïcode',
    '\xff\xfe',
    'a b\tc',
    '"q"',
  ],
  ...['line\nbreak', 'git~1', '-n', '.gitattributes', 'crlf.txt', '*', ':(top)'],
)
const contents = fc.oneof(
  fc.string(),
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom('a\r\nb\r\n', 'a\nb\n', '$Id$\n', '', '* text=auto eol=crlf\n*.txt ident\n* filter=evil\n'),
)
const entries: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('file' as const), content: contents }) },
  fc.record({ kind: fc.constant('executable' as const), content: contents }),
  fc.record({
    kind: fc.constant('symlink' as const),
    target: fc.constantFrom('a', '../outside', 'dir', 'gone'),
  }),
)
const trees = fc.dictionary(names, entries, { maxKeys: 8 }).map(withoutClashes)

/** `dir` is a file or a folder, not both. */
function withoutClashes(tree: Record<string, Entry>): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(tree).filter(([name]) => !(name.startsWith('dir/') && 'dir' in tree)),
  )
}

/** All files of a folder, except its repository. */
function filesIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (path: Buffer, name: string): void => {
    for (const child of readdirSync(path, { encoding: 'buffer' })) {
      const own = Buffer.concat([path, Buffer.from('/'), child])
      const called = `${name}/${child.toString('latin1')}`
      const stats = lstatSync(own)
      if (called === '/.git') continue
      if (stats.isDirectory()) walk(own, called)
      else if (stats.isSymbolicLink()) found[called] = `link ${readlinkSync(own)}`
      else
        found[called] =
          `${(stats.mode & 0o111) === 0 ? 'file' : 'executable'} ${readFileSync(own).toString('hex')}`
    }
  }
  walk(Buffer.from(folder), '')
  return found
}

function removeFrom(folder: string, name: string): void {
  // Below a symlink that leads to itself there is nothing to remove, and `force` does not cover that.
  const isBelowLink = lstatSync(Buffer.from(join(folder, name.split('/')[0] ?? ''), 'latin1'), {
    throwIfNoEntry: false,
  })?.isSymbolicLink()
  if (isBelowLink === true && name.includes('/')) return
  rmSync(Buffer.from(join(folder, name), 'latin1'), { recursive: true, force: true })
}

async function openTree(url: string) {
  const root = newPlace()
  const folder = join(root, 'work')
  mkdirSync(folder)
  const cache = await openCache(join(root, 'cache'), url, [])
  const base = await cache.fetch('main')
  const place = {
    folder,
    stateFolder: join(root, 'state'),
    objectFolder: join(cache.gitFolder, 'objects'),
    base,
  }
  const tree = await openWorkTree(place)
  await tree.writeBase()
  return { folder, tree }
}

describe('given the tree of a run, kept as a patch', () => {
  it('then another worker makes the very same tree of it, whatever was changed, and however files are called', async () => {
    await fc.assert(
      fc.asyncProperty(trees, trees, fc.array(names, { maxLength: 4 }), async (before, changes, gone) => {
        const url = newRepository({ '.gitignore': '*.log\n', keep: 'kept', ...before })
        const one = await openTree(url)
        const baseFiles = filesIn(one.folder)
        for (const name of [
          ...gone,
          ...Object.keys(changes).flatMap((path) => (path.startsWith('dir/') ? ['dir'] : [])),
        ])
          removeFrom(one.folder, name)
        write(one.folder, changes)
        const { tree } = await one.tree.readTree()
        const patch = await one.tree.patchTo(tree)

        const other = await openTree(url)
        expect(filesIn(other.folder)).toEqual(baseFiles)
        expect(await other.tree.apply(patch)).toBe(tree)

        const ignored = '/ignored.log' in baseFiles ? [] : ['/ignored.log']
        const made = Object.entries(filesIn(one.folder)).filter(([name]) => !ignored.includes(name))
        expect(filesIn(other.folder)).toEqual(Object.fromEntries(made))
        removePlaces()
      }),
      { numRuns: 12 },
    )
  })

  it('then nothing of a hostile tree is run, and repositories within it are named', async () => {
    const url = newRepository({ a: 'a', 'sub/file': 'x' })
    const { folder, tree } = await openTree(url)
    const ran = join(folder, '..', 'ran')
    git(folder, 'init', '--quiet', 'nested')
    git(folder, 'init', '--quiet', 'committed')
    git(join(folder, 'committed'), 'commit', '--quiet', '--allow-empty', '--message', 'x')
    const evil = `touch ${ran}`
    for (const repository of ['.', 'nested', 'committed']) {
      if (repository === '.') git(folder, 'init', '--quiet')
      const within = join(folder, repository)
      for (const key of [
        'core.fsmonitor',
        'core.sshCommand',
        'filter.evil.clean',
        'filter.evil.smudge',
        'diff.evil.command',
      ])
        git(within, 'config', key, evil)
      git(within, 'config', 'filter.evil.required', 'true')
      mkdirSync(join(within, '.git', 'hooks'), { recursive: true })
      for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'pre-push'])
        write(join(within, '.git', 'hooks'), {
          [hook]: { kind: 'executable', content: `#!/bin/sh\n${evil}\n` },
        })
    }
    write(folder, {
      '.gitattributes': '* filter=evil diff=evil\n',
      b: 'b',
      '.gitmodules': '[submodule "x"]\n\tpath = nested\n\turl = ext::sh\n\tupdate = !touch ran\n',
    })
    const { tree: now, nested } = await tree.readTree()
    const patch = await tree.patchTo(now)
    const other = await openTree(url)
    await other.tree.apply(patch)
    expect(nested).toEqual(['committed/', 'nested/'])
    expect(readdirSync(join(folder, '..'))).not.toContain('ran')
    expect(readFileSync(join(other.folder, 'b'), 'utf8')).toBe('b')
  })
})
