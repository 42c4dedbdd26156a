/** Codex runs no hook that it does not trust, and says nothing of it: whoever installs one must write that it is trusted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../protocol/registry/index.ts'
import { folderNamed, type CompanionText, type SettingsCompanion } from '../../protocol/settings/index.ts'
import { listHooks } from './hook-list.ts'
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
  const program = await findProgram('codex', environment)
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
