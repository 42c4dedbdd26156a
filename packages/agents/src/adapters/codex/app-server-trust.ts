/** That donecheck works in a folder is no word of its user's that Codex may trust it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { AppServerPeer } from './app-server-peer.ts'

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
