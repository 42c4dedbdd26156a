import type { HookReply, HostReading } from '@donecheck/agents/hooks'
import type { HostAnswer, HostEvent } from '@donecheck/agents/host'
import { listCheckNotes } from '@donecheck/engine/process'
import { realPath, stateHome, type HomeEnvironment } from '@donecheck/engine/base'
import { readHookCall, type HookCall } from './input/call.ts'
import { answerFailure, type CallProgress } from './failure/answer-failure.ts'
import { readHookInput, type HookInput, isTooDeep } from './input/read-input.ts'
import { areTreesOfOneRepository } from './input/linked-worktree.ts'
import { problemOfLostInstallation, type HookedProject } from './input/project.ts'
import type { HookRequest } from './input/request.ts'
import { forgetFailures } from './session/session-notes.ts'
import { findSessionTrees } from './session/session-trees.ts'
import { withTimeLimit } from './session/time-limit.ts'

interface HookEnvironment extends HomeEnvironment {
  readonly currentFolder: string
  readonly input?: () => HookInput
  /** Milliseconds since the process started, from which the agent counts its timeout. */
  readonly sinceStartMs?: () => number
  readonly programFolder?: string | undefined
}

/** Never rejects, and never exits with a code that blocks: some agents take that for a broken hook. */
export async function answerHook(words: readonly string[], around: HookEnvironment): Promise<HookReply> {
  const call = readHookCall(words)
  if (typeof call === 'string') return { exitCode: 1, stdout: '', stderr: `donecheck hook: ${call}\n` }
  const { protocol, event } = call
  return protocol.answer(event, await answerCall(call, around))
}

const pass: Extract<HostAnswer, { kind: 'pass' }> = { kind: 'pass' }

async function answerCall(call: HookCall, around: HookEnvironment): Promise<HostAnswer> {
  const { environment, homeFolder, currentFolder, programFolder } = around
  const { agent, projectVariable = '' } = call.protocol
  const progress: CallProgress = { call, home: around, session: `${agent} ${currentFolder}` }
  try {
    const reading = readCall(call, (around.input ?? readHookInput)(), around)
    const isForCheck = await worksForCheck(around)
    if (isForCheck && !call.isProposal) return pass
    const said = reading.kind === 'read' ? reading.folder : undefined
    // Ignores variables of other agents, in whose terminal this one may run.
    const named = environment[projectVariable]
    const folder = chooseFolder(named, said, currentFolder)
    progress.folder = folder
    if (reading.kind === 'read') {
      progress.event = reading.event
      progress.session = `${agent}/${reading.sessionId}`
    }
    const found = findSessionTrees(reading, folder, progress.session, around)
    if (found === undefined) return isForCheck ? pass : answerUnconfigured(call, folder, around)
    if (reading.kind === 'unreadable') throw new TypeError(reading.problem)
    const { sessionId, unattended } = reading
    const known = { environment, homeFolder, programFolder, unattended }
    const [first] = found.trees
    const requestOf = (project: HookedProject): HookRequest => {
      // Trees may share a store but need separate sessions.
      const isFirst = project.workFolder === first?.workFolder
      return {
        ...project,
        ...known,
        call,
        sessionId: isFirst ? sessionId : `${sessionId} ${project.workFolder}`,
      }
    }
    const request = requestOf(found.current)
    progress.request = request
    const event = withFolder(reading.event, reading.folder)
    if (event.kind === 'irrelevant') return pass
    if (isForCheck) return await answerForCheck(event, request)
    const requests = event.kind === 'stopping' ? found.trees.map(requestOf) : [request]
    const answer = await observeInEach(event, requests, around)
    if (call.isClaim) forgetFailures(progress.session, around)
    return answer
  } catch (error) {
    return answerFailure(error, progress)
  }
}

/** The variable names the main checkout even while the agent works in a linked work tree. */
function chooseFolder(named: string | undefined, said: string | undefined, currentFolder: string): string {
  if (named === undefined || named === '') return said ?? currentFolder
  return said !== undefined && areTreesOfOneRepository(named, said) ? said : named
}

/** @throws {TypeError} at a claim or call if something was installed here but is gone */
function answerUnconfigured(
  { isClaim, isProposal }: HookCall,
  folder: string,
  around: HookEnvironment,
): HostAnswer {
  const problem = isClaim || isProposal ? problemOfLostInstallation(realPath(folder), around) : undefined
  if (problem !== undefined) throw new TypeError(problem)
  return pass
}

function readCall(call: HookCall, input: HookInput, { environment }: HookEnvironment): HostReading {
  if (input.kind === 'unreadable') return input
  if (isTooDeep(input.payload))
    return { kind: 'unreadable', problem: 'its input has more lists within lists than can be looked at' }
  return call.protocol.read(call.event, input.payload, environment)
}

/** Relative paths start where the agent is. */
function withFolder(event: HostEvent, folder: string | undefined): HostEvent {
  if (event.kind !== 'tool-proposed' || folder === undefined) return event
  return { ...event, call: { ...event.call, folder } }
}

/** Events in the middle of a turn, answered without loading the checks. */
const quickKinds: readonly HostEvent['kind'][] = [
  'tool-proposed',
  'tool-finished',
  'replied',
  'session-started',
]

/** The first answer that is not a pass wins. */
async function observeInEach(
  event: HostEvent,
  requests: readonly HookRequest[],
  around: HookEnvironment,
): Promise<HostAnswer> {
  const notices: string[] = []
  let last = pass
  for (const request of requests) {
    const answer = await observeEvent(event, request, around)
    if (answer.kind !== 'pass') return answer
    last = answer
    if (answer.notice !== undefined) notices.push(answer.notice)
  }
  return notices.length === 0 ? last : { ...last, notice: notices.join('\n') }
}

async function observeEvent(
  event: HostEvent,
  request: HookRequest,
  { sinceStartMs = () => 0 }: HookEnvironment,
): Promise<HostAnswer> {
  if (quickKinds.includes(event.kind)) {
    const { answerQuickly } = await import('./session/quick-session.ts')
    const answer = await answerQuickly(event, request)
    if (answer !== undefined) return answer
  }
  const { fullSession } = await import('./session/full-session.ts')
  const { hostedSession, close } = await fullSession(request)
  try {
    const { timeoutSeconds } = request.call
    return await withTimeLimit(
      timeoutSeconds,
      (signal) => hostedSession.observe(event, signal),
      sinceStartMs(),
    )
  } finally {
    await close()
  }
}

/** Judges calls without recording anything. */
async function answerForCheck(event: HostEvent, request: HookRequest): Promise<HostAnswer> {
  if (event.kind !== 'tool-proposed') return pass
  const { answerStateless } = await import('./session/full-session.ts')
  return answerStateless(event.call, request)
}

/**
 * Whether the agent works for a check, such as a judge: holding it would recurse forever.
 * Reads the ancestors of this process only while a check runs.
 */
async function worksForCheck(home: HomeEnvironment): Promise<boolean> {
  if (listCheckNotes(stateHome(home)).length === 0) return false
  const { isWithinCheck } = await import('./session/full-session.ts')
  return isWithinCheck(stateHome(home))
}
