import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleTurns } from '@donecheck/core/testing'
import { isAlive, thisHolder } from '../../process/index.ts'
import { openSqliteStore } from './sqlite-store.ts'

const run = promisify(execFile)

function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url))
}

async function printedBy(name: string, ...words: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [fixture(name), ...words])
  return JSON.parse(stdout)
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** Lets a child append until it has acknowledged so many events, then kills it without warning. */
async function killedAfter(acknowledged: number): Promise<number> {
  const child = spawn(process.execPath, [fixture('append-forever'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let last = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (last === acknowledged) child.kill('SIGKILL')
  }
  expect(await exit).toEqual([null, 'SIGKILL'])
  return last
}

describe('given a process that is killed while it appends', () => {
  for (const acknowledged of [1, 7, 150]) {
    it(`has every event that was acknowledged (${acknowledged} and more)`, async () => {
      const last = await killedAfter(acknowledged)
      const store = openSqliteStore({ folder })
      const events = await store.read('run-1')
      expect(events.length).toBeGreaterThanOrEqual(last)
      // One more may have reached the disk before its acknowledgement was printed.
      expect(events.length).toBeLessThanOrEqual(last + 1)
      expect(await store.list()).toMatchObject([{ events: events.length }])
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
      await store.close()
    })
  }
})

describe('given several processes at one store', () => {
  it('lets them open it at the same time and win each event once', async () => {
    const names = ['a', 'b', 'c', 'd']
    const won = await Promise.all(names.map((name) => printedBy('compete', folder, name, '25')))
    const store = openSqliteStore({ folder })
    const events = await store.read('run-1')
    expect(events).toHaveLength(100)
    for (const [index, name] of names.entries()) {
      const ownEvents = events.filter(({ id }) => id.startsWith(`${name}-`))
      expect(ownEvents.map(({ sequence }) => sequence)).toEqual(won[index])
    }
    await store.close()
  })

  it('tells another process who holds a name', async () => {
    const store = openSqliteStore({ folder })
    const holder = thisHolder('the parent')
    const mine = await store.acquire({ name: 'run:run-1', holder, ttlMs: 60_000 })
    expect(mine.kind).toBe('held')
    expect(await printedBy('acquire-lease', folder)).toMatchObject({ kind: 'taken', by: { holder } })
    await store.close()
  })

  it('fences a writer off whose name another process has taken over', async () => {
    const store = openSqliteStore({ folder })
    const holder = thisHolder('the parent')
    const mine = await store.acquire({ name: 'run:run-1', holder, ttlMs: 60_000 })
    if (mine.kind === 'taken') throw new Error('a new store has no leases')
    const { fence } = mine.lease
    expect(await printedBy('acquire-lease', folder, String(fence))).toMatchObject({ kind: 'held' })
    const result = await store.append(0, sampleTurns(1), mine.lease)
    expect(result).toEqual({ kind: 'fenced', message: expect.stringContaining('the child') as unknown })
    expect(await store.renew(mine.lease, 60_000)).toBeUndefined()
    await store.close()
  })

  it('knows that a holder is dead which has left a name behind', async () => {
    await printedBy('acquire-lease', folder)
    const store = openSqliteStore({ folder })
    const request = { name: 'run:run-1', holder: thisHolder('the parent'), ttlMs: 60_000 }
    const answer = await store.acquire(request)
    if (answer.kind === 'held') throw new Error('the child holds it')
    expect(isAlive(answer.by.holder)).toBe('dead')
    const second = await store.acquire({ ...request, takeOverFence: answer.by.fence })
    expect(second.kind).toBe('held')
    await store.close()
  })
})
