/** From the first word with `codex app-server` to a thread that waits for a turn. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { numberIn, payloadOf, textIn, type Payload } from '../../../protocol/hooks/index.ts'
import { failedTurn, type AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { GoalView } from '@donecheck/core/prompts'
import { donecheckVersion, given } from '@donecheck/engine/base'
import { codexGoal, goalIn, pauseGoal } from './goal.ts'
import type { AppServerPeer, ServerReply } from './peer.ts'
import type { AppServerChoices } from './arguments.ts'

type Opened =
  | {
      readonly kind: 'opened'
      readonly threadId: string
      /** Its record. Undefined: Codex keeps none, or does not say where. */
      readonly rollout: string | undefined
    }
  | Extract<AgentSignal, { kind: 'session-lost' | 'turn-ended' }>

/** What is not looked at, and would only cost time. */
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
  peer: AppServerPeer,
  { folder, choices }: { readonly folder: string; readonly choices: AppServerChoices },
  { session, goal }: { readonly session: string | undefined; readonly goal: GoalView | undefined },
): Promise<Opened> {
  const hello = await peer.request('initialize', {
    clientInfo: { name: 'donecheck', title: 'donecheck', version: donecheckVersion },
    capabilities: { experimentalApi: true, optOutNotificationMethods: unread },
  })
  if (hello.kind !== 'result') return notGreeted(hello, peer)
  await peer.notify('initialized')
  const settings = { ...settingsOf(folder, choices), ...(await asTrustedAsBefore(peer, folder)) }
  const opened =
    session === undefined
      ? await peer.request('thread/start', settings)
      : await peer.request('thread/resume', { ...settings, threadId: session, excludeTurns: true })
  if (opened.kind !== 'result') return notOpened(opened, session)
  const thread = payloadOf(opened.result['thread'])
  const threadId = textIn(thread, 'id')
  if (threadId === undefined) return openingFailure('codex app-server opened a thread and did not name it')
  await tellGoal(peer, threadId, goal)
  return { kind: 'opened', threadId, rollout: textIn(thread, 'path') }
}

function settingsOf(
  folder: string,
  { model, sandbox, approvalPolicy }: AppServerChoices,
): Readonly<Record<string, JsonValue>> {
  return {
    cwd: folder,
    // Whatever the user has configured: it is our gate that answers.
    approvalsReviewer: 'user',
    ...given({ model, sandbox, approvalPolicy }),
  }
}

/** A Codex without goals does without. One that is active begins a turn as soon as its thread is gone on with: it is paused by this. */
async function tellGoal(peer: AppServerPeer, threadId: string, goal: GoalView | undefined): Promise<void> {
  const reported = await peer.request('thread/goal/get', { threadId })
  const known = reported.kind === 'result' ? goalIn(reported.result) : undefined
  if (goal !== undefined) {
    const tokensUsed = known === undefined ? 0 : (numberIn(known, 'tokensUsed') ?? 0)
    await peer.request('thread/goal/set', { threadId, ...codexGoal(goal, tokensUsed) })
  } else if (known !== undefined) await pauseGoal(peer, threadId)
}

/** Old versions of Codex have no such server. */
const wayOut =
  "donecheck drives Codex over its app-server: update it, or run it with --agent 'codex exec {prompt}'"

async function notGreeted(
  reply: Exclude<ServerReply, { kind: 'result' }>,
  peer: AppServerPeer,
): Promise<Opened> {
  if (reply.kind === 'error')
    return openingFailure(`codex app-server refused to begin: ${reply.message}. ${wayOut}`)
  const { kind, problem } = await peer.ended
  if (kind === 'not-started') return openingFailure(`codex cannot be run: ${problem}`)
  return openingFailure(`codex app-server did not begin: ${problem}. ${wayOut}`)
}

function notOpened(reply: Exclude<ServerReply, { kind: 'result' }>, session: string | undefined): Opened {
  if (reply.kind === 'gone')
    return openingFailure('codex app-server ended before it had opened a thread', true)
  if (session !== undefined && isUnknownThread(reply.message))
    return { kind: 'session-lost', message: `codex knows no thread ${session}` }
  return openingFailure(`codex app-server opened no thread: ${reply.message}`)
}

function openingFailure(message: string, retryable = false): Opened {
  return failedTurn({ kind: retryable ? 'cut-off' : 'configuration', retryable, message })
}

/** As Codex says it of a thread that it has no record of. */
function isUnknownThread(message: string): boolean {
  return /no rollout found|thread not found|invalid session id|no saved session/i.test(message)
}

/**
 * Where a thread is opened with a sandbox that may write, in a git repository of which nothing is said, Codex writes into its
 * user's settings that it is trusted. So something is said of it, to this process alone, which changes nothing: it is as little
 * trusted as before. Where the user has decided, it is their word that counts.
 * @param folder absolute, links followed
 * @returns settings of a thread
 */
export async function asTrustedAsBefore(
  peer: Pick<AppServerPeer, 'request'>,
  folder: string,
): Promise<Readonly<Record<string, JsonValue>>> {
  const reported = await peer.request('config/read', { cwd: folder, includeLayers: false })
  const config = reported.kind === 'result' ? payloadOf(reported.result['config']) : undefined
  const projects = payloadOf(config?.['projects'])
  if ([folder, ...findRepositories(folder)].some((path) => isDecided(projects, path))) return {}
  return { config: { projects: { [folder]: { trust_level: 'untrusted' } } } }
}

function isDecided(projects: Payload | undefined, path: string): boolean {
  const project = projects !== undefined && Object.hasOwn(projects, path) ? projects[path] : undefined
  return textIn(payloadOf(project), 'trust_level') !== undefined
}

/** The root of the repository that the folder is in, and of the one of which that is a work tree. */
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
    // It is a folder: the repository itself.
    return []
  }
}
