import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  linkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { file, given, link, newFolder, signal, storeIn } from './fixtures/stored-trees.ts'
import { hashBlob } from './objects.ts'
import { openTrees } from './open-trees.ts'
import { SnapshotError } from '../paths.ts'

const project = {
  'a.txt': file('a\n'),
  'src/run.sh': file('echo\n', 0o755),
  'src/deep/key': file('secret', 0o600),
  'src-old': file('sorts between src and src/'),
  link: link('src/run.sh'),
  empty: file(''),
}

describe('a tree that was stored', () => {
  it('is laid into an empty folder with contents, modes and links', async () => {
    const { trees, folder } = given()
    await trees.lay(await storeIn(trees, project), folder, { signal })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n')
    expect(readlinkSync(join(folder, 'link'))).toBe('src/run.sh')
    expect(
      ['a.txt', 'src/run.sh', 'src/deep/key'].map((path) => lstatSync(join(folder, path)).mode & 0o777),
    ).toEqual([0o644, 0o755, 0o600])
  })

  it('is the same for git: git reads what we wrote', async () => {
    const { trees, stateFolder } = given()
    const tree = await storeIn(trees, project)
    expect(await openTrees(stateFolder).list(tree, signal)).toEqual(
      new Map(
        Object.entries(project).map(([path, { kind, mode, content }]) => [
          path,
          { kind, mode, object: hashBlob(content) },
        ]),
      ),
    )
  })

  it('is read by another process, also when it names one folder twice', async () => {
    const { trees, stateFolder } = given()
    const tree = await storeIn(trees, { 'a/x/f': file('1'), 'b/x/f': file('1'), 'c/f': file('1') })
    const files = await openTrees(stateFolder).list(tree, signal)
    expect([...files.keys()].sort()).toEqual(['a/x/f', 'b/x/f', 'c/f'])
  })

  it('may have names and contents of any bytes', async () => {
    const { trees, folder } = given()
    const name = Buffer.from('tab\tline\n\xff.bin', 'latin1').toString('latin1')
    const tree = await storeIn(trees, { [name]: file(Buffer.from([0, 10, 255])), '.GIT/config': file('x') })
    await trees.lay(tree, folder, { signal })
    expect(readdirSync(folder, { encoding: 'latin1' }).sort()).toEqual(['.GIT', name])
    await trees.lay(await storeIn(trees, { a: file('a') }), folder, { signal })
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('is refused if a content is not what was listed', async () => {
    const { trees } = given()
    const files = new Map([
      ['a', { kind: 'file', mode: 0o644, object: hashBlob(Buffer.from('a')), sizeBytes: 1 }],
    ] as const)
    await expect(trees.store(files, () => Buffer.from('b'), signal)).rejects.toThrow(
      'a was changed while it was looked at',
    )
  })
})

describe('a folder that was laid before', () => {
  it('is laid again without a touch of what stayed the same', async () => {
    const { trees, folder } = given()
    await trees.lay(await storeIn(trees, project), folder, { signal })
    const { mtimeMs, ino } = statSync(join(folder, 'src/run.sh'))
    await trees.lay(await storeIn(trees, { ...project, 'a.txt': file('b\n') }), folder, { signal })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('b\n')
    expect(statSync(join(folder, 'src/run.sh'))).toMatchObject({ mtimeMs, ino })
  })

  it('loses what checks left there, but for what may stay', async () => {
    const { trees, folder } = given()
    const tree = await storeIn(trees, project)
    await trees.lay(tree, folder, { signal })
    for (const path of ['left', 'node_modules/x', 'src/node_modules', 'old/node_modules/y'])
      mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, 'src/deep/left.txt'), '')
    mkdirSync(join(folder, 'closed/in'), { recursive: true })
    chmodSync(join(folder, 'closed'), 0)
    await trees.lay(tree, folder, { mayStay: (path) => path.split('/').includes('node_modules'), signal })
    expect(readdirSync(folder).sort()).toEqual([
      'a.txt',
      'empty',
      'link',
      'node_modules',
      'old',
      'src',
      'src-old',
    ])
    expect(readdirSync(join(folder, 'src')).sort()).toEqual(['deep', 'node_modules', 'run.sh'])
    expect(readdirSync(join(folder, 'src/deep'))).toEqual(['key'])
  })

  it('is put right where files, folders and links took the place of one another', async () => {
    const { trees, folder } = given()
    const elsewhere = newFolder()
    writeFileSync(join(elsewhere, 'key'), 'theirs')
    const tree = await storeIn(trees, project)
    await trees.lay(tree, folder, { signal })
    rmSync(join(folder, 'src/deep'), { recursive: true })
    symlinkSync(elsewhere, join(folder, 'src/deep'))
    rmSync(join(folder, 'a.txt'))
    mkdirSync(join(folder, 'a.txt/b'), { recursive: true })
    rmSync(join(folder, 'empty'))
    linkSync(join(folder, 'link'), join(folder, 'empty'))
    await trees.lay(tree, folder, { mayStay: () => true, signal })
    expect(readFileSync(join(folder, 'src/deep/key'), 'utf8')).toBe('secret')
    expect(readFileSync(join(elsewhere, 'key'), 'utf8')).toBe('theirs')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n')
    expect(lstatSync(join(folder, 'empty')).isFile()).toBe(true)
  })

  it('gets files of its own where a check gave one a second name', async () => {
    const { trees, folder } = given()
    const tree = await storeIn(trees, project)
    await trees.lay(tree, folder, { signal })
    const outside = join(newFolder(), 'second')
    linkSync(join(folder, 'a.txt'), outside)
    await trees.lay(tree, folder, { signal })
    writeFileSync(outside, 'changed')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n')
  })
})

