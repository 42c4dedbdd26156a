import { dirname, resolve } from 'node:path'
import type { HostReading } from '@donecheck/agents/hooks'
import type { HostEvent } from '@donecheck/agents/host'
import type { HomeEnvironment } from '@donecheck/engine/base'
import { areTreesOfOneRepository } from '../input/linked-worktree.ts'
import { findHookedProject, type HookedProject } from '../input/project.ts'
import { noteSessionFolders, readSessionFolders } from './session-notes.ts'

/** The first is where the session started; at a claim each is checked. */
interface SessionTrees {
  readonly trees: readonly HookedProject[]
  readonly current: HookedProject
}

/** A session belongs to the project where it started. Another work tree of the repository joins when the agent writes there. */
export function findSessionTrees(
  reading: HostReading,
  folder: string,
  session: string,
  home: HomeEnvironment,
): SessionTrees | undefined {
  const here = findHookedProject(folder, home)
  if (reading.kind === 'unreadable') return here === undefined ? undefined : { trees: [here], current: here }
  const noted = reading.event.kind === 'session-started' ? [] : readSessionFolders(session, home)
  const known = noted.flatMap((one) => findHookedProject(one, home) ?? [])
  const [first = here, ...others] = known
  if (first === undefined) return undefined
  const isBeside = ({ workFolder }: HookedProject) => areTreesOfOneRepository(workFolder, first.workFolder)
  const target = writtenFolder(reading.event, folder)
  const written = target === undefined ? undefined : findHookedProject(target, home)
  const besides = [written, here].flatMap((one) => (one !== undefined && isBeside(one) ? one : []))
  const isWritten = written !== undefined && besides.includes(written)
  const kept = unique([first, ...others, ...(isWritten ? [written] : [])])
  if (kept.length !== noted.length || kept[0]?.workFolder !== noted[0])
    noteSessionFolders(
      session,
      kept.map(({ workFolder }) => workFolder),
      home,
    )
  // A file outside these trees belongs where the agent is.
  const current = written?.workFolder === first.workFolder ? first : (besides[0] ?? first)
  return { trees: unique([...kept, current]), current }
}

function unique(trees: readonly HookedProject[]): readonly HookedProject[] {
  const folders = trees.map(({ workFolder }) => workFolder)
  return trees.filter(({ workFolder }, index) => folders.indexOf(workFolder) === index)
}

function writtenFolder(event: HostEvent, folder: string): string | undefined {
  if (event.kind !== 'tool-proposed' && event.kind !== 'tool-finished') return undefined
  const { act } = event.call
  return act.kind === 'write' || act.kind === 'edit' ? dirname(resolve(folder, act.path)) : undefined
}
