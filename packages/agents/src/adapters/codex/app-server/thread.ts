import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fieldOf, payloadOf, textIn } from '../../../protocol/host/index.ts'
import {
  configurationFailure,
  failedTurn,
  type AgentSignal,
  type RpcPeer,
  type RpcReply,
} from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import { donecheckVersion, given, UsageError } from '@donecheck/engine/internal/base'

type NoResult = Exclude<RpcReply, { kind: 'result' }>

type Opened =
  | {
      readonly kind: 'opened'
      readonly threadId: string
      /** The path of its record; undefined if Codex keeps none. */
      readonly rollout: string | undefined
    }
  | Extract<AgentSignal, { kind: 'session-lost' | 'turn-ended' }>

const unread = [
  'item/agentMessage/delta',
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/reasoning/textDelta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/plan/delta',
  'turn/diff/updated',
]

export async function openThread(
  peer: RpcPeer,
  { folder, choices }: { readonly folder: string; readonly choices: AppServerChoices },
  session: string | undefined,
): Promise<Opened> {
  const hello = await peer.request('initialize', {
    clientInfo: { name: 'donecheck', title: 'donecheck', version: donecheckVersion },
    capabilities: { experimentalApi: true, optOutNotificationMethods: unread },
  })
  if (hello.kind !== 'result') return notGreeted(hello, peer)
  await peer.notify('initialized')
  const { model, sandbox, approvalPolicy } = choices
  const settings = {
    cwd: folder,
    // Our gate decides, whatever the user configured.
    approvalsReviewer: 'user',
    ...given({ model, sandbox, approvalPolicy }),
    ...(await asTrustedAsBefore(peer, folder)),
  }
  const opened =
    session === undefined
      ? await peer.request('thread/start', settings)
      : await peer.request('thread/resume', { ...settings, threadId: session, excludeTurns: true })
  if (opened.kind !== 'result') return notOpened(opened, session)
  const thread = payloadOf(opened.result['thread'])
  const threadId = textIn(thread, 'id')
  if (threadId === undefined) return openingFailure('codex app-server opened a thread and did not name it')
  // An active goal starts a turn as soon as its thread is resumed.
  const goal = await peer.request('thread/goal/get', { threadId })
  if (goal.kind === 'result' && payloadOf(goal.result['goal']) !== undefined) await pauseGoal(peer, threadId)
  return { kind: 'opened', threadId, rollout: textIn(thread, 'path') }
}

/** Codex starts turns by itself for an active goal. Does nothing without a goal. */
export async function pauseGoal(peer: RpcPeer, threadId: string): Promise<void> {
  await peer.request('thread/goal/set', { threadId, status: 'paused' })
}

export async function steer(peer: RpcPeer, threadId: string, turnId: string, text: string): Promise<void> {
  await peer.send('turn/steer', { threadId, expectedTurnId: turnId, input: [{ type: 'text', text }] })
}

const wayOut =
  "donecheck drives Codex over its app-server: update it, or run it with --agent 'codex exec {prompt}'"

async function notGreeted(reply: NoResult, peer: RpcPeer): Promise<Opened> {
  if (reply.kind === 'error')
    return openingFailure(`codex app-server refused to begin: ${reply.message}. ${wayOut}`)
  const { kind, problem } = await peer.ended
  return openingFailure(
    kind === 'not-started'
      ? `codex cannot be run: ${problem}`
      : `codex app-server did not begin: ${problem}. ${wayOut}`,
  )
}

function notOpened(reply: NoResult, session: string | undefined): Opened {
  if (reply.kind !== 'error') {
    const message = 'codex app-server ended before it had opened a thread'
    return failedTurn({ kind: 'cut-off', retryable: true, message })
  }
  const isUnknown = /no rollout found|thread not found|invalid session id|no saved session/i.test(
    reply.message,
  )
  return session !== undefined && isUnknown
    ? { kind: 'session-lost', message: `codex knows no thread ${session}` }
    : openingFailure(`codex app-server opened no thread: ${reply.message}`)
}

function openingFailure(message: string): Opened {
  return failedTurn(configurationFailure(message))
}

