import { assertKnownKeys, UsageError } from '../../../base/index.ts'
import { driveFrom } from '../../drives/index.ts'
import { driverlessKeys, partsOf, type AgentLoopOptions } from '../compose.ts'

/**
 * For a run that began on another machine, before it is resumed here: the work folder is as it was when the run began, and its guard takes that for
 * the baseline tree. What the run has done since is laid over it afterwards.
 * @throws {UsageError} where the tree cannot be read
 */
export async function rememberBaseline(options: AgentLoopOptions, runId: string): Promise<void> {
  assertKnownKeys(options, { ...driverlessKeys, drive: 'needed' }, 'rememberBaseline')
  const { doors, signal } = partsOf({ ...options, drive: driveFrom(options.drive) })
  if (doors.guard === null) return
  const request = { runId, trigger: 'baseline', turn: 0, canRetry: false } as const
  const tree = await doors.guard.prepare(request, signal)
  await tree.dispose()
  const { report } = tree
  if (report.status !== 'passed')
    throw new UsageError(`the tree that run ${runId} began with cannot be remembered: ${report.reason}`)
}
