/** Two processes want changes of the goal of one run, while it works: what becomes of the goal, of its account and of its record. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import {
  createAgentLoop,
  gateByApproval,
  openSqliteStore,
  scriptedAgent,
  verifierOf,
  type Agent,
  type RunEvent,
  type Store,
  type Tool,
} from 'donecheck'
import { fold, type RunState } from '@donecheck/core/internal/state'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundled.ts'
import { anyTurns, type Turn } from './goal-askings.ts'
import { ledgerOf } from './goal-ledger.ts'
import type { Asked } from './goal-writing.ts'

const { program, environment, remove } = await bundled('goal-writing.ts')
const writers = [startWriter(), startWriter()]
afterAll(async () => {
  for (const { end } of writers) await end()
  await remove()
})

/** A process that is told what to ask for, and answers in the order of the questions. */
function startWriter() {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => child.on('close', resolve))
  const waiting: ((answer: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line))
  const ask = (asked: Asked) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting.push(resolve)
    child.stdin.write(`${JSON.stringify(asked)}\n`)
    return promise
  }
  return { ask, end: () => (child.stdin.end(), exited) }
}

interface Told {
  readonly events: readonly RunEvent[]
  /** As the run had them, not as they are folded afterwards. */
  readonly states: readonly RunState[]
  /** Of the forged events. */
  readonly appends: readonly string[]
  readonly store: Store
}

/** Plays the turns, goes on after each pause, and looks when nobody asks for anything any more. */
async function played(turns: readonly Turn[], look: (told: Told) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'donecheck-writers-'))
  const [folder, storeFolder] = [join(root, 'work'), join(root, 'store')]
  mkdirSync(folder)
  const store = openSqliteStore({ folder: storeFolder })
  const states: RunState[] = []
  const appends: string[] = []
  const left = [...turns]
  let unanswered: Promise<void>[] = []

  const ask = async (writer: number, runId: string, { how, goal, change }: Turn['asks'][0][0]) => {
    const answer = await writers[writer]?.ask({ storeFolder, runId, how, goal, change })
    if (how === 'forged') appends.push(answer ?? 'no answer')
  }
  const agent = scriptedAgent(
    [
      async ({ runId, turn }) => {
        const now = left.shift()
        if (now === undefined) {
          await Promise.all(unanswered)
          unanswered = []
          writeFileSync(join(folder, 'done.txt'), 'done')
          return 'It is done.'
        }
        const running = now.asks.flatMap((ofOne, writer) =>
          ofOne.map((one) => ({ one, answered: ask(writer, runId, one) })),
        )
        unanswered.push(...running.map(({ answered }) => answered))
        await Promise.all(running.filter(({ one }) => one.isAwaited).map(({ answered }) => answered))
        const { inputTokens, outputTokens } = now
        return {
          tools: [{ tool: 'note', args: { turn } }],
          usage: { inputTokens, outputTokens, estimated: false },
        }
      },
    ],
    { repeatLast: true },
  )
  const loop = loopIn(folder, { agent, store, states })
  try {
    let { runId, state } = await loop.run('work')
    for (let goals = 5; left.length > 0 || unanswered.length > 0; goals += 1) {
      if (state.goal.isCleared)
        await loop.goal.change(runId, { kind: 'replaced', goalId: `goal-${goals}`, objective: 'go on' })
      ;({ runId, state } = await loop.resume(runId))
      states.push(state)
    }
    const reopened = openSqliteStore({ folder: storeFolder })
    await look({ events: await reopened.read(runId), states, appends, store: reopened })
    await reopened.close()
  } finally {
    await store.close()
    rmSync(root, { recursive: true })
  }
}

interface Parts {
  readonly agent: Agent
  readonly store: Store
  /** Gets every state that the run decides upon. */
  readonly states: RunState[]
}

function loopIn(folder: string, { agent, store, states }: Parts) {
  return createAgentLoop({
    agent,
    workFolder: folder,
    store,
    tools: [noting(folder)],
    gate: gateByApproval('never'),
    guard: false,
    hardVerifiers: [verifierOf('done', () => existsSync(join(folder, 'done.txt')))],
    hardCap: { iterations: 100 },
    softVerifiers: { stagnation: 'off', rules: [(state) => void states.push(state)] },
  })
}

function noting(folder: string): Tool {
  return {
    name: 'note',
    description: 'writes down which turn it is',
    parameters: { type: 'object' },
    effect: 'write',
    prepare: async (args) => ({
      kind: 'ready',
      summary: 'note',
      run: async () => {
        writeFileSync(join(folder, 'notes.txt'), JSON.stringify(args))
        return { status: 'ok', output: 'noted' }
      },
    }),
  }
}

describe('given two processes that ask for changes of the goal of one run', () => {
  const holds = (look: (told: Told) => Promise<void> | void) =>
    fc.assert(
      fc.asyncProperty(anyTurns, (turns) => played(turns, async (told) => look(told))),
      { numRuns: 8, endOnFailure: true },
    )

  it('charges no goal with a call of another, and has one goal at a time', { timeout: 300_000 }, () =>
    holds(({ events, states }) => {
      const ledger = ledgerOf(events)
      for (const { sequence, goal } of states) {
        const entry = ledger[sequence - 1]
        expect(goal.id).toBe(entry?.goalId)
        expect(goal.spent).toMatchObject(entry?.spent ?? {})
      }
      const ids = ledger.at(-1)?.goalIds ?? []
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )

  it(
    'answers each of them once, in their order, and refuses who means another goal',
    { timeout: 300_000 },
    () =>
      holds(async ({ events, store, appends }) => {
        const ledger = ledgerOf(events)
        const answers = events.flatMap((event) =>
          event.type === 'goal-changed' || event.type === 'goal-change-refused' ? [event] : [],
        )
        const requests = await store.goalRequests(events[0]?.runId ?? '', 0)
        expect(answers.map(({ request }) => request)).toEqual(requests.map(({ number }) => number))
        for (const [index, answer] of answers.entries()) {
          const current = ledger[answer.sequence - 2]?.goalId
          if (answer.type === 'goal-changed') expect(answer.goalId).toBe(current)
          const meant = requests[index]?.request.goalId ?? null
          if (meant !== null && meant !== current) expect(answer.type).toBe('goal-change-refused')
        }
        expect(appends.filter((append) => append !== 'conflict')).toEqual([])
      }),
  )

  it(
    'gives the same state to whoever reads the record at any step, and takes nothing back',
    { timeout: 300_000 },
    () =>
      holds(({ events, states }) => {
        for (const state of states) expect(fold(events.slice(0, state.sequence))).toEqual(state)
        states.reduce((before, after) => {
          if (before.goal.id !== after.goal.id) return after
          for (const name of ['inputTokens', 'outputTokens', 'activeMs', 'turns'] as const)
            expect(after.goal.spent[name]).toBeGreaterThanOrEqual(before.goal.spent[name])
          expect(after.goal.revision).toBeGreaterThanOrEqual(before.goal.revision)
          return after
        })
      }),
  )
})
