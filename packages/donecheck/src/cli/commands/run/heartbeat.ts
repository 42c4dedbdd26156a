import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { UsageError } from '@donecheck/engine/internal/base'
import {
  lastLooksIn,
  nothingDue,
  type AgentLoop,
  type HeartbeatEnd,
} from '@donecheck/engine/internal/loop/compose'
import { errorResult } from '@donecheck/engine/display'
import { heartbeatTask, planHeartbeat } from '@donecheck/engine/internal/checks/heartbeat'
import type { CliIo } from '../../process/io.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { conduct } from '../../wiring/loop/conduct.ts'
import { withPolicyKept } from './run.ts'
import { assertRunnable, withOpenStore } from '../../settings/store-folder.ts'
import { withTextsRead } from '../../wiring/judging/judge.ts'
import { outputFormatOf, type OutputFormat, type RunFlags, type Flags } from '../../options/flags.ts'

type HeartbeatFlags = RunFlags & Flags<'file'>

export async function heartbeatCommand(flags: HeartbeatFlags, io: CliIo): Promise<number> {
  const settings = await resolveSettings(flags, io)
  const { config, workFolder } = settings
  const { file: named } = flags
  const format = outputFormatOf(flags)
  assertRunnable(settings, io)
  const file = named === undefined ? join(workFolder, 'HEARTBEAT.md') : resolve(io.currentFolder, named)
  if (!existsSync(file))
    throw new UsageError(`there is no checklist ${file}; write one, or name another with --file`)
  const checklist = await readFile(file, 'utf8')
  return withOpenStore(settings, io, async (store) => {
    const lastLooks = await lastLooksIn(store, workFolder)
    const plan = planHeartbeat({ name: basename(file), checklist, nowMs: Date.now(), lastLooks })
    if (plan.due.length === 0) return reportNothingDue(nothingDue(plan), format, io)
    const read = await withTextsRead(config, workFolder, io)
    const kept = { ...(await withPolicyKept(read, workFolder, io)), keptHeartbeat: plan }
    const task = heartbeatTask(plan)
    const begin = (loop: AgentLoop) => loop.run(task)
    return conduct({ config: kept, workFolder, store, io, past: [], begin, format })
  })
}

function reportNothingDue({ kind, message }: HeartbeatEnd, format: OutputFormat, io: CliIo): number {
  if (format !== 'text') {
    const result = {
      ...errorResult(0, message, null),
      reason: 'nothing_due',
      outcome: 'skipped',
      heartbeat: kind,
    }
    io.stdout.write(`${JSON.stringify(result)}\n`)
  } else io.stderr.write(`heartbeat: ${message}; nobody was asked\n`)
  return 0
}
