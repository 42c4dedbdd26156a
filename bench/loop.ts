import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createAgentLoop,
  gateByApproval,
  memoryStore,
  openSqliteStore,
  scriptedAgent,
  type RunEvent,
  type Store,
  type Tool,
} from 'donecheck'
import { observedStore } from '@donecheck/engine/store'
import { telemetryObserver } from '@donecheck/engine/telemetry'
import { bareAppendsMs, bareLog } from './bare-sqlite.ts'
import { median, rounded, timed, type Table } from './table.ts'

const turns = 300
const rounds = 5

const look: Tool = {
  name: 'look',
  description: 'looks',
  parameters: { type: 'object' },
  effect: 'read',
  prepare: async (args) => ({
    kind: 'ready',
    summary: 'look',
    run: async () => ({ status: 'ok', output: `seen: ${JSON.stringify(args)}` }),
  }),
}

/** Each turn looks at something else: a loop that repeats itself would be ended. */
const script = Array.from({ length: turns }, (_, page) => ({ tools: [{ tool: 'look', args: { page } }] }))

/** What one turn costs beyond the agent and the tools, which do nothing here. */
export async function loopTable(): Promise<Table> {
  const memoryMs: number[] = []
  const observedMs: number[] = []
  const sqliteMs: number[] = []
  const bareMs: number[] = []
  const withinMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    memoryMs.push((await loopMs(memoryStore())).ms / turns)
    observedMs.push((await loopMs(observedStore(memoryStore(), telemetryObserver()))).ms / turns)
    const { ms, events } = await withSqlite(loopMs)
    sqliteMs.push(ms / turns)
    bareMs.push(bareAppendsMs(appendsOf(events)) / turns)
    withinMs.push((await onBareAppends(loopMs)).ms / turns)
  }
  const ratioOf = (some: readonly number[], others: readonly number[]) =>
    rounded(median(some.map((ms, index) => ms / (others[index] ?? Number.NaN))), 2)
  return {
    title: `loop overhead per turn: a scripted agent and one tool call, ${turns} turns, median of ${rounds} runs`,
    rows: [
      { name: 'memory store', 'ms per turn': rounded(median(memoryMs)), aim: '< 1 ms' },
      { name: 'SQLite store', 'ms per turn': rounded(median(sqliteMs)) },
      { name: 'bare node:sqlite, same appends', 'ms per turn': rounded(median(bareMs)) },
      { name: 'the same loop on bare appends', 'ms per turn': rounded(median(withinMs)) },
      { name: 'SQLite loop / bare', ratio: ratioOf(sqliteMs, bareMs), aim: '<= 1.5' },
      { name: 'SQLite loop / loop on bare appends', ratio: ratioOf(sqliteMs, withinMs), aim: '<= 1.1' },
      { name: 'memory loop told to telemetry / not', ratio: ratioOf(observedMs, memoryMs), aim: '<= 2' },
    ],
  }
}

async function loopMs(store: Store): Promise<{ readonly ms: number; readonly events: readonly RunEvent[] }> {
  const events: RunEvent[] = []
  const loop = createAgentLoop({
    agent: scriptedAgent(script),
    tools: [look],
    gate: gateByApproval('never'),
    hardCap: { iterations: turns, tokens: null, wallClockMs: null },
    store,
  })
  const ms = await timed(async () => {
    for await (const event of loop.run('spin')) events.push(event)
  })
  const ended = events.filter(({ type }) => type === 'turn-ended').length
  if (ended !== turns) throw new Error(`the loop ended after ${ended} of ${turns} turns`)
  return { ms, events }
}

/** The floor of a loop that writes: after work of another kind the same commit takes longer than right after the one before it. */
async function onBareAppends<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
  const [memory, log] = [memoryStore(), bareLog()]
  try {
    return await work({
      ...memory,
      append(expected, events, lease, beside) {
        log.append(events.map((event) => JSON.stringify(event)))
        return memory.append(expected, events, lease, beside)
      },
    })
  } finally {
    log.remove()
  }
}

async function withSqlite<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  const store = openSqliteStore({ folder })
  try {
    return await work(store)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Facts that the loop tells together go into one transaction. */
function appendsOf(events: readonly RunEvent[]): readonly (readonly string[])[] {
  const appends: string[][] = []
  for (const event of events) {
    const isTogether = event.type === 'goal-set' || event.type === 'run-stopped'
    if (isTogether) appends.at(-1)?.push(JSON.stringify(event))
    else appends.push([JSON.stringify(event)])
  }
  return appends
}
