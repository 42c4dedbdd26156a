/** The entry of all hooks: what an agent tells on standard input in, what it is to do out, in its own words. */
import type { HookReply, HostAnswer, HostEvent, HostReading } from '../../agents/index.ts'
import { readHookCall, type HookCall } from './call.ts'
import { answerToCrash } from './crash-answer.ts'
import { forgetCrashes } from './crashes.ts'
import { readHookInput, type HookInput } from './input.ts'
import { forgetLetGo } from './let-go.ts'
import { lostInstallation } from './lost-installation.ts'
import { folderOfCall, realFolder, ridingProject, type RidingProject } from './project.ts'
import type { HookRequest } from './request.ts'
import { notePlaceOfSession, placeOfSession } from './session-place.ts'
import { isTooDeep } from './too-deep.ts'
import { worksForCheck } from './within-check.ts'
import { withinTime } from './within-time.ts'

export interface HookSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  readonly currentFolder: string
  /** Default: standard input. */
  readonly input?: () => HookInput
  /** How long the process of the hook has run: the agent counts from there. Default: not at all. */
  readonly sinceStartMs?: () => number
  /** Where this program is installed, so that it is left alone. */
  readonly programFolder?: string | undefined
}

/** Never rejects, and never answers by an exit code that blocks: some agents take that for a broken hook. */
export async function answerHook(words: readonly string[], around: HookSurroundings): Promise<HookReply> {
  const call = readHookCall(words)
  if (typeof call === 'string') return { exitCode: 1, stdout: '', stderr: `donecheck hook: ${call}\n` }
  const { protocol, event } = call
  return protocol.answer(event, await answerOf(call, around))
}

const pass: HostAnswer = { kind: 'pass' }

async function answerOf(call: HookCall, around: HookSurroundings): Promise<HostAnswer> {
  const found: Found = { session: `${call.protocol.agent} ${around.currentFolder}` }
  try {
    const input = (around.input ?? readHookInput)()
    const reading = readingOf(call, input, around)
    const isForCheck = await worksForCheck(around)
    if (isForCheck && !call.isProposal) return pass
    if (reading.kind === 'read') found.event = reading.event
    const { projectVariable = '' } = call.protocol
    const named = around.environment[projectVariable]
    const folder = folderOfCall(folderIn(reading), named, around.currentFolder)
    found.folder = folder
    if (reading.kind === 'read') found.session = `${call.protocol.agent}/${reading.sessionId}`
    const project = projectOf(reading, folder, found.session, around)
    if (project === undefined) return isForCheck ? pass : unconfigured(call, folder, around)
    if (reading.kind === 'unreadable') throw new TypeError(reading.problem)
    const { sessionId, unattended, record } = reading
    const event = withFolder(reading.event, reading.folder)
    const { environment, homeFolder, programFolder } = around
    const request: HookRequest = {
      ...project,
      call,
      sessionId,
      unattended,
      record,
      environment,
      homeFolder,
      programFolder,
    }
    found.request = request
    if (event.kind === 'irrelevant') return pass
    if (isForCheck) return await judgedForCheck(event, request)
    const answer = await observed(event, request, around)
    if (call.isClaim) forgetFailures(found.session, around)
    return answer
  } catch (error) {
    const { session, event, folder, request } = found
    return answerToCrash(error, { call, session, around, event, folder, request })
  }
}

/** What is known of a call, as far as it has come. */
interface Found {
  session: string
  event?: HostEvent
  folder?: string
  request?: HookRequest
}

function forgetFailures(session: string, around: HookSurroundings): void {
  forgetCrashes(session, around)
  forgetLetGo(session, around)
}

/** @throws {TypeError} at what could be held, where it cannot be that nothing was ever configured */
function unconfigured(
  { isClaim, isProposal }: HookCall,
  folder: string,
  around: HookSurroundings,
): HostAnswer {
  const problem = isClaim || isProposal ? lostInstallation(realFolder(folder), around) : undefined
  if (problem !== undefined) throw new TypeError(problem)
  return pass
}

function readingOf(call: HookCall, input: HookInput, { environment }: HookSurroundings): HostReading {
  if (input.kind === 'unreadable') return input
  if (isTooDeep(input.payload))
    return { kind: 'unreadable', problem: 'its input has more lists within lists than can be looked at' }
  return call.protocol.read(call.event, input.payload, environment)
}

/** Of the session, wherever its agent went. One that is begun, or gone on with, in a project belongs there from then on. */
function projectOf(
  reading: HostReading,
  folder: string,
  session: string,
  around: HookSurroundings,
): RidingProject | undefined {
  if (reading.kind === 'unreadable') return ridingProject(folder, around)
  const noted = placeOfSession(session, around)
  const begins = reading.event.kind === 'session-started'
  const own = noted === undefined || begins ? undefined : ridingProject(noted, around)
  const project = own ?? ridingProject(folder, around)
  if (project !== undefined && project.workFolder !== noted)
    notePlaceOfSession(session, project.workFolder, around)
  return project
}

/** Where the agent is, its relative paths begin. */
function withFolder(event: HostEvent, folder: string | undefined): HostEvent {
  if (event.kind !== 'tool-proposed' || folder === undefined) return event
  return { ...event, call: { ...event.call, folder } }
}

function folderIn(reading: HostReading): string | undefined {
  return reading.kind === 'read' ? reading.folder : undefined
}

/** In the middle of a turn little is needed; whatever needs more is taken up by the whole program, from the beginning. */
const quickKinds: readonly HostEvent['kind'][] = [
  'tool-proposed',
  'tool-finished',
  'replied',
  'session-started',
]

async function observed(
  event: HostEvent,
  request: HookRequest,
  { sinceStartMs = () => 0 }: HookSurroundings,
): Promise<HostAnswer> {
  if (quickKinds.includes(event.kind)) {
    const { quickly } = await import('./quickly.ts')
    const quick = await quickly(event, request)
    if (quick !== undefined) return quick
  }
  const { fullRide, whoSits } = await import('./full-ride.ts')
  const seen = whoSits(event, request)
  const { ride, close } = await fullRide(seen.request)
  try {
    const { timeoutSeconds } = request.call
    return await withinTime(timeoutSeconds, (signal) => ride.observe(seen.event, signal), sinceStartMs())
  } finally {
    await close()
  }
}

/** What an agent that works for a check may do is judged all the same; nothing of it is written down. */
async function judgedForCheck(event: HostEvent, request: HookRequest): Promise<HostAnswer> {
  if (event.kind !== 'tool-proposed') return pass
  const { judgedAlone } = await import('./full-ride.ts')
  return judgedAlone(event.call, request)
}
