/** kill -9 at every append of a run whose reply is judged, sent back and delivered: it is never delivered twice. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type RunEvent } from 'donecheck'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundled.ts'

const { program, environment, remove } = await bundled('crashing-reply.ts')
afterAll(remove)

interface Ended {
  readonly stdout: string
  readonly signal: string | null
}

interface Printed {
  readonly transition: { readonly outcome: string }
  readonly reply: { readonly delivery: string | null }
}

function child(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout) => {
      resolve({ stdout, signal: error?.signal ?? null })
    })
  })
}

async function eventsIn(folder: string): Promise<readonly RunEvent[]> {
  const store = openSqliteStore({ folder })
  try {
    const [run] = await store.list()
    return run === undefined ? [] : await store.read(run.runId)
  } finally {
    await store.close()
  }
}

async function inFolders<Value>(use: (store: string, work: string) => Promise<Value>): Promise<Value> {
  const store = await mkdtemp(join(tmpdir(), 'donecheck-reply-'))
  const work = await mkdtemp(join(tmpdir(), 'donecheck-reply-work-'))
  try {
    return await use(store, work)
  } finally {
    await rm(store, { recursive: true, force: true })
    await rm(work, { recursive: true, force: true })
  }
}

async function linesOf(work: string, file: string): Promise<readonly string[]> {
  const text = await readFile(join(work, file), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

/** The type of the first event of every append: those of the start go in one, as do those of the end. */
function appendsOf(events: readonly RunEvent[]): readonly string[] {
  const types: readonly string[] = events.map(({ type }) => type)
  return types.filter(
    (type, index) => type !== 'goal-set' && !(type === 'run-stopped' && types[index - 1] === 'turn-ended'),
  )
}

const whole = await inFolders(async (store, work) => {
  await child(store, work, 'start')
  return appendsOf(await eventsIn(store))
})

/** From the first question to the judge on. */
const places = whole.flatMap((type, index) =>
  type.startsWith('reply-') || type === 'turn-ended'
    ? (['before', 'after'] as const).map((when) => ({ type, when, place: index + 1 }))
    : [],
)

describe('given a run that is killed and goes on', () => {
  it('has every step in its record', () => {
    expect(whole.filter((type) => type.startsWith('reply-'))).toEqual([
      'reply-judging-started',
      'reply-judged',
      'reply-judging-started',
      'reply-judged',
      'reply-settled',
      'reply-delivered',
    ])
  })

  it.each(places)(
    '$when $type ($place): one delivery, of the reply that passed',
    async ({ type, when, place }) => {
      await inFolders(async (store, work) => {
        const first = await child(store, work, 'start', when, String(place))
        expect(first.signal).toBe('SIGKILL')
        const before = await eventsIn(store)
        if (before.some((event) => event.type === 'run-stopped')) return
        const second = await child(store, work, before[0]?.runId ?? '')
        const delivered = await linesOf(work, 'delivered.txt')
        // Between the announcement and the delivery nobody can know: it is not made, and the record says so.
        const isLost = type === 'reply-settled' && when === 'after'
        expect(delivered).toEqual(isLost ? [] : ['All of it is done.'])
        const { transition, reply } = JSON.parse(second.stdout) as Printed
        expect(transition.outcome).toBe('verified')
        const isUnknown = isLost || (type === 'reply-delivered' && when === 'before')
        expect(reply.delivery).toBe(isUnknown ? 'unknown' : 'delivered')
        // Only a question that was not answered is asked again.
        const isOpen = type === 'reply-judged' && when === 'before'
        expect(await linesOf(work, 'judged.txt')).toHaveLength(isOpen ? 3 : 2)
        expect((await eventsIn(store)).slice(0, before.length)).toEqual(before)
      })
    },
  )
})
