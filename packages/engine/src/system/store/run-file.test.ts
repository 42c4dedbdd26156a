import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { Store } from '../../ports/store.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { checked, failedVerdict, passedVerdict, runStarted, sampleRun, stamp } from '@donecheck/core/testing'
import { goalSet, runStopped } from '@donecheck/core/internal/testing/facts'
import { memoryStore } from './sqlite/sqlite-store.ts'
import { exportRun, importRun } from './run-file.ts'

const attachments = [
  { digest: 'd1', content: 'the whole output' },
  { digest: 'd2', content: 'another' },
]

async function storeWithRun(): Promise<Store> {
  const store = memoryStore()
  await store.append(0, sampleRun(), null)
  for (const attachment of attachments) await store.attach('run-1', attachment)
  return store
}

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportRun(store, 'run-1')) lines.push(line)
  return lines
}

const lines = await exported(await storeWithRun())
const lastLine = lines.length

/** The lines with one of them changed, counted from 1. */
function withLine(number: number, change: (line: string) => string): string[] {
  return lines.map((line, index) => (index === number - 1 ? change(line) : line))
}

async function expectRefused(
  file: Iterable<string>,
  line: number | undefined,
  problem: RegExp,
): Promise<void> {
  const store = memoryStore()
  const result = await importRun(store, file)
  expect(result).toEqual({ kind: 'refused', line, problem: expect.stringMatching(problem) as unknown })
  expect(await store.list()).toEqual([])
  expect(await store.attachmentsOf('run-1')).toEqual([])
}

describe('given a run in a store', () => {
  it('is exported as a header, its events, and its attachments', () => {
    const [header, ...rest] = lines.map((line): unknown => JSON.parse(line))
    expect(header).toEqual({
      format: 'donecheck-run',
      version: 1,
      runId: 'run-1',
      events: sampleRun().length,
      attachments: 2,
    })
    expect(rest.slice(0, sampleRun().length)).toEqual(sampleRun())
    expect(rest.slice(sampleRun().length)).toEqual(
      attachments.map((attachment) => ({ type: 'attachment', ...attachment })),
    )
  })

  it('cannot be exported from a store that does not have it', async () => {
    const store = memoryStore()
    await expect(exported(store)).rejects.toThrow(UsageError)
    await expect(exported(store)).rejects.toThrow('run run-1 is not in the store in memory')
  })
})

describe('given the file of a run', () => {
  it('says from then on that it was recorded elsewhere', async () => {
    const store = memoryStore()
    await importRun(store, lines)
    expect(await store.list()).toMatchObject([{ runId: 'run-1', imported: true }])
    expect(await (await storeWithRun()).list()).not.toMatchObject([{ imported: true }])
  })
})

describe('given a store with another run of that id', () => {
  const refused = {
    kind: 'refused',
    line: undefined,
    problem: expect.stringContaining('run run-1') as unknown,
  }

  it('refuses one that is longer, shorter, or has other attachments, and changes nothing', async () => {
    const shorter = memoryStore()
    await shorter.append(0, sampleRun().slice(0, -1), null)
    const fewer = memoryStore()
    await fewer.append(0, sampleRun(), null)
    const other = await storeWithRun()
    await other.attach('run-1', { digest: 'd3', content: 'a third' })
    for (const store of [shorter, fewer, other]) {
      const before = await exported(store)
      expect(await importRun(store, lines)).toEqual(refused)
      expect(await exported(store)).toEqual(before)
    }
  })

  it('refuses it where one event differs', async () => {
    const store = await storeWithRun()
    const changed = withLine(3, (line) => line.replace('make the tests pass', 'delete the tests'))
    expect(await importRun(store, changed)).toEqual(refused)
  })
})

