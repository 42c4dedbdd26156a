import { realpathSync, writeSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { type HookInput, answerToPerson, readHookInput, isTooDeep } from './input.ts'
import type { HookReply, HostReading } from '@donecheck/agents/internal/protocol/hooks'
import type { HostAnswer, HostEvent } from '@donecheck/agents/internal/protocol/host'
import { listCheckNotes } from '@donecheck/engine/internal/system/process'
import { realPath, stateHome, type HomeEnvironment, given, messageOf } from '@donecheck/engine/internal/base'
import { forgetFailures, countCrash, maxCrashes, recordAllowedStop, findSessionTrees } from './notes.ts'
import { readHookCall, type HookCall, withTimeLimit } from './call.ts'
import { areTreesOfOneRepository, problemOfLostInstallation, type HookedProject } from './project.ts'
import type { HookRequest } from './request.ts'

export async function hookMain(words: readonly string[], input?: HookInput): Promise<number> {
  const homeFolder = homedir() === '' ? userInfo().homedir : homedir()
  const around = {
    ...{ environment: process.env, homeFolder, currentFolder: process.cwd() },
    sinceStartMs: () => performance.now(),
    programFolder: programFolder(process.argv[1]),
    ...(input === undefined ? {} : { input: () => input }),
  }
  const { exitCode, stdout, stderr } = answerToPerson(words) ?? (await answerHook(words, around))
  if (stderr !== '') writeAll(2, stderr)
  if (stdout !== '') writeAll(1, stdout)
  return exitCode
}

function programFolder(program: string | undefined): string | undefined {
  try {
    return program === undefined ? undefined : dirname(dirname(realpathSync.native(program)))
  } catch {
    return undefined
  }
}

/** Synchronous, because the process exits right after. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EAGAIN') return
    }
  }
}

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
  const { openSession } = await import('./session.ts')
  const { agentSession, close } = openSession(request)
  try {
    const { timeoutSeconds } = request.call
    return await withTimeLimit(
      timeoutSeconds,
      (signal) => agentSession.observe(event, signal),
      sinceStartMs(),
    )
  } finally {
    await close()
  }
}

/** Judges calls without recording anything. */
async function answerForCheck(event: HostEvent, request: HookRequest): Promise<HostAnswer> {
  if (event.kind !== 'tool-proposed') return pass
  const { answerStateless } = await import('./session.ts')
  return answerStateless(event.call, request)
}

/** Whether the agent works for a check, such as a judge: blocking it would recurse forever. */
async function worksForCheck(home: HomeEnvironment): Promise<boolean> {
  if (listCheckNotes(stateHome(home)).length === 0) return false
  const { isWithinCheck } = await import('./checks.ts')
  return isWithinCheck(stateHome(home))
}

export interface CallProgress {
  readonly call: HookCall
  readonly home: HomeEnvironment
  session: string
  event?: HostEvent
  folder?: string
  request?: HookRequest
}

export async function answerFailure(error: unknown, progress: CallProgress): Promise<HostAnswer> {
  const { call, event, request, session, home } = progress
  const problem = messageOf(error)
  const notice = `donecheck could not check this (${call.event}): ${problem}`
  // Unreadable input: the effect of the call is unknown.
  if (call.isProposal && event === undefined) return { kind: 'refuse', reason: notice }
  const mustHold = request?.configuration.onCrash !== 'allow-stop'
  if (event?.kind === 'tool-proposed' && mustHold) return answerToProposal(event, notice, request)
  if (!call.isClaim) return { kind: 'pass', notice }
  if (!mustHold || !mayHold(progress)) {
    const folder = request?.workFolder ?? progress.folder
    recordAllowedStop({ session, atMs: Date.now(), problem, ...given({ folder }) }, home)
    return { kind: 'pass', notice: `${notice}. The agent is allowed to stop, and nothing is verified.` }
  }
  const feedback = [
    `The checks could not be asked: ${problem}`,
    'Nothing is verified. If you have changed what donecheck needs, put it back; otherwise say to your user that it is broken.',
  ].join('\n')
  return { kind: 'block', feedback, notice }
}

/** If crashes cannot be counted, only the agent's own report of an earlier block limits us. */
function mayHold({ session, home, event }: CallProgress): boolean {
  const count = countCrash(session, home)
  if (count !== undefined) return count <= maxCrashes
  return event?.kind === 'stopping' && !event.wasBlocked
}

type Proposal = Extract<HostEvent, { kind: 'tool-proposed' }>

/** Breaking our record must gain nothing: the gate still decides, and if it cannot, only reads pass. */
async function answerToProposal(
  { call }: Proposal,
  notice: string,
  request: HookRequest | undefined,
): Promise<HostAnswer> {
  if (call.act.kind === 'read') return { kind: 'pass', notice }
  if (request === undefined) return refusal(notice)
  try {
    const { answerStateless } = await import('./session.ts')
    const answer = await answerStateless(call, request)
    return answer.kind === 'pass' ? { ...answer, notice: `${notice}. The call is not on record.` } : answer
  } catch (error) {
    return refusal(`${notice}; nor can it be judged: ${messageOf(error)}`)
  }
}

function refusal(notice: string): HostAnswer {
  const wayOut =
    'Until then only what reads may run. Say so to your user, who can install the hooks anew, or let agents go on without: donecheck uninstall.'
  return { kind: 'refuse', reason: `${notice}. ${wayOut}` }
}
