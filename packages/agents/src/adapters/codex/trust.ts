/** Codex runs no hook that it does not trust, and says nothing of it: whoever installs one must write that it is trusted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '@donecheck/engine/process'
import { folderNamed, type CompanionText, type SettingsCompanion } from '../../protocol/settings/index.ts'
import { isTrueIn, listIn, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { startJsonLines } from '../../protocol/stream/index.ts'
import { AppServerPeer } from './app-server/peer.ts'
import { keysOfOurs, withoutTrust, withTrust, type HookKey } from './trust-text.ts'

export const codexTrust: SettingsCompanion = {
  file: (place) => join(folderNamed('CODEX_HOME', place, join(place.homeFolder, '.codex')), 'config.toml'),
  async agreeing({ text, hooks, place }): Promise<CompanionText> {
    const digests = await computeDigests(hooks.text, place.environment)
    if (typeof digests === 'string') return { kind: 'unknown', problem: digests }
    const trusted = new Map<HookKey, string>()
    for (const key of keysOfOurs(hooks)) {
      const digest = digests.get(key.slice(hooks.file.length))
      if (digest === undefined) return { kind: 'unknown', problem: `Codex does not know the hook ${key}` }
      trusted.set(key, digest)
    }
    const after = withTrust(text, trusted)
    return after === undefined
      ? { kind: 'unknown', problem: 'what is trusted cannot be written into config.toml as it stands' }
      : { kind: 'agrees', text: after }
  },
  without: (text, hooks) => withoutTrust(text, keysOfOurs(hooks)),
}

/**
 * By what follows the file in its key. Codex computes them, of a copy in a home of its own: they do not depend on the place,
 * and nothing is written before the person has agreed. A text says why they are not known.
 */
async function computeDigests(
  hooks: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, string> | string> {
  const program = findProgram('codex', environment)
  if (program === undefined) return 'codex is not installed here'
  const home = await mkdtemp(join(tmpdir(), 'donecheck-codex-'))
  try {
    const file = join(home, 'hooks.json')
    await writeFile(file, hooks)
    const known = Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const listed = await listHooks({
      program,
      folder: home,
      environment: { ...Object.fromEntries(known), HOME: home, CODEX_HOME: home },
    })
    if (listed.kind === 'unknown') return listed.problem
    return new Map(
      listed.hooks
        .filter(({ key }) => key.startsWith(file))
        .map(({ key, hash }) => [key.slice(file.length), hash] as const),
    )
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

export interface ListedHook {
  readonly key: string
  readonly command: string
  readonly hash: string
  /** Such as `trusted`, `untrusted`, `modified` or `managed`. */
  readonly trust: string
  readonly isEnabled: boolean
}

export type HookList =
  | { readonly kind: 'listed'; readonly hooks: readonly ListedHook[] }
  | { readonly kind: 'unknown'; readonly problem: string }

interface ListRequest {
  /** Absolute. */
  readonly program: string
  /** Whose project hooks are meant. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

const timeoutMs = 15_000

/** What Codex itself says of the hooks that it finds: by its app-server, which is asked and ended. Never rejects. */
export async function listHooks({ program, folder, environment }: ListRequest): Promise<HookList> {
  const server = startJsonLines({
    command: { words: [program, 'app-server'] },
    ...{ folder, environment },
    keepsInputOpen: true,
  })
  const timer = setTimeout(() => void server.end(), timeoutMs)
  try {
    const peer = new AppServerPeer(server)
    const clientInfo = { name: 'donecheck', title: 'donecheck', version: '0' }
    await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } })
    await peer.notify('initialized')
    const reply = await peer.request('hooks/list', { cwds: [folder] })
    switch (reply.kind) {
      case 'result':
        if (!Array.isArray(reply.result['data']))
          return {
            kind: 'unknown',
            problem: 'codex app-server does not list hooks: its answer holds no list',
          }
        return { kind: 'listed', hooks: hooksIn(reply.result) }
      case 'error':
        return { kind: 'unknown', problem: `codex app-server does not list hooks: ${reply.message}` }
      case 'gone':
        return { kind: 'unknown', problem: `codex app-server did not say: ${(await server.ended).problem}` }
    }
  } finally {
    clearTimeout(timer)
    await server.end()
  }
}

function hooksIn(result: Payload): readonly ListedHook[] {
  const hooks = listIn(result, 'data').flatMap((place) => listIn(place, 'hooks'))
  return hooks.map((hook) => ({
    key: textIn(hook, 'key') ?? '',
    command: textIn(hook, 'command') ?? '',
    hash: textIn(hook, 'currentHash') ?? '',
    trust: textIn(hook, 'trustStatus') ?? '',
    isEnabled: isTrueIn(hook, 'enabled'),
  }))
}
