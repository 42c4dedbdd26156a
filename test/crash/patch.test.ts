/** kill -9 at every file operation of a ten-file patch: afterwards all files are old, or all are new. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundled.ts'
import { layFiles, treeOf } from './ten-file-patch.ts'

const { program, environment, remove } = await bundled('patching.ts')
afterAll(remove)

interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly signal: string | null
}

interface Told {
  readonly result: unknown
  readonly steps: readonly string[]
}

interface Folders {
  readonly root: string
  readonly journals: string
}

type Tree = Readonly<Record<string, string>>

/** An operation and how it is broken off. */
interface Moment {
  readonly when: 'before' | 'within'
  readonly place: number
}

function child({ root, journals }: Folders, task: 'apply' | 'recover', moment?: Moment): Promise<Ended> {
  const words = [root, journals, task, ...(moment === undefined ? [] : [moment.when, String(moment.place)])]
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, signal: error?.signal ?? null }),
    )
  })
}

function told({ stdout, stderr }: Ended): Told {
  if (!stdout.startsWith('{')) throw new Error(`the child told nothing: ${stderr}`)
  return JSON.parse(stdout) as Told
}

async function inFolders<Value>(work: (folders: Folders) => Promise<Value>): Promise<Value> {
  const base = await mkdtemp(join(tmpdir(), 'donecheck-crash-patch-'))
  const folders = { root: join(base, 'work'), journals: join(base, 'journals') }
  try {
    await mkdir(folders.root)
    await layFiles(folders.root)
    return await work(folders)
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

interface Whole {
  readonly old: Tree
  readonly young: Tree
  readonly steps: readonly string[]
  readonly moments: readonly Moment[]
}

async function wholePatch(): Promise<Whole> {
  return inFolders(async (folders) => {
    const old = await treeOf(folders.root)
    const { result, steps } = told(await child(folders, 'apply'))
    expect(result).toEqual({ kind: 'committed' })
    return { old, young: await treeOf(folders.root), steps, moments: momentsOf(steps) }
  })
}

function momentsOf(steps: readonly string[]): readonly Moment[] {
  return steps.flatMap((name, index): Moment[] => {
    const place = index + 1
    return [{ when: 'before', place }, ...(name === 'writeNew' ? [{ when: 'within' as const, place }] : [])]
  })
}

async function twoAtATime<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all([worker(), worker()])
}

async function expectSettled(
  { root, journals }: Folders,
  { old, young }: Whole,
  label: string,
): Promise<void> {
  const tree = await treeOf(root)
  expect([old, young], label).toContainEqual(tree)
  expect(await treeOf(journals), label).toEqual({})
}

describe('given a process that is killed at any file operation of a ten-file patch', () => {
  it(
    'when the folder is looked at again, then all files are old or all are new',
    { timeout: 300_000 },
    async () => {
      const whole = await wholePatch()
      expect(changedFiles(whole)).toBe(10)
      expect(whole.moments.length).toBeGreaterThan(35)
      const outcomes = new Set<string>()
      await twoAtATime(whole.moments, (moment) =>
        inFolders(async (folders) => {
          const label = `killed ${moment.when} operation ${moment.place}`
          expect((await child(folders, 'apply', moment)).signal, label).toBe('SIGKILL')
          const { result } = told(await child(folders, 'recover'))
          for (const { outcome, foreign } of result as { outcome: string; foreign: unknown[] }[]) {
            outcomes.add(outcome)
            expect(foreign, label).toEqual([])
          }
          await expectSettled(folders, whole, label)
        }),
      )
      expect([...outcomes].sort()).toEqual(['completed', 'discarded', 'rolled-back'])
    },
  )

  it(
    'when that look is killed at any operation, then the next one comes to the same',
    { timeout: 300_000 },
    async () => {
      const whole = await wholePatch()
      // All but the last file has been changed: there is most to take back.
      const first: Moment = { when: 'before', place: whole.steps.lastIndexOf('removeFile', -4) + 1 }
      const second = await inFolders(async (folders) => {
        await child(folders, 'apply', first)
        const { result, steps } = told(await child(folders, 'recover'))
        expect(result).toMatchObject([{ outcome: 'rolled-back' }])
        return momentsOf(steps)
      })
      expect(second.length).toBeGreaterThan(25)
      await twoAtATime(second, (moment) =>
        inFolders(async (folders) => {
          const label = `killed ${moment.when} operation ${moment.place} of the recovery`
          await child(folders, 'apply', first)
          expect((await child(folders, 'recover', moment)).signal, label).toBe('SIGKILL')
          told(await child(folders, 'recover'))
          await expectSettled(folders, whole, label)
        }),
      )
    },
  )
})

function changedFiles({ old, young }: Whole): number {
  const paths = new Set([...Object.keys(old), ...Object.keys(young)].filter((path) => !path.endsWith('/')))
  return [...paths].filter((path) => old[path] !== young[path]).length
}
