/** What our record knows of, and the settings of the agent do not: somebody has emptied, broken or replaced them. */
import type { SettingsPlace } from '../../agents/index.ts'
import type { CliIo } from '../io.ts'
import type { FoundSettings } from './installed-hooks.ts'
import type { HookedAgent } from './known-agents.ts'
import { recordedFiles } from './originals.ts'

export async function lostInstallations(
  { protocol, settings }: HookedAgent,
  { installed, problems }: FoundSettings,
  place: SettingsPlace,
  io: CliIo,
): Promise<readonly string[]> {
  const here = (['user', 'project'] as const).map((scope) => settings.file(scope, place))
  const recorded = await recordedFiles(protocol.agent, io)
  return (
    recorded
      .filter(({ file }) => here.includes(file) && installed.every((one) => one.file !== file))
      // What is in a file that cannot be read nobody knows.
      .filter(({ file }) => problems.every((text) => !text.startsWith(`${file} `)))
      .map(
        ({ file, atMs }) =>
          `it was installed on ${new Date(atMs).toISOString().slice(0, 10)} into ${file}, which holds none of our hooks now: donecheck install ${protocol.agent} puts them back, uninstall forgets them`,
      )
  )
}
