/** Both stores against a model of what a store is: a list of events and a counter of fences. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, describe, expect } from 'vitest'
import { parseEvent, type Fact, type JsonValue, type RunEvent } from '@donecheck/core/internal/events'
import type { Lease, Store } from '../../ports/store.ts'
import {
  modelProposed,
  toolCall,
  toolReturned,
  goalSet,
  runStopped,
  runResumed,
} from '@donecheck/core/internal/testing/facts'
import { stamp, runStarted } from '@donecheck/core/testing'
import { contradictionIn } from './run-file.ts'
import { exportRun, importRun, memoryStore, openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-store-'))
const sqlite = openSqliteStore({ folder })
const memory = memoryStore()
let runs = 0

afterAll(async () => {
  await sqlite.close()
  rmSync(folder, { recursive: true })
})

/** Any characters: zeros, halves of pairs, line ends. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
})
const anyJson = fc
  .jsonValue({ noUnicodeString: false })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue)
const anyFact: fc.Arbitrary<Fact> = fc.oneof(
  anyText.map(goalSet),
  anyText.map((text) => toolReturned('call-1', text)),
  fc.tuple(anyText, anyJson).map(([tool, args]) => modelProposed(toolCall('call-1', tool, args))),
  fc.constantFrom(runResumed(), runStopped('blocked', { outcome: 'blocked' })),
)
const anyRun = fc
  .tuple(fc.array(anyFact, { maxLength: 12 }), fc.integer({ min: 0, max: 2 ** 41 }))
  .map(([facts, startMs]) => stamp([runStarted(), ...facts], { runId: `run-${++runs}`, startMs }))
const anyAttachments = fc.uniqueArray(
  fc.record({ digest: fc.stringMatching(/^[0-9a-f]{8}$/), content: anyText }),
  { selector: ({ digest }) => digest, maxLength: 4 },
)

/** What the door lets through: it drops fields that it does not know. */
function asRead(event: RunEvent): RunEvent {
  const parsed = parseEvent(JSON.parse(JSON.stringify(event)))
  if (parsed.kind === 'invalid') throw new Error(parsed.problem)
  return parsed.event
}

async function linesOf(store: Store, runId: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportRun(store, runId)) lines.push(line)
  return lines
}

describe('given any run', () => {
  test.prop([anyRun, fc.array(fc.nat({ max: 4 }))])(
    'both stores give back what was appended, in batches of any size, and agree on its summary',
    async (events, sizes) => {
      let written = 0
      for (const size of [...sizes, events.length]) {
        const batch = events.slice(written, written + size)
        for (const store of [memory, sqlite])
          expect(await store.append(written, batch, null)).toEqual({ kind: 'appended' })
        written += batch.length
      }
      const runId = events[0]?.runId ?? ''
      const [inMemory, onDisk] = await Promise.all([memory.read(runId), sqlite.read(runId)])
      expect(onDisk).toEqual(events.map(asRead))
      expect(inMemory).toEqual(onDisk)
      const summaryIn = async (store: Store) =>
        (await store.list()).find((summary) => summary.runId === runId)
      expect(await summaryIn(sqlite)).toEqual(await summaryIn(memory))
    },
  )

  test.prop([anyRun, fc.nat({ max: 20 })])(
    'only the length of the stream is accepted as expected',
    async (events, expected) => {
      const runId = events[0]?.runId ?? ''
      const batch = events.map((event, index) => ({ ...event, sequence: expected + index + 1 }))
      for (const store of [memory, sqlite]) {
        await store.append(0, events, null)
        const result = await store.append(expected, batch, null)
        expect(result.kind).toBe(expected === events.length ? 'appended' : 'conflict')
        expect(await store.read(runId)).toHaveLength(
          expected === events.length ? expected * 2 : events.length,
        )
      }
    },
  )

  test.prop([anyRun, anyAttachments])(
    'its export makes the same run elsewhere, byte for byte',
    async (events, attachments) => {
      fc.pre(contradictionIn(events) === undefined)
      const runId = events[0]?.runId ?? ''
      await sqlite.append(0, events, null)
      for (const attachment of attachments) await sqlite.attach(runId, attachment)
      const lines = await linesOf(sqlite, runId)
      const copy = memoryStore()
      expect(await importRun(copy, lines)).toMatchObject({ kind: 'imported', events: events.length })
      expect(await linesOf(copy, runId)).toEqual(lines)
      expect(await importRun(copy, lines)).toEqual({ kind: 'already-there', runId })
      expect(await importRun(sqlite, lines)).toEqual({ kind: 'already-there', runId })
      expect(lines.every((line) => !/[\r\n]/.test(line))).toBe(true)
    },
  )
})

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('acquire' as const), ttlMs: fc.constantFrom(0, 60_000) }),
  fc.record({
    kind: fc.constantFrom('take-over' as const, 'renew' as const, 'release' as const),
    lease: fc.nat(),
  }),
)

describe('given any order of leases', () => {
  test.prop([fc.array(anyStep, { maxLength: 30 })])(
    'fences grow, only the newest may write, and both stores agree',
    async (steps) => {
      const name = `name-${++runs}`
      const holder = { host: 'host', processId: 1, processStart: null, purpose: 'test' }
      const held: Lease[] = []
      for (const step of steps) {
        const request = { name, holder, ttlMs: 60_000 }
        const lease = 'lease' in step ? held.at(step.lease % Math.max(held.length, 1)) : undefined
        const act = async (store: Store): Promise<unknown> => {
          if (step.kind === 'acquire') return store.acquire({ ...request, ttlMs: step.ttlMs })
          if (lease === undefined) return undefined
          if (step.kind === 'renew') return store.renew(lease, 60_000)
          if (step.kind === 'release') return store.release(lease)
          return store.acquire({ ...request, takeOverFence: lease.fence })
        }
        const answer = await act(memory)
        expect(timeless(await act(sqlite))).toEqual(timeless(answer))
        const next = leaseIn(answer)
        if (next === undefined) continue
        expect(next.fence).toBeGreaterThan(held.at(-1)?.fence ?? 0)
        held.push(next)
      }
      for (const old of held.slice(0, -1)) {
        const events = stamp([runStarted()], { runId: `run-${++runs}` })
        for (const store of [memory, sqlite])
          expect(await store.append(0, events, old)).toMatchObject({ kind: 'fenced' })
      }
    },
  )
})

/** Each store has a clock of its own. */
function timeless(answer: unknown): unknown {
  return JSON.parse(JSON.stringify([answer], (key, value: unknown) => (key === 'expiresAtMs' ? 0 : value)))
}

function leaseIn(answer: unknown): Lease | undefined {
  if (typeof answer !== 'object' || answer === null || !('kind' in answer)) return undefined
  return answer.kind === 'held' && 'lease' in answer ? (answer.lease as Lease) : undefined
}
