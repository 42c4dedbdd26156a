/** Parts of a run: what they begin with, and what of their work arrives. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { memoryStore } from '@donecheck/engine/testing'
import { begun, stamp } from '@donecheck/core/testing'
import { runStopped, subRunEnded, subRunStarted } from '@donecheck/core/internal/testing/facts'
import { newPlace, newRepository, removePlaces } from './fixtures/places.ts'
import { runFolders, type RunFolder } from './run-folders.ts'

afterEach(removePlaces)

const lines = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'

/** Workers that share nothing but the store and the repository. */
function stage() {
  const store = memoryStore()
  const url = newRepository({ 'list.txt': lines, 'old.txt': 'old\n', '.gitignore': 'installed\n' })
  const folderOf = (runId: string, root = newPlace()) =>
    runFolders({ folder: root, credentials: [] }).prepare(
      { repository: { url, revision: 'main' } },
      { runId, store, signal: new AbortController().signal, rememberBase: () => Promise.resolve() },
    )
  const begin = async () => {
    const parent = await folderOf('parent')
    change(parent, 'list.txt', (text) => text.replace('one', 'ONE'))
    writeFileSync(join(parent.folder, 'installed'), '')
    return parent
  }
  return { store, folderOf, begin }
}

function change({ folder }: RunFolder, name: string, made: (text: string) => string): void {
  const path = join(folder, name)
  writeFileSync(path, made(existsSync(path) ? readFileSync(path, 'utf8') : ''))
}

const read = ({ folder }: RunFolder, name: string) => readFileSync(join(folder, name), 'utf8')

async function work(part: RunFolder, made: () => void): Promise<void> {
  made()
  expect(await part.keep(1)).toBeUndefined()
}

describe('given two parts of a run, on workers of their own', () => {
  it('begin with its tree as it was, and both of their changes arrive, however often they are laid', async () => {
    const { folderOf, begin } = stage()
    const parent = await begin()
    for (const name of ['a', 'b']) await parent.handOver(name)
    const [a, b] = [await folderOf('a'), await folderOf('b')]
    expect(read(a, 'list.txt')).toMatch(/^ONE\n/)
    expect(existsSync(join(a.folder, 'installed'))).toBe(false)
    await work(a, () => {
      change(a, 'list.txt', (text) => text.replace('four', 'FOUR'))
      rmSync(join(a.folder, 'old.txt'))
    })
    await work(b, () => {
      change(b, 'list.txt', (text) => text.replace('eight', 'EIGHT'))
      change(b, 'new.bin', () => '\0\u{1}new')
    })
    for (const time of ['at first', 'once more after a crash']) {
      expect(await parent.layOver('a'), time).toEqual({ kind: 'laid', files: ['list.txt', 'old.txt'] })
      expect(await parent.layOver('b')).toEqual({ kind: 'laid', files: ['list.txt', 'new.bin'] })
    }
    expect(read(parent, 'list.txt')).toBe(
      lines.replace('one', 'ONE').replace('four', 'FOUR').replace('eight', 'EIGHT'),
    )
    expect(read(parent, 'new.bin')).toBe('\0\u{1}new')
    expect([
      existsSync(join(parent.folder, 'old.txt')),
      existsSync(join(parent.folder, 'installed')),
    ]).toEqual([false, true])
  })

  it('of which the second does not fit, then nothing of it is laid, and its files are named', async () => {
    const { folderOf, begin } = stage()
    const parent = await begin()
    for (const name of ['a', 'b']) await parent.handOver(name)
    const [a, b] = [await folderOf('a'), await folderOf('b')]
    await work(a, () => change(a, 'list.txt', (text) => text.replace('four', 'FOUR')))
    await work(b, () => {
      change(b, 'list.txt', (text) => text.replace('four', 'vier'))
      change(b, 'new.txt', () => 'new')
    })
    for (const time of ['at first', 'once more after a crash']) {
      expect(await parent.layOver('a'), time).toMatchObject({ kind: 'laid' })
      expect(await parent.layOver('b')).toEqual({ kind: 'conflict', files: ['list.txt'] })
    }
    expect(read(parent, 'list.txt')).toContain('FOUR')
    expect(existsSync(join(parent.folder, 'new.txt'))).toBe(false)
  })

  it('then a worker that makes the folder again lays what the record says has come', async () => {
    const { store, folderOf, begin } = stage()
    const parent = await begin()
    await parent.handOver('a')
    const a = await folderOf('a')
    await work(a, () => change(a, 'new.txt', () => 'new'))
    await record(store)
    expect(await parent.keep(2)).toBeUndefined()
    const again = await folderOf('parent')
    expect(read(again, 'new.txt')).toBe('new')
    expect(read(again, 'list.txt')).toMatch(/^ONE\n/)
  })
})

/** Its part ends after the event at which the tree was kept, and the run with it. */
async function record(store: Store) {
  const part = subRunStarted('a', 'call', {}, true)
  const events = stamp([begun(), part, subRunEnded('a'), runStopped('model_ended')])
  const own = events.map((event) => ({ ...event, runId: 'parent' }))
  await store.append(0, own, null)
  return own
}
