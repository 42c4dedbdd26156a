/** What the lines of `codex exec --json` mean. Pure. */
import {
  jsonOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  usageSince,
  type AgentCall,
  type AgentSignal,
  type LineTranslator,
  type LinesEnd,
  type Payload,
  type TurnEnded,
} from '../../agents/index.ts'
import type { JsonValue, TokenUsage, ToolEffect } from '../../events/index.ts'
import { planOfList } from './plan.ts'
import { scriptOf } from './shell-script.ts'
import { usageOf } from './thread-usage.ts'
import { failureOf } from './turn-failure.ts'

export interface ExecTurn {
  /** The thread that is gone on with. */
  readonly session: string | undefined
  /** What the thread had used before this turn: Codex tells the total of the thread. Undefined: nothing, or nobody knows. */
  readonly usedBefore: TokenUsage | undefined
  /** Called with the thread's total at the end of the turn. */
  readonly onTotal?: (total: TokenUsage) => void
}

/** Of one turn. A process that ends with exit code 0 has ended a turn, and no more than that. */
export class ExecTranslator implements LineTranslator {
  readonly #turn: ExecTurn
  readonly #open = new Set<string>()
  #ended: TurnEnded | undefined
  #text = ''
  #error = ''
  #hasBegun = false

  constructor(turn: ExecTurn) {
    this.#turn = turn
  }

  get isOver(): boolean {
    return this.#ended !== undefined
  }

  *line(value: JsonValue): Generator<AgentSignal> {
    const event = payloadOf(value)
    if (event === undefined || this.isOver) return
    const item = payloadOf(event['item'])
    switch (textIn(event, 'type')) {
      case 'thread.started': {
        this.#hasBegun = true
        const id = textIn(event, 'thread_id')
        if (id !== undefined) yield { kind: 'session', id }
        return
      }
      case 'item.updated':
        if (textIn(item, 'type') === 'todo_list' && item !== undefined) yield planOfList(item)
        return
      case 'item.started':
        if (item !== undefined) yield* this.#begun(item)
        return
      case 'item.completed':
        if (item !== undefined) yield* this.#done(item)
        return
      case 'turn.completed':
        this.#ended = { kind: 'turn-ended', text: this.#text, ...this.#usage(event['usage']) }
        return
      case 'turn.failed': {
        const message = textIn(payloadOf(event['error']), 'message') ?? this.#error
        this.#ended = { kind: 'turn-ended', text: this.#text, failure: failureOf(message) }
        return
      }
      case 'error':
        this.#error = textIn(event, 'message') ?? ''
        return
      default:
    }
  }

  end(end: LinesEnd): ReturnType<LineTranslator['end']> {
    if (this.#ended?.failure !== undefined || (this.#ended !== undefined && end.exitCode === 0))
      return this.#ended
    if (this.#ended !== undefined)
      return { ...this.#ended, problem: `codex said that its turn was over, and ${end.problem}` }
    const isLost = !this.#hasBegun && this.#turn.session !== undefined && isUnknownThread(end.stderrTail)
    if (isLost) return { kind: 'session-lost', message: `codex knows no thread ${this.#turn.session}` }
    return { kind: 'turn-ended', text: this.#text, ...this.#withoutEnd(end) }
  }

  #withoutEnd(end: LinesEnd): Pick<TurnEnded, 'problem' | 'failure'> {
    if (end.kind === 'not-started')
      return {
        failure: { kind: 'configuration', retryable: false, message: `codex cannot be run: ${end.problem}` },
      }
    if (this.#hasBegun) {
      const said = this.#error === '' ? '' : `, after it had said: ${this.#error}`
      return { problem: `codex ended in the middle of its turn: ${end.problem}${said}` }
    }
    const message = `codex began no turn: ${end.problem}`
    return { failure: { kind: 'configuration', retryable: false, message } }
  }

  *#begun(item: Payload): Generator<AgentSignal> {
    if (textIn(item, 'type') === 'todo_list') yield planOfList(item)
    const call = callOf(item)
    if (call === undefined || this.#open.has(call.callId)) return
    this.#open.add(call.callId)
    yield call
  }

  *#done(item: Payload): Generator<AgentSignal> {
    if (textIn(item, 'type') === 'agent_message') {
      this.#text = textIn(item, 'text') ?? ''
      yield { kind: 'text', piece: this.#text }
      return
    }
    yield* this.#begun(item)
    const callId = textIn(item, 'id') ?? ''
    if (this.#open.delete(callId)) yield { kind: 'call-ended', callId, ...resultOf(item) }
  }

  #usage(told: unknown): Pick<TurnEnded, 'usage'> {
    const total = usageOf(told)
    if (total === undefined) return {}
    this.#turn.onTotal?.(total)
    return { usage: usageSince(total, this.#turn.usedBefore) }
  }
}

/** As Codex says it of a thread that it has no record of. */
export function isUnknownThread(message: string): boolean {
  return /no rollout found|thread not found|invalid session id|no saved session/i.test(message)
}

/** Undefined: it acts on nothing (a message, a thought, a list of what is to do, a warning). */
function callOf(item: Payload): AgentCall | undefined {
  const callId = textIn(item, 'id') ?? ''
  const call = (tool: string, args: JsonValue, effect: ToolEffect): AgentCall => ({
    kind: 'call',
    ...{ callId, tool, args, effect },
  })
  switch (textIn(item, 'type')) {
    case 'command_execution': {
      const line = textIn(item, 'command') ?? ''
      return call('exec_command', { command: scriptOf(line) ?? line }, 'execute')
    }
    case 'file_change':
      return call('apply_patch', { changes: jsonOf(item['changes']) }, 'write')
    case 'mcp_tool_call': {
      const tool = `${textIn(item, 'server') ?? 'mcp'}/${textIn(item, 'tool') ?? 'tool'}`
      return call(tool, jsonOf(item['arguments']), 'execute')
    }
    case 'web_search':
      return call('web_search', { query: textIn(item, 'query') ?? '' }, 'read')
    case 'collab_tool_call':
      return {
        ...call(`collab/${textIn(item, 'tool') ?? 'agent'}`, { prompt: textOf(item['prompt']) }, 'execute'),
        holdsOthers: true,
      }
    default:
      return undefined
  }
}

function resultOf(item: Payload): { readonly status: 'ok' | 'error'; readonly output: string } {
  const status = textIn(item, 'status') ?? 'completed'
  const exitCode = numberIn(item, 'exit_code')
  const isOk = status === 'completed' && (exitCode ?? 0) === 0
  const how = isOk || exitCode === undefined ? [] : [`exit code ${exitCode}`]
  const said = [
    textIn(item, 'aggregated_output'),
    textOf(item['result']),
    textIn(payloadOf(item['error']), 'message'),
  ]
  const output = [...said, ...how].filter((part) => part !== undefined && part !== '').join('\n')
  return { status: isOk ? 'ok' : 'error', output: output === '' ? (pathsOf(item) ?? status) : output }
}

function pathsOf(item: Payload): string | undefined {
  const paths = listIn(item, 'changes').map(
    (change) => `${textIn(change, 'kind') ?? 'change'} ${textIn(change, 'path') ?? ''}`,
  )
  return paths.length === 0 ? undefined : `${textIn(item, 'status') ?? 'done'}: ${paths.join(', ')}`
}
