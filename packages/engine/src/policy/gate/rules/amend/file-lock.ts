/** One process at a time changes a file: a lock file beside it says who. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { codeOf, StoreError } from '../../../../base/index.ts'
import { isAlive, thisHolder } from '../../../../system/process/index.ts'
import type { ProcessHolder } from '../../../../ports/store.ts'

const patienceMs = 10_000
const pauseMs = 10

/**
 * Runs it while no other process does the same for this file. The lock of a process that has died is taken away.
 * @throws StoreError where the lock does not come free in 10 seconds
 */
export async function withFileLock<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`
  await acquire(lock, Date.now() + patienceMs)
  try {
    return await run()
  } finally {
    await rm(lock, { force: true })
  }
}

async function acquire(lock: string, deadline: number): Promise<void> {
  while (!(await take(lock))) {
    if (await removeStale(lock)) continue
    if (Date.now() > deadline)
      throw new StoreError(lock, 'is held by another process; remove the file if there is none')
    await setTimeout(pauseMs + Math.random() * pauseMs)
  }
}

/** The file comes into being with its content, or not at all. */
async function take(lock: string): Promise<boolean> {
  const own = `${lock}.${process.pid}.${randomUUID()}`
  await writeFile(own, JSON.stringify({ ...thisHolder('rules'), token: randomUUID() }), {
    flag: 'wx',
    mode: 0o600,
  })
  try {
    await link(own, lock)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

/**
 * Only who holds the second lock may take the first one away, and looks at it again before: nobody takes away a lock that
 * came after a dead one.
 */
async function removeStale(lock: string): Promise<boolean> {
  if (!(await isStale(lock))) return false
  const broom = `${lock}.broom`
  if (!(await take(broom))) return false
  try {
    const isStillStale = await isStale(lock)
    if (isStillStale) await rm(lock, { force: true })
    return isStillStale
  } finally {
    await rm(broom, { force: true })
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    const holder = holderFrom(JSON.parse(await readFile(lock, 'utf8')))
    return holder !== undefined && isAlive(holder) === 'dead'
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return false
    throw error
  }
}

function holderFrom(value: unknown): ProcessHolder | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { host, processId, processStart }: Partial<Record<string, unknown>> = { ...value }
  if (typeof host !== 'string' || typeof processId !== 'number') return undefined
  const start = typeof processStart === 'string' ? processStart : null
  return { host, processId, processStart: start, purpose: 'rules' }
}
