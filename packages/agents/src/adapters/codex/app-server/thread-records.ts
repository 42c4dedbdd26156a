import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { JsonValue, ToolEffect } from '@donecheck/core/internal/events'
import { jsonOf } from '@donecheck/engine/internal/base'
import { jsonValueOf, payloadOf, textIn, textOf, type Payload } from '../../../protocol/host/index.ts'

const newline = 0x0a

/** Reads what was appended since the last read; an unreadable record has nothing new. */
export class RecordFile {
  readonly #path: string
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  async skipToEnd(): Promise<void> {
    this.#offset = await stat(this.#path).then(
      ({ size }) => size,
      () => this.#offset,
    )
  }

  /** Leaves out an unfinished last line and lines that are not JSON. */
  async news(): Promise<readonly unknown[]> {
    const bytes = await readFrom(this.#path, this.#offset)
    const lines = bytes.subarray(0, bytes.lastIndexOf(newline) + 1)
    this.#offset += lines.length
    return lines
      .toString()
      .split('\n')
      .map(jsonOf)
      .filter((value) => value !== undefined)
  }
}

/** Reads regular files only: a pipe could block forever. */
async function readFrom(path: string, start: number): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) return Buffer.alloc(0)
    return await buffer(createReadStream(path, { start }))
  } catch {
    return Buffer.alloc(0)
  }
}

interface ThreadRecord {
  readonly reader: RecordFile
  readonly calls: RecordedCalls
}

export class ThreadRecords {
  readonly #codexHome: string
  readonly #records = new Map<string, ThreadRecord | undefined>()

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#codexHome = codexHomeOf(environment)
  }

  async begin(threadId: string, rollout: string | undefined): Promise<void> {
    const record = this.#add(threadId, rollout)
    await record?.reader.skipToEnd()
  }

  async takeEndedCalls(threadId: string): Promise<readonly RecordedCall[]> {
    return (await this.#upToDate(threadId))?.calls.takeEnded() ?? []
  }

  async leaving(threadId: string, itemId: string): Promise<Leaving> {
    return (await this.#upToDate(threadId))?.calls.leaving(itemId) ?? { kind: 'unknown' }
  }

  async #upToDate(threadId: string): Promise<ThreadRecord | undefined> {
    const known = this.#records.get(threadId)
    const record = known ?? this.#add(threadId, await findRollout(this.#codexHome, threadId))
    record?.calls.add(await record.reader.news())
    return record
  }

  #add(threadId: string, rollout: string | undefined): ThreadRecord | undefined {
    if (rollout === undefined) return undefined
    const record = { reader: new RecordFile(rollout), calls: new RecordedCalls() }
    this.#records.set(threadId, record)
    return record
  }
}

function codexHomeOf(environment: Readonly<Record<string, string | undefined>>): string {
  const { CODEX_HOME: chosen, HOME: home } = environment
  return chosen === undefined || chosen === '' ? join(home ?? homedir(), '.codex') : chosen
}

export async function findRollout(codexHome: string, threadId: string): Promise<string | undefined> {
  const folder = join(codexHome, 'sessions')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const file = found.find((entry) => entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`))
  return file === undefined ? undefined : join(file.parentPath, file.name)
}

export interface RecordedCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly output: string | undefined
}

type Leaving =
  | { readonly kind: 'stays' | 'unknown' }
  | { readonly kind: 'leaves'; readonly reason: string | undefined; readonly prefix: readonly string[] }

export class RecordedCalls {
  readonly #calls: RecordedCall[] = []

  add(records: readonly unknown[]): void {
    for (const record of records.map(payloadOf)) {
      const item = textIn(record, 'type') === 'response_item' ? payloadOf(record?.['payload']) : undefined
      const callId = textIn(item, 'call_id')
      if (item !== undefined && callId !== undefined) this.#addItem(item, callId)
    }
  }

  /** Several calls may share an id; if one leaves the sandbox, all do. */
  leaving(callId: string): Leaving {
    const same = this.#calls.filter((call) => call.callId === callId)
    if (same.length === 0) return { kind: 'unknown' }
    const leaving = same.map(({ args }) => payloadOf(args)).find((args) => isLeaving(args))
    if (leaving === undefined) return { kind: 'stays' }
    const words = leaving['prefix_rule']
    const prefix = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
    return { kind: 'leaves', reason: textIn(leaving, 'justification'), prefix }
  }

  takeEnded(): readonly RecordedCall[] {
    const ended = this.#calls.filter(({ output }) => output !== undefined)
    for (const call of ended) this.#calls.splice(this.#calls.indexOf(call), 1)
    return ended
  }

  #addItem(item: Payload, callId: string): void {
    const type = textIn(item, 'type') ?? ''
    if (/^(?:function|custom_tool)_call$/.test(type)) {
      const names = [textIn(item, 'namespace'), textIn(item, 'name')]
      const tool = names.filter((part) => part !== undefined).join('/')
      this.#calls.push({ callId, tool, args: parseArguments(item), output: undefined })
    }
    if (/^(?:function|custom_tool)_call_output$/.test(type)) {
      const index = this.#calls.findIndex((call) => call.callId === callId && call.output === undefined)
      const call = this.#calls[index]
      if (call !== undefined) this.#calls[index] = { ...call, output: withoutStamps(textOf(item['output'])) }
    }
  }
}

/** Values that differ on every call would make equal results look new. */
function withoutStamps(output: string): string {
  return output.replace(/^(?:Chunk ID|Wall time|Original token count): [^\n]*\n/gm, '')
}

function isLeaving(args: Payload | undefined): boolean {
  const permissions = textIn(args, 'sandbox_permissions')
  return permissions !== undefined && permissions !== 'use_default'
}

function parseArguments(item: Payload): JsonValue {
  const written = textIn(item, 'arguments')
  if (written === undefined) return { input: jsonValueOf(item['input']) }
  const parsed = jsonOf(written)
  return parsed === undefined ? { unreadable: written } : jsonValueOf(parsed)
}

const harmless =
  /^(?:get_goal|create_goal|update_goal|update_plan|view_image|web_search|request_user_input|list_mcp_resources|read_mcp_resource)$/

export function effectOf(tool: string): ToolEffect {
  if (harmless.test(tool)) return 'read'
  return tool === 'apply_patch' ? 'write' : 'execute'
}

const failing =
  /^(?:\w+ verification failed|\w+ failed|unsupported call|patch rejected|failed to|cannot |error)/i

export function hasFailed(output: string): boolean {
  return failing.test(output) || /^Exit code: [1-9]|\bProcess exited with code [1-9]/m.test(output)
}
