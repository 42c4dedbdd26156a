/** The entry of all hooks: what an agent tells on standard input in, what it is to do out, in its own words. */
import type { HookReply, HostReading } from '@donecheck/agents/hooks'
import type { HostAnswer, HostEvent } from '@donecheck/agents/host'
import { listCheckNotes } from '@donecheck/engine/process'
import { realPath, stateHome, type HomeEnvironment } from '@donecheck/engine/base'
import { readHookCall, type HookCall } from './input/call.ts'
import { answerFailure, type CallProgress } from './failure/answer-failure.ts'
import { readHookInput, type HookInput, isTooDeep } from './input/read-input.ts'
import { problemOfLostInstallation, findHookedProject, type HookedProject } from './input/project.ts'
import type { HookRequest } from './input/request.ts'
import { forgetFailures, noteSessionFolder, readSessionFolder } from './session/session-notes.ts'
import { withTimeLimit } from './session/time-limit.ts'

interface HookEnvironment extends HomeEnvironment {
  readonly currentFolder: string
  /** Default: standard input. */
  readonly input?: () => HookInput
  /** How long the process of the hook has run: the agent counts from there. Default: not at all. */
  readonly sinceStartMs?: () => number
  /** Where this program is installed, so that it is left alone. */
  readonly programFolder?: string | undefined
}

/** Never rejects, and never answers by an exit code that blocks: some agents take that for a broken hook. */
export async function answerHook(words: readonly string[], around: HookEnvironment): Promise<HookReply> {
  const call = readHookCall(words)
  if (typeof call === 'string') return { exitCode: 1, stdout: '', stderr: `donecheck hook: ${call}\n` }
  const { protocol, event } = call
  return protocol.answer(event, await answerCall(call, around))
}

const pass: HostAnswer = { kind: 'pass' }

async function answerCall(call: HookCall, around: HookEnvironment): Promise<HostAnswer> {
  const { environment, homeFolder, currentFolder, programFolder } = around
  const { agent, projectVariable = '' } = call.protocol
  const progress: CallProgress = { call, home: around, session: `${agent} ${currentFolder}` }
  try {
    const reading = readCall(call, (around.input ?? readHookInput)(), around)
    const isForCheck = await worksForCheck(around)
    if (isForCheck && !call.isProposal) return pass
    const said = reading.kind === 'read' ? reading.folder : undefined
    // Variables of other agents, in whose terminal it may have been started, are no word of its.
    const named = environment[projectVariable]
    const folder = named === undefined || named === '' ? (said ?? currentFolder) : named
    progress.folder = folder
    if (reading.kind === 'read') {
      progress.event = reading.event
      progress.session = `${agent}/${reading.sessionId}`
    }
    const project = findProject(reading, folder, progress.session, around)
    if (project === undefined) return isForCheck ? pass : answerUnconfigured(call, folder, around)
    if (reading.kind === 'unreadable') throw new TypeError(reading.problem)
    const { sessionId, unattended, record } = reading
    const known = { environment, homeFolder, programFolder, sessionId, unattended, record }
    const request: HookRequest = { ...project, ...known, call }
    progress.request = request
    const event = withFolder(reading.event, reading.folder)
    if (event.kind === 'irrelevant') return pass
    if (isForCheck) return await answerForCheck(event, request)
    const answer = await observeEvent(event, request, around)
    if (call.isClaim) forgetFailures(progress.session, around)
    return answer
  } catch (error) {
    return answerFailure(error, progress)
  }
}

/** @throws {TypeError} at what could be held, where it cannot be that nothing was ever configured */
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

/** Of the session, wherever its agent went. One that is begun, or gone on with, in a project belongs there from then on. */
function findProject(
  reading: HostReading,
  folder: string,
  session: string,
  around: HookEnvironment,
): HookedProject | undefined {
  if (reading.kind === 'unreadable') return findHookedProject(folder, around)
  const noted = readSessionFolder(session, around)
  const begins = reading.event.kind === 'session-started'
  const own = noted === undefined || begins ? undefined : findHookedProject(noted, around)
  const project = own ?? findHookedProject(folder, around)
  if (project !== undefined && project.workFolder !== noted)
    noteSessionFolder(session, project.workFolder, around)
  return project
}

/** Where the agent is, its relative paths begin. */
function withFolder(event: HostEvent, folder: string | undefined): HostEvent {
  if (event.kind !== 'tool-proposed' || folder === undefined) return event
  return { ...event, call: { ...event.call, folder } }
}

/** In the middle of a turn little is needed; whatever needs more is taken up by the whole program, from the beginning. */
const quickKinds: readonly HostEvent['kind'][] = [
  'tool-proposed',
  'tool-finished',
  'replied',
  'session-started',
]

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
  const { fullSession, isAttended } = await import('./session/full-session.ts')
  const seen = isAttended(event, request)
  const { hostedSession, close } = await fullSession(seen.request)
  try {
    const { timeoutSeconds } = request.call
    return await withTimeLimit(
      timeoutSeconds,
      (signal) => hostedSession.observe(seen.event, signal),
      sinceStartMs(),
    )
  } finally {
    await close()
  }
}

/** What an agent that works for a check may do is judged all the same; nothing of it is written down. */
async function answerForCheck(event: HostEvent, request: HookRequest): Promise<HostAnswer> {
  if (event.kind !== 'tool-proposed') return pass
  const { answerStateless } = await import('./session/full-session.ts')
  return answerStateless(event.call, request)
}

/**
 * The agent works for a check, a judge perhaps: to hold it would run the checks again, and its own agent in them, for ever.
 * The ancestors of this process are read only while a check runs.
 */
async function worksForCheck(home: HomeEnvironment): Promise<boolean> {
  if (listCheckNotes(stateHome(home)).length === 0) return false
  const { isWithinCheck } = await import('./session/full-session.ts')
  return isWithinCheck(stateHome(home))
}
