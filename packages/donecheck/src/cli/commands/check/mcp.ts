import { hostedOptions } from '../../wiring/judging/judging-options.ts'
import { leftOutOf, withTextsRead } from '../../wiring/judging/texts.ts'
import { openSessionRegistry, serveOverStdio } from '../../../mcp/index.ts'
import { killAllProcesses } from '@donecheck/engine/process'
import { createHostedSession } from '@donecheck/agents/session'
import { approverOf } from '../../wiring/gate/gate.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import { reportFailure } from '../../process/failure.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice } from '../../output/wrap.ts'
import { openStore, storeFolderOf, assertStoreOutside } from '../../settings/store-folder.ts'
import { resolveSettings, type Settings } from '../../settings/settings.ts'
import type { RunFlags } from '../../options/flags.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { withSomeCheck } from '../../wiring/checks/some-check.ts'
import { assertFolder } from './verify.ts'

interface McpFlags extends RunFlags {
  readonly goal?: string
}

export async function mcpCommand(flags: McpFlags, io: CliIo): Promise<number> {
  try {
    const settings = await resolveSettings(flags, io)
    assertFolder(settings.workFolder)
    const { workFolder } = settings
    const config = await withSomeCheck(await withTextsRead(settings.config, workFolder, io), workFolder, io)
    for (const line of leftOutOf(config)) writeNotice(line, io)
    await serve(
      { ...settings, config },
      flags.goal ?? 'What the user has asked for, until its checks pass.',
      io,
    )
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

/** Standard output carries the protocol. */
async function serve({ config, workFolder }: Settings, goal: string, io: CliIo): Promise<void> {
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const store = await openStore(config.store, workFolder, io)
  const interrupts = listenForInterrupts(
    () => undefined,
    () => {
      killAllProcesses()
      process.exit(0)
    },
  )
  const { signal } = interrupts
  keepOwnModules()
  try {
    const hostedSession = await createHostedSession({
      agent: 'mcp',
      ...(await hostedOptions({ config, workFolder, store, io })),
      approver: approverOf(config, io, { interrupt: () => undefined }),
      signal,
    })
    const registry = await openSessionRegistry(hostedSession, goal)
    await serveOverStdio(registry, { signal, onProblem: (problem) => io.stderr.write(`${problem}\n`) })
    await hostedSession.observe({ kind: 'session-ended' })
  } finally {
    interrupts.dispose()
    await store.close()
  }
}
