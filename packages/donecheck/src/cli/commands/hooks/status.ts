import { oneLine, type Line } from '@donecheck/engine/report'
import { isInside } from '@donecheck/engine/store'
import { sessionStatuses } from '../../agent-hooks/session-status.ts'
import { readAllowedStops, type AllowedStop } from '../../hook/session/session-notes.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/open-store.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { resolveWorkFolder } from '../../settings/work-folder.ts'
import { paintLines } from '../../output/painter.ts'
import { statusLines } from '../../output/status-text.ts'

/** Exits with 0 whatever it tells. */
export async function statusCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  const allowedStop = ofProject(readAllowedStops(io), resolveWorkFolder(flags.workdir, io))
  // A store that cannot be read may be why: it is told before that is opened.
  if (flags.json !== true)
    for (const one of allowedStop) io.stdout.write(`${paintLines([lineOf(one)], io)}\n`)
  return withStore(flags, io, async (store) => {
    const sessions = await sessionStatuses(store)
    if (flags.json === true)
      io.stdout.write(`${JSON.stringify([...sessions, ...allowedStop.map(statusOf)])}\n`)
    else if (sessions.length === 0) io.stdout.write(`no sessions of agents in ${store.place}\n`)
    else io.stdout.write(`${paintLines(sessions.flatMap(statusLines), io)}\n`)
    return 0
  })
}

/** Of other projects their own status tells. One whose folder nobody knows is told everywhere. */
function ofProject(allowedStop: readonly AllowedStop[], workFolder: string): readonly AllowedStop[] {
  return allowedStop.filter(
    ({ folder }) => folder === undefined || isInside(folder, workFolder) || isInside(workFolder, folder),
  )
}

function statusOf({ session, atMs, problem }: AllowedStop) {
  const slash = session.indexOf('/')
  const names = { agent: session.slice(0, slash), session: session.slice(slash + 1) }
  return { ...names, updatedAtMs: atMs, outcome: null, reason: null, allowedStop: problem, checks: [] }
}

function lineOf({ session, atMs, problem }: AllowedStop): Line {
  const when = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
  return {
    tone: 'bad',
    text: `${oneLine(session, 60)}  ${when}  allowed to stop, not verified: ${oneLine(problem, 120)}`,
  }
}