/** Keeps Codex from marking the repository as trusted in the user's settings. @returns thread settings */
export async function asTrustedAsBefore(
  peer: Pick<RpcPeer, 'request'>,
  folder: string,
): Promise<Readonly<Record<string, JsonValue>>> {
  const reported = await peer.request('config/read', { cwd: folder, includeLayers: false })
  const projects = reported.kind === 'result' ? fieldOf(reported.result['config'], 'projects') : undefined
  const decided = Object.entries(payloadOf(projects) ?? {}).flatMap(([path, project]) =>
    textIn(project, 'trust_level') === undefined ? [] : [path],
  )
  if ([folder, ...findRepositories(folder)].some((path) => decided.includes(path))) return {}
  return { config: { projects: { [folder]: { trust_level: 'untrusted' } } } }
}

function findRepositories(folder: string): readonly string[] {
  for (let root = folder; ; root = dirname(root)) {
    const entry = join(root, '.git')
    if (existsSync(entry)) return [root, ...findMainRepository(entry)]
    if (dirname(root) === root) return []
  }
}

function findMainRepository(entry: string): readonly string[] {
  try {
    const [, main] = /^gitdir: (.+)\/\.git\/worktrees\/[^/\n]+\s*$/u.exec(readFileSync(entry, 'utf8')) ?? []
    return main === undefined ? [] : [main]
  } catch {
    return []
  }
}

export interface AppServerChoices {
  readonly flags: readonly string[]
  readonly model: string | undefined
  readonly sandbox: string | undefined
  readonly approvalPolicy: string | undefined
}

/** Codex asks about every command and change; what our gate allows still runs in the Codex sandbox. */
const defaults = { sandbox: 'workspace-write', approvalPolicy: 'untrusted' } as const

const sandboxes = ['read-only', 'workspace-write', 'danger-full-access']

const everything = ['--dangerously-bypass-approvals-and-sandbox', '--yolo']

/** The user's arguments win. @throws {UsageError} for an argument that the app-server does not support */
export function readAppServerWords(words: readonly string[]): AppServerChoices {
  const flags: string[] = []
  const chosen: { model?: string; sandbox?: string; approvalPolicy?: string } = {}
  const rest = words.flatMap((word) => splitAtEqualSign(word))
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const value = (): string => rest.shift() ?? missing(word)
    if (['-m', '--model'].includes(word)) chosen.model = value()
    else if (['-s', '--sandbox'].includes(word)) chosen.sandbox = knownSandbox(value())
    else if (['-a', '--ask-for-approval'].includes(word)) chosen.approvalPolicy = value()
    else if (['-c', '--config', '--enable', '--disable'].includes(word)) flags.push(word, value())
    else if (word === '--strict-config') flags.push(word)
    else if (everything.includes(word))
      Object.assign(chosen, { sandbox: 'danger-full-access', approvalPolicy: 'never' })
    else if (word !== '--skip-git-repo-check' && word !== '--json') unknown(word)
  }
  const isSet = (name: string) => flags.some((flag) => flag.startsWith(`${name}=`))
  return {
    flags,
    model: chosen.model,
    sandbox: chosen.sandbox ?? (isSet('sandbox_mode') ? undefined : defaults.sandbox),
    approvalPolicy: chosen.approvalPolicy ?? (isSet('approval_policy') ? undefined : defaults.approvalPolicy),
  }
}

export function isConfined({ sandbox, flags }: AppServerChoices): boolean {
  if (sandbox !== undefined) return sandbox !== 'danger-full-access'
  return !flags.some((flag) => /^sandbox_mode=.*danger/.test(flag))
}

function splitAtEqualSign(word: string): readonly string[] {
  const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? []
  return name === undefined || value === undefined ? [word] : [name, value]
}

function knownSandbox(name: string): string {
  if (sandboxes.includes(name)) return name
  throw new UsageError(`codex has no sandbox "${name}"; it knows ${sandboxes.join(', ')}`)
}

function missing(word: string): never {
  throw new UsageError(`${word} of codex needs a value`)
}

function unknown(word: string): never {
  const command = ['codex', 'exec', ...(word === 'exec' ? [] : [word]), '{prompt}'].join(' ')
  throw new UsageError(
    `codex app-server cannot be told "${word}": set it with -c KEY=VALUE, or run Codex as a program of your own with --agent '${command}'`,
  )
}