describe('given a run whose verdicts contradict its end', () => {
  const run = (verdict: Verdict, ...end: Parameters<typeof runStopped>) =>
    stamp(
      [runStarted({ verifiers: ['tests'] }), goalSet(), checked('turn', verdict), runStopped(...end)].flat(),
    )

  it.each([
    ['a red check', run(failedVerdict('tests'), 'task_complete', { outcome: 'verified' }), 'tests failed'],
    [
      'a reason of another end',
      run(passedVerdict('tests'), 'hard_cap', { outcome: 'verified' }),
      'hard_cap never is',
    ],
  ])('refuses what ends as verified over %s', async (_, events, words) => {
    const store = memoryStore()
    await store.append(0, events, null)
    await expectRefused(await exported(store), undefined, new RegExp(`contradicts itself.*${words}`))
  })

  it('takes what its verdicts bear out', async () => {
    const store = memoryStore()
    await store.append(0, run(passedVerdict('tests'), 'task_complete', { outcome: 'verified' }), null)
    expect(await importRun(memoryStore(), await exported(store))).toMatchObject({ kind: 'imported' })
  })
})

describe('given a file that is not as it should be', () => {
  it('names a missing, foreign or newer header', async () => {
    await expectRefused([], 0, /no line with "format":"donecheck-run"/)
    await expectRefused(['{"format":"other","version":1}'], 1, /format/)
    await expectRefused(lines.slice(1), 1, /format/)
    const newer = withLine(1, (line) => line.replace('"version":1', '"version":2'))
    await expectRefused(newer, 1, /version 2; this donecheck reads version 1: update donecheck/)
  })

  it('names a file that was cut off, and one that goes on', async () => {
    await expectRefused(
      lines.slice(0, -1),
      lastLine - 1,
      new RegExp(`ends early: ${String(sampleRun().length)} events and 2 attachments`),
    )
    await expectRefused(lines.slice(0, 5), 5, /ends early/)
    const withoutAttachments = withLine(1, (line) => line.replace('"attachments":2', '"attachments":0'))
    await expectRefused(
      withoutAttachments.slice(0, 5),
      5,
      new RegExp(`${String(sampleRun().length)} events and 0 attachments`),
    )
    await expectRefused([...lines, lines.at(-1) ?? ''], lastLine + 1, /announced fewer lines/)
  })

  it('names the line that cannot be read', async () => {
    await expectRefused(
      withLine(4, (line) => line.slice(0, -1)),
      4,
      /JSON/,
    )
    await expectRefused(['', ...withLine(4, () => '{')], 5, /JSON/)
    await expectRefused(
      withLine(4, () => '[]'),
      4,
      /./,
    )
    await expectRefused(
      withLine(4, () => '['.repeat(100_000)),
      4,
      /./,
    )
    const newer = withLine(4, (line) => line.replace('"schemaVersion":1', '"schemaVersion":9'))
    await expectRefused(newer, 4, /schema version 9/)
    await expectRefused(
      withLine(lastLine, () => '{"type":"attachment"}'),
      lastLine,
      /digest/,
    )
  })

  it('names an event out of order, of another run, or at a wrong beginning', async () => {
    const swapped = [...lines.slice(0, 2), lines[3] ?? '', lines[2] ?? '', ...lines.slice(4)]
    await expectRefused(swapped, 3, /event 3 where event 2 is expected/)
    const foreign = withLine(3, (line) => line.replace('"runId":"run-1"', '"runId":"run-2"'))
    await expectRefused(foreign, 3, /event of run run-2 in the file of run run-1/)
    const headless = withLine(2, () => (lines[2] ?? '').replace('"sequence":2', '"sequence":1'))
    await expectRefused(headless, 2, /begins with run-started, not goal-set/)
  })

  it('names a run id that not every store can keep', async () => {
    const control = lines.map((line) => line.replace('"runId":"run-1"', String.raw`"runId":"run\u0000"`))
    await expectRefused(control, 1, /a run id has 1 to 200 characters/)
  })
})

describe('given somebody else who writes that run during the import', () => {
  it('refuses the import', async () => {
    const store = memoryStore()
    const racing = { ...store, takeIn: async () => ({ kind: 'conflict', actualSequence: 1 }) as const }
    expect(await importRun(racing, lines)).toMatchObject({ kind: 'refused', line: undefined })
  })
})
