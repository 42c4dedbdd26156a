import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadRules, type LoadedRules } from './load-rules.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-rules-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const put = (name: string, text: string | Uint8Array) => writeFile(join(folder, name), text)

const programs = (loaded: LoadedRules) =>
  loaded.kind === 'rules'
    ? loaded.rules.flatMap((rule) => (rule.kind === 'prefix' ? rule.pattern[0] : []))
    : loaded.problems

describe('given places with rules', () => {
  it('rule files of a folder are read by their names, in the order of the layers', async () => {
    await put('b.rules', 'prefix_rule(["b"])\n')
    await put('a.rules', 'prefix_rule(["a"])\n')
    await put('note.txt', 'no rule\n')
    await mkdir(join(folder, 'folder.rules'))
    await put('one.conf', 'prefix_rule(["one"])\n')
    const loaded = await loadRules([
      { layer: 'user', path: folder },
      { layer: 'run', path: join(folder, 'one.conf') },
    ])
    expect(programs(loaded)).toEqual(['a', 'b', 'one'])
    expect(loaded.kind === 'rules' && loaded.rules.map(({ source }) => source.layer)).toEqual([
      'user',
      'user',
      'run',
    ])
    expect(loaded.kind === 'rules' && loaded.files).toHaveLength(3)
  })

  it('what leads to a file is a file', async () => {
    await put('real', 'prefix_rule(["a"])\n')
    await symlink(join(folder, 'real'), join(folder, 'x.rules'))
    expect(programs(await loadRules([{ layer: 'user', path: folder }]))).toEqual(['a'])
  })

  it('all problems of all files are told, and no rule is given', async () => {
    await put('a.rules', 'x = 1\nprefix_rule(1)\n')
    await put('b.rules', 'prefix_rule(["b"])\n')
    await put('c.rules', new Uint8Array([0x23, 0xff]))
    await symlink(join(folder, 'nowhere'), join(folder, 'd.rules'))
    const loaded = await loadRules([
      { layer: 'user', path: folder },
      { layer: 'user', path: join(folder, 'missing') },
    ])
    expect(loaded.kind).toBe('invalid')
    const loadedCAndA = await loadRules(
      ['a.rules', 'c.rules'].map((name) => ({ layer: 'user', path: join(folder, name) })),
    )
    expect(loadedCAndA).toMatchObject({
      problems: [
        { file: join(folder, 'a.rules'), line: 2, problem: expect.stringContaining('pattern') as string },
        { file: join(folder, 'c.rules'), problem: expect.stringContaining('cannot be read') as string },
      ],
    })
  })

  it('a place that need not be there gives nothing', async () => {
    const path = join(folder, 'missing')
    expect(await loadRules([{ layer: 'user', path, isOptional: true }])).toEqual({
      kind: 'rules',
      rules: [],
      files: [],
    })
    expect((await loadRules([{ layer: 'user', path }])).kind).toBe('invalid')
  })

  it('a list of paths in one file counts for the examples of a later one', async () => {
    await put('a.rules', 'host_executable("git", ["/opt/git"])\n')
    await put('b.rules', 'prefix_rule(["git"], match=["/usr/bin/git"])\n')
    expect((await loadRules([{ layer: 'user', path: folder }])).kind).toBe('invalid')
  })

  it('what is no file is not read', async () => {
    expect(await loadRules([{ layer: 'run', path: '/dev/null' }])).toMatchObject({
      kind: 'invalid',
      problems: [{ problem: 'cannot be read: it is no regular file' }],
    })
  })
})
