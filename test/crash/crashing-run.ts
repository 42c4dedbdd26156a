/**
 * A child process that runs a small agent and kills itself at a chosen append: `before` it (the effect is done, its
 * event is not) or `after` it. Prints the result as JSON when it is not killed.
 *
 * Words: STORE WORK_FOLDER (start | RUN_ID) [before|after N]
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  acceptAll,
  command,
  createAgentLoop,
  gateByApproval,
  type Agent,
  type Rule,
  type Tool,
} from 'donecheck'
import type { AgentResponse, AgentRequest } from '@donecheck/engine/internal/ports/loop'
import { crashing } from './crashing-store.ts'
import { storeAt } from './store-at.ts'

const [storePlace = '', workFolder = '', beginning = 'start', when, place] = process.argv.slice(2)
const logFile = join(workFolder, 'log.txt')
const lines = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')

const readLog: Tool = {
  name: 'read_log',
  description: 'the lines of the log',
  parameters: { type: 'object' },
  effect: 'read',
  prepare: async () => ({
    kind: 'ready',
    summary: 'read the log',
    run: async () => ({ status: 'ok', output: lines() }),
  }),
}

/** Done twice, it shows: the log holds the line twice. */
const appendLine: Tool = {
  name: 'append_line',
  description: 'append a line to the log',
  parameters: { type: 'object' },
  effect: 'write',
  prepare: async (args) => ({
    kind: 'ready',
    summary: 'append',
    run: async () => {
      appendFileSync(logFile, `${typeof args === 'string' ? args : 'no line'}\n`)
      return { status: 'ok', output: lines() }
    },
  }),
}

/** Looks before it writes, as an agent should that was told that a call's outcome is unknown. */
const lookThenWrite: Agent = {
  description: {
    kind: 'custom',
    name: 'look then write',
    sideEffects: false,
    reportsUsage: true,
    prices: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
    maxOutputTokens: 1000,
    contextWindowTokens: 100_000,
  },
  next: async (request) => (request.replies === 1 && request.attempt === 1 ? outage : replied(request)),
}

const outage = {
  kind: 'failed',
  failure: { kind: 'server-error', message: 'HTTP 503', retryable: true, retryAfterMs: 1 },
  usage: null,
} as const

function replied(request: AgentRequest): AgentResponse {
  return {
    kind: 'replied',
    text: '',
    finish: 'tool-calls',
    usage: { inputTokens: 10, outputTokens: 5, estimated: false },
    toolCalls: [proposal(request)],
  }
}

function proposal({ conversation, replies }: AgentRequest) {
  const last = conversation.rounds.at(-1)?.answers.at(-1)
  const callId = `call-${replies + 1}`
  // A tool that is not there: the refusal is on record too.
  if (replies === 0) return { callId, tool: 'no_such_tool', args: {} }
  if (last === undefined || last.failed) return { callId, tool: 'read_log', args: {} }
  const missing = ['a', 'b'].find((line) => !last.output.split('\n').includes(line))
  return { callId, tool: 'append_line', args: missing ?? 'too many' }
}

/** Something to note, so that a noted finding is a boundary too. */
const noteOnce: Rule = (state) =>
  state.turn < 2
    ? undefined
    : { rule: 'second_turn', level: 'note', message: 'it goes on', numbers: {}, basedOn: [] }

const store = await storeAt(storePlace)
const loop = createAgentLoop({
  agent: lookThenWrite,
  workFolder,
  hardVerifiers: [command(`test "$(cat log.txt)" = "$(printf 'a\\nb')"`)],
  softVerifiers: { rules: [noteOnce] },
  tools: [readLog, appendLine],
  gate: gateByApproval('writes'),
  approver: acceptAll('a test'),
  hardCap: { iterations: 20, modelCalls: 20, toolCalls: 20 },
  store: crashing(store, when, place),
})
const run = beginning === 'start' ? loop.run('write a and b, each once') : loop.resume(beginning)
const { runId, transition, usage } = await run
console.log(JSON.stringify({ runId, transition, usage }))
await store.close()
