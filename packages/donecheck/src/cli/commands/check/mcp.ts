import { judgedOptions } from '../../wiring/judging/judging-options.ts'
import { openSessionRegistry, serveOverStdio } from '../../../mcp/index.ts'
import { createAgentSession } from '@donecheck/agents/internal/session'
import { approverOf } from '../../wiring/gate/gate.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice } from '../../output/wrap.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { assertRunnable, withOpenStore } from '../../settings/store-folder.ts'
import { interruptible } from '../../process/signals.ts'
import { leftOutOf, withTextsRead } from '../../wiring/judging/judge.ts'
import type { RunFlags, Flags } from '../../options/flags.ts'
import { withSomeCheck } from '../../wiring/some-check.ts'

type McpFlags = RunFlags & Flags<'goal'>

export async function mcpCommand(flags: McpFlags, io: CliIo): Promise<number> {
  const settings = await resolveSettings(flags, io)
  assertRunnable(settings, io)
  const { workFolder } = settings
  const config = await withSomeCheck(await withTextsRead(settings.config, workFolder, io), workFolder, io)
  for (const line of leftOutOf(config)) writeNotice(line, io)
  const goal = flags.goal ?? 'What the user has asked for, until its checks pass.'
  await withOpenStore(settings, io, (store) =>
    interruptible(io, async (signal) => {
      keepOwnModules()
      const agentSession = await createAgentSession({
        agent: 'mcp',
        ...(await judgedOptions({ config, workFolder, store, io }, false)),
        approver: approverOf(config, io, { interrupt: () => undefined }),
        signal,
      })
      const registry = await openSessionRegistry(agentSession, goal)
      await serveOverStdio(registry, { signal, onProblem: (problem) => io.stderr.write(`${problem}\n`) })
      await agentSession.observe({ kind: 'session-ended' })
    }),
  )
  return 0
}
