import { fold, type RunState } from '@donecheck/core/internal/state'
import type { Outcome } from '@donecheck/core/internal/events/transitions'
import type { VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import type { HostSession, Store } from '@donecheck/engine/internal/ports/store'
import { endOf, waitsOf } from '@donecheck/agents/internal/session'
import { oneLine, type Line, type Tone } from '@donecheck/engine/display'
import { isInside } from '@donecheck/engine/store'
import { readAllowedStops, type AllowedStop } from '../../hook/notes.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import { paintLines } from '../../output/wrap.ts'
import type { StoreFlags } from '../../options/flags.ts'

export async function statusCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  const allowedStops = ofProject(readAllowedStops(io), resolveWorkFolder(flags.workdir, io))
  // Shown before opening the store: an unreadable store may be the cause.
  if (flags.json !== true)
    for (const one of allowedStops) io.stdout.write(`${paintLines([allowedLine(one)], io)}\n`)
  return withStore(flags, io, async (store) => {
    const sessions = await sessionStatuses(store)
    if (flags.json === true)
      io.stdout.write(`${JSON.stringify([...sessions, ...allowedStops.map(statusOfAllowed)])}\n`)
    else if (sessions.length === 0) io.stdout.write(`no sessions of agents in ${store.place}\n`)
    else io.stdout.write(`${paintLines(sessions.flatMap(statusLines), io)}\n`)
    return 0
  })
}

/** Shows stops of this project, and those whose folder is unknown. */
function ofProject(stops: readonly AllowedStop[], workFolder: string): readonly AllowedStop[] {
  return stops.filter(
    ({ folder }) => folder === undefined || isInside(folder, workFolder) || isInside(workFolder, folder),
  )
}

function statusOfAllowed({ session, atMs, problem }: AllowedStop) {
  const more = { updatedAtMs: atMs, outcome: null, reason: null, allowedStop: problem, checks: [] }
  return { ...namesIn(session), ...more }
}

function allowedLine({ session, atMs, problem }: AllowedStop): Line {
  return {
    tone: 'bad',
    text: `${oneLine(session, 60)}  ${timeWords(atMs)}  allowed to stop, not verified: ${oneLine(problem, 120)}`,
  }
}

interface SessionStatus {
  readonly agent: string
  readonly session: string
  readonly runId: string
  readonly task: string
  readonly updatedAtMs: number
  /** Null while the run is open. */
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly phase: RunState['phase']['kind']
  readonly waitsFor: readonly string[]
  readonly blockedStops: { readonly times: number; readonly atMost: number | null }
  readonly checks: readonly CheckStatus[]
}

interface CheckStatus {
  readonly name: string
  readonly status: VerdictStatus | undefined
  readonly reason: string
}

/** Latest first; skips sessions whose record cannot be read. */
async function sessionStatuses(store: Store): Promise<readonly SessionStatus[]> {
  const found: SessionStatus[] = []
  for (const { key, runId } of await store.hostSessions()) {
    const state = fold(await store.read(runId))
    const session = await store.hostSession(key)
    if (state !== undefined && session !== undefined) found.push(statusOf(session, state))
  }
  return found
}

function statusOf(session: HostSession, state: RunState): SessionStatus {
  const end = endOf(state)
  return {
    ...namesIn(session.key),
    runId: state.runId,
    task: state.task,
    updatedAtMs: session.updatedAtMs,
    outcome: end?.outcome ?? null,
    reason: end?.reason ?? null,
    phase: state.phase.kind,
    waitsFor: end === undefined ? waitsOf(session) : [],
    blockedStops: { times: state.blockedStops, atMost: state.settings.caps.maxBlockedStops },
    checks: Object.entries(state.checks).map(([name, { latest }]) => ({
      name,
      status: latest?.status,
      reason: latest?.reason ?? '',
    })),
  }
}

function namesIn(key: string) {
  const slash = key.indexOf('/')
  return { agent: key.slice(0, slash), session: key.slice(slash + 1) }
}

function statusLines(session: SessionStatus): readonly Line[] {
  const { agent, runId, task, updatedAtMs, blockedStops, checks } = session
  const often =
    blockedStops.times === 0
      ? ''
      : `; stop blocked ${Math.min(blockedStops.times, blockedStops.atMost ?? blockedStops.times)}${blockedStops.atMost === null ? '' : ` of ${blockedStops.atMost}`} times`
  const { tone, text } = endLine(session)
  return [
    {
      tone: 'strong',
      text: `${agent} ${oneLine(session.session, 40)}  ${timeWords(updatedAtMs)}  ${oneLine(task, 60)}`,
    },
    { tone, text: `  ${text}${often}` },
    ...checks.map(checkLine),
    { tone: 'quiet', text: `  donecheck show ${runId}` },
  ]
}

function timeWords(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

function endLine({ outcome, reason, phase, waitsFor }: SessionStatus): Line {
  const doing = waitsFor.length === 0 ? phase : `waits for ${oneLine(waitsFor.join(', '), 100)}`
  if (outcome === null) return { tone: 'plain', text: `open (${doing}), and nothing is verified` }
  if (outcome === 'verified') return { tone: 'good', text: `verified (${reason ?? ''})` }
  return { tone: 'bad', text: `not verified: ${outcome} (${reason ?? ''})` }
}

function checkLine({ name, status, reason }: CheckStatus): Line {
  const tone: Tone = status === 'passed' ? 'good' : status === undefined ? 'quiet' : 'bad'
  const said =
    status === undefined ? 'not asked yet' : `${status}${reason === '' ? '' : `: ${oneLine(reason, 100)}`}`
  return { tone, text: `  ${oneLine(name, 40)}  ${said}` }
}
