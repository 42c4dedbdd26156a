/** Runs to look at: recorded ones, a long one, and one whose every text tries to become more than text. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEvent, type Fact, type RunEvent } from '@donecheck/core/internal/events'
import { begun, checked, everyKindOfFact, failedVerdict, passedVerdict, stamp } from '@donecheck/core/testing'
import {
  modelCalled,
  modelReplied,
  runStopped,
  toolCall,
  toolCalled,
  toolReturned,
  turnEnded,
  workspaceObserved,
} from '@donecheck/core/internal/testing/facts'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { importRun } from '@donecheck/engine/store'

const recordings = fileURLToPath(new URL('../recordings/', import.meta.url))

/** Every recorded run of this repository. @returns file name → run id */
export async function takeInRecordings(store: Store): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const file of readdirSync(recordings).filter((name) => name.endsWith('.run.jsonl'))) {
    const result = await importRun(store, readFileSync(recordings + file, 'utf8').split('\n'))
    if (result.kind !== 'imported') throw new TypeError(`${file} cannot be taken in`)
    ids.set(file.replace('.run.jsonl', ''), result.runId)
  }
  return ids
}

/** So many turns of eleven events, in which a failing test is mended at the end. */
export function longRun(turns: number, runId: string): readonly RunEvent[] {
  const caps = { maxIterations: turns + 9, maxTokens: 1_000_000_000 }
  const each = Array.from({ length: turns }, (_, index) => turnOf(index + 1, turns))
  const end = runStopped('task_complete', { outcome: 'verified', message: 'all checks pass' })
  return stamp(
    [begun({ verifiers: ['npm test', 'npm run lint'], caps }, failedVerdict('npm test')), each, end],
    { runId },
  )
}

function turnOf(turn: number, turns: number): readonly Fact[] {
  const callId = `call-${turn}`
  const args = { path: 'src/cart.ts', old_text: 'price', new_text: `price * ${turn}` }
  const tests = turn === turns ? passedVerdict('npm test') : failedVerdict('npm test')
  return [
    modelCalled(turn),
    modelReplied({ text: `I look at line ${turn}.`, toolCalls: [toolCall(callId, 'edit_file', args)] }),
    toolCalled(callId, 'write', 'edit_file'),
    toolReturned(callId, 'edit src/cart.ts (+1 -1): done'),
    workspaceObserved(`tree-${turn}`),
    ...checked('change', tests, passedVerdict('npm run lint')),
    ...(turn === turns ? [] : [turnEnded(turn, 'npm test failed', 'verifier_feedback')]),
  ]
}

/** What must be seen and never done. */
export const hostileText = `<img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script>"'\`]]>--></style></script>\u202Ejavascript:globalThis.taken=1\u0007`

/** Fields that models, tools and people write freely. */
const freeFields =
  /^(?:text|output|reason|message|question|task|name|content|feedback|summary|path|detail|note|told|advice|head|tail|command|why|sessionId|tool|title|notice|donecheckVersion|workFolder|label|labels|judge)$/

/** An event of every kind, in which every free text is hostile; a run that has stopped. */
export function hostileRun(runId: string): readonly RunEvent[] {
  const written = { path: hostileText, content: hostileText }
  const turn = [
    modelCalled(2),
    modelReplied({ toolCalls: [toolCall('call-9', hostileText, written)], text: hostileText }),
    toolCalled('call-9', 'write', hostileText),
    toolReturned('call-9', hostileText),
  ]
  const facts = [...everyKindOfFact.slice(0, -3), ...turn, ...everyKindOfFact.slice(-3)]
  return stamp(facts, { runId }).map((event) => {
    const read = parseEvent(tainted(event, false))
    if (read.kind === 'invalid') throw new TypeError(read.problem)
    return read.event
  })
}

/** The same shape: only what stands in free fields is another text. */
function tainted(value: unknown, isFree: boolean): unknown {
  // Words such as `verifier_feedback` are chosen by us.
  if (typeof value === 'string') return isFree && !/^[a-z]+(?:_[a-z]+)+$/.test(value) ? hostileText : value
  if (Array.isArray(value)) return value.map((each: unknown) => tainted(each, isFree))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, tainted(each, freeFields.test(key))]),
  )
}