describe('a link that names the work folder', () => {
  it('leads to the laid folder, and is not written again', async () => {
    const { trees, folder } = given()
    const tree = await storeIn(trees, {
      in: link('/home/me/x/src'),
      root: link('/home/me/x'),
      out: link('/home/me/xy'),
    })
    await trees.lay(tree, folder, { original: '/home/me/x', signal })
    expect(['in', 'root', 'out'].map((name) => readlinkSync(join(folder, name)))).toEqual([
      `${folder}/src`,
      folder,
      '/home/me/xy',
    ])
    const { ino } = lstatSync(join(folder, 'in'))
    await trees.lay(tree, folder, { original: '/home/me/x', signal })
    expect(lstatSync(join(folder, 'in')).ino).toBe(ino)
  })
})

describe('a mixed tree', () => {
  it('has what lies over it in the place of its own files and folders', async () => {
    const { trees } = given()
    const tree = await storeIn(trees, project)
    const mixed = await trees.mix(
      tree,
      new Map([
        ['a.txt', null],
        ['src', file('now a file')],
        ['empty/in', file('now a folder')],
        ['new', link('a')],
      ]),
      signal,
    )
    expect([...(await trees.list(mixed, signal)).keys()].sort()).toEqual([
      'empty/in',
      'link',
      'new',
      'src',
      'src-old',
    ])
  })
})

describe('a large file', () => {
  it('is not stored, and comes from the folder that it was in', async () => {
    const { trees, folder } = given()
    const original = newFolder()
    const content = Buffer.alloc(17 * 1024 * 1024, 'x')
    writeFileSync(join(original, 'large'), content)
    const tree = await storeIn(trees, { large: file(content) })
    await expect(trees.lay(tree, folder, { signal })).rejects.toThrow('the content of large is not stored')
    await trees.lay(tree, folder, { original, signal })
    expect(readFileSync(join(folder, 'large')).equals(content)).toBe(true)
    rmSync(join(folder, 'large'))
    writeFileSync(join(original, 'large'), 'other')
    await expect(trees.lay(tree, folder, { original, signal })).rejects.toThrow(
      'was changed since it was looked at',
    )
  })
})

describe('the repository', () => {
  it('is for this user alone, and takes back its settings', async () => {
    const { trees, stateFolder } = given()
    const tree = await storeIn(trees, project)
    const config = join(stateFolder, 'trees.git/config')
    expect(statSync(join(stateFolder, 'trees.git')).mode & 0o777).toBe(0o700)
    writeFileSync(
      config,
      `${readFileSync(config, 'utf8')}[remote "o"]\n\turl = ext::touch /tmp/x\n\tpromisor = true\n`,
    )
    await storeIn(openTrees(stateFolder), project)
    expect(readFileSync(config, 'utf8')).not.toContain('promisor')
    expect(trees.read(hashBlob(Buffer.from('a\n'))).toString()).toBe('a\n')
    expect(tree).toMatch(/^[0-9a-f]{64}$/)
  })

  it('delivers no damaged content', async () => {
    const { trees, stateFolder, folder } = given()
    const tree = await storeIn(trees, project)
    const packs = join(stateFolder, 'trees.git/objects/pack')
    for (const name of readdirSync(packs).filter((one) => one.endsWith('.pack'))) {
      const bytes = readFileSync(join(packs, name))
      chmodSync(join(packs, name), 0o600)
      bytes.writeUInt8((bytes[60] ?? 0) ^ 1, 60)
      writeFileSync(join(packs, name), bytes)
    }
    await expect(openTrees(stateFolder).lay(tree, folder, { signal })).rejects.toThrow(SnapshotError)
  })

  it('collects what nothing keeps, once it is old, and keeps the rest whole', async () => {
    const { trees, stateFolder, folder } = given()
    const large = file(Buffer.alloc(17 * 1024 * 1024))
    const kept = await storeIn(trees, {
      ...project,
      missing: file('is its name'),
      'd/a missing': file('too'),
      'carriage\r': file('return'),
      large,
    })
    const gone = await storeIn(trees, { ...project, 'a.txt': file('gone') })
    trees.keep('run-1', kept)
    trees.keep('run-2', gone)
    trees.keep('run-2', null)
    await trees.collect({ keptForMs: 1e9, maxPacks: 0, signal })
    await openTrees(stateFolder).lay(gone, folder, { signal })
    const { utimesSync } = await import('node:fs')
    const packs = join(stateFolder, 'trees.git/objects/pack')
    for (const name of readdirSync(packs)) utimesSync(join(packs, name), 0, 0)
    await trees.collect({ keptForMs: 1e9, maxPacks: 0, signal })
    const later = openTrees(stateFolder)
    expect(later.read(hashBlob(Buffer.from('is its name'))).toString()).toBe('is its name')
    const original = newFolder()
    writeFileSync(join(original, 'large'), large.content)
    await later.lay(kept, folder, { original, signal })
    expect(readFileSync(join(folder, 'carriage\r'), 'utf8')).toBe('return')
    await expect(later.lay(gone, folder, { signal })).rejects.toThrow('missing')
  })

  it('goes on where a process was killed in the middle of making it', async () => {
    const { trees, stateFolder } = given()
    mkdirSync(join(stateFolder, 'trees.git.0000/objects'), { recursive: true })
    expect(await storeIn(trees, project)).toBe(await storeIn(openTrees(newFolder()), project))
  })

  it('is made once by many at the same time', async () => {
    const { stateFolder } = given()
    const stored = await Promise.all(
      Array.from({ length: 4 }, () => storeIn(openTrees(stateFolder), project)),
    )
    expect(new Set(stored).size).toBe(1)
    expect(readdirSync(stateFolder)).toEqual(['trees.git'])
  })
})
