/** kill -9 at every third event boundary: a resume in a new process ends as if nothing had happened. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunEvent } from 'donecheck'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from './bundled.ts'
import { describeEachStore, type InStore } from './each-store.ts'
import { storeAt } from './store-at.ts'

const { program, environment, remove } = await bundled('crashing-run.ts')
afterAll(remove)

interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly signal: string | null
  readonly exitCode: number
}

interface Printed {
  readonly runId: string
  readonly transition: { readonly reason: string; readonly outcome: string }
  readonly usage: { readonly iterations: number; readonly modelCalls: number; readonly toolCalls: number }
}

function child(...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : 0
      resolve({ stdout, stderr, signal: error?.signal ?? null, exitCode })
    })
  })
}

function printed({ stdout, stderr }: Ended): Printed {
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`the child printed no result: ${stderr}`)
  return JSON.parse(line) as Printed
}

/** A new store, and a work folder beside it. */
function placesIn(inStore: InStore) {
  return <Value>(work: (store: string, folder: string) => Promise<Value>): Promise<Value> =>
    inStore(async (store) => {
      const folder = await mkdtemp(join(tmpdir(), 'donecheck-crash-work-'))
      try {
        return await work(store, folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}

type InPlaces = ReturnType<typeof placesIn>

async function eventsIn(place: string): Promise<readonly RunEvent[]> {
  const store = await storeAt(place)
  try {
    const [run] = await store.list()
    return run === undefined ? [] : await store.read(run.runId)
  } finally {
    await store.close()
  }
}

interface Whole {
  readonly result: Printed
  readonly appends: readonly string[]
}

/** The type of the first event of every append of a whole run: the two facts of its start go in one, as do those of its end. */
function wholeRun(inPlaces: InPlaces): Promise<Whole> {
  return inPlaces(async (store, folder) => {
    const result = printed(await child(store, folder, 'start'))
    const types = (await eventsIn(store)).map(({ type }) => type)
    return { result, appends: types.filter((type) => type !== 'goal-set' && type !== 'run-stopped') }
  })
}

/** Before these an effect is done that nobody has recorded yet. */
const afterEffects = [
  'run-started',
  'model-replied',
  'model-failed',
  'tool-returned',
  'approval-given',
  'verdict-given',
]

function crashAndResume(inPlaces: InPlaces, when: 'before' | 'after', place: number) {
  return inPlaces(async (store, folder) => {
    const first = await child(store, folder, 'start', when, String(place))
    const before = await eventsIn(store)
    const runId = before[0]?.runId
    if (runId === undefined) return { first, before, resumed: undefined, log: '', events: before }
    const resumed = await child(store, folder, runId)
    const log = await readFile(join(folder, 'log.txt'), 'utf8').catch(() => '')
    return { first, before, resumed, log, events: await eventsIn(store) }
  })
}

async function inParallel<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

interface Moment {
  readonly when: 'before' | 'after'
  readonly place: number
}

async function killedAndResumed(inPlaces: InPlaces, whole: Whole, { when, place }: Moment): Promise<void> {
  const label = `killed ${when} append ${place}`
  const { first, before, resumed, log, events } = await crashAndResume(inPlaces, when, place)
  expect(first.signal, label).toBe('SIGKILL')
  if (resumed === undefined) {
    expect({ when, place }, label).toEqual({ when: 'before', place: 1 })
    return
  }
  if (before.at(-1)?.type === 'run-stopped') {
    expect(resumed.exitCode, label).not.toBe(0)
    expect(resumed.stderr, label).toContain('is finished')
    return
  }
  const result = printed(resumed)
  expect(result.transition, label).toEqual(whole.result.transition)
  expect(log, label).toBe('a\nb\n')
  expect(events.slice(0, before.length), label).toEqual(before)
  expectCountersKept(events, result, label)
  expect(result.usage.iterations, label).toBeGreaterThanOrEqual(whole.result.usage.iterations)
  expectUnknownFatesTold(before, events, label)
}

describeEachStore('given a run that is killed at its event boundaries', (inStore, { share }) => {
  const inPlaces = placesIn(inStore)
  let whole: Whole
  beforeAll(async () => {
    whole = await wholeRun(inPlaces)
  })

  it(
    'when it is resumed in a new process, then it ends the same, and nothing is done twice',
    { timeout: 600_000 },
    async () => {
      expect(whole.result.transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
      expect(whole.appends.length).toBeGreaterThan(20)
      const moments = whole.appends.flatMap((type, index): readonly Moment[] => [
        { when: 'after', place: index + 1 },
        ...(afterEffects.includes(type) ? [{ when: 'before' as const, place: index + 1 }] : []),
      ])
      await inParallel(share(moments), 2, (moment) => killedAndResumed(inPlaces, whole, moment))
    },
  )

  it(
    'when the resuming process is killed too, then a third ends the same',
    { timeout: 600_000 },
    async () => {
      const moments = [6, 18].flatMap((place) => [1, 2, 3, 4].map((later) => ({ place, later })))
      await inParallel(share(moments), 2, async ({ place, later }) => {
        const label = `killed at append ${place}, then at append ${later} of the resume`
        await inPlaces(async (store, folder) => {
          await child(store, folder, 'start', 'after', String(place))
          const [first] = await eventsIn(store)
          const runId = first?.runId ?? ''
          const second = await child(store, folder, runId, 'after', String(later))
          expect(second.signal, label).toBe('SIGKILL')
          const result = printed(await child(store, folder, runId))
          expect(result.transition, label).toEqual(whole.result.transition)
          expect(await readFile(join(folder, 'log.txt'), 'utf8'), label).toBe('a\nb\n')
        })
      })
    },
  )
})

/** Every announced call of either process counts unless the provider refused it; nothing counted before is forgotten. */
function expectCountersKept(events: readonly RunEvent[], { usage }: Printed, label: string): void {
  const isRefused = (event: RunEvent) =>
    event.type === 'model-failed' && event.failure.kind === 'server-error'
  const announced = events.filter(({ type }) => type === 'model-called').length
  expect(usage.modelCalls, label).toBe(announced - events.filter(isRefused).length)
  expect(usage.toolCalls, label).toBe(events.filter(({ type }) => type === 'tool-called').length)
}

function expectUnknownFatesTold(
  before: readonly RunEvent[],
  events: readonly RunEvent[],
  label: string,
): void {
  const answered = new Set(before.flatMap((event) => (event.type === 'tool-returned' ? [event.callId] : [])))
  for (const event of before) {
    if (event.type !== 'tool-called' || event.effect === 'read' || answered.has(event.callId)) continue
    const told = events.find((later) => later.type === 'tool-returned' && later.callId === event.callId)
    expect(told, label).toMatchObject({ status: 'unknown' })
  }
}
