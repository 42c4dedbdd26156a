/** kill -9 around the call for a summary: it is asked for once at most, and the end is the same. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type RunEvent } from 'donecheck'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundled.ts'

const { program, environment, remove } = await bundled('crashing-final-summary.ts')
afterAll(remove)

interface Ended {
  readonly stdout: string
  readonly signal: string | null
}

interface Printed {
  readonly transition: StopTransition
  readonly usage: { readonly modelCalls: number }
}

function child(...words: string[]): Promise<Ended> {
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

/** What the record says when the process is killed at that append, and what a second process makes of it. */
async function crashAt(when: 'before' | 'after', place: number) {
  const store = await mkdtemp(join(tmpdir(), 'donecheck-wrap-up-'))
  const work = await mkdtemp(join(tmpdir(), 'donecheck-wrap-up-work-'))
  try {
    const first = await child(store, work, 'start', when, String(place))
    const before = await eventsIn(store)
    const second = await child(store, work, before[0]?.runId ?? '')
    const asked = await readFile(join(work, 'asked.txt'), 'utf8').catch(() => '')
    return {
      first,
      before,
      result: JSON.parse(second.stdout) as Printed,
      asked,
      events: await eventsIn(store),
    }
  } finally {
    await rm(store, { recursive: true, force: true })
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * The type of the first event of every append of a whole run: those of its start go in one, as do those of its end.
 */
async function appendsOfWholeRun(): Promise<readonly string[]> {
  const store = await mkdtemp(join(tmpdir(), 'donecheck-wrap-up-'))
  const work = await mkdtemp(join(tmpdir(), 'donecheck-wrap-up-work-'))
  try {
    await child(store, work, 'start')
    const types = (await eventsIn(store)).map(({ type }) => type)
    return types.filter((type) => type !== 'goal-set' && type !== 'run-stopped')
  } finally {
    await rm(store, { recursive: true, force: true })
    await rm(work, { recursive: true, force: true })
  }
}

describe('given a process that is killed around the call for a summary', () => {
  it('asks once at most, books it once, and ends the same', async () => {
    const appends = await appendsOfWholeRun()
    const called = appends.indexOf('final-summary-called') + 1
    const replied = called + 1
    expect(appends[called]).toBe('final-summary-replied')
    for (const [when, place, summaryBy, asked] of [
      ['before', called, 'agent', 'asked\n'],
      ['after', called, 'program', ''],
      ['before', replied, 'program', 'asked\n'],
      ['after', replied, 'agent', 'asked\n'],
    ] as const) {
      const label = `killed ${when} append ${place}`
      const crashed = await crashAt(when, place)
      expect(crashed.first.signal, label).toBe('SIGKILL')
      expect(crashed.result.transition, label).toMatchObject({
        reason: 'hard_cap',
        cap: 'iterations',
        summaryBy,
      })
      expect(crashed.asked, label).toBe(asked)
      expect(crashed.result.usage.modelCalls, label).toBe(3)
      const calls = crashed.events.filter(({ type }) => type === 'final-summary-called')
      expect(calls, label).toHaveLength(1)
      expect(crashed.events.slice(0, crashed.before.length), label).toEqual(crashed.before)
    }
  })
})
