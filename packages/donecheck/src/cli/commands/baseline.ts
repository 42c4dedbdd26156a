/** `donecheck baseline`: what the checks say now, to compare with later. */
import { verifyWork } from '../../verification.ts'
import { evolve, type RunState } from '../../events/index.ts'
import { resultLine } from '../../report/index.ts'
import { baselineTask } from '../baseline.ts'
import { configDigests } from '../config-files.ts'
import { reportFailure } from '../failure.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { RunFlags } from '../options.ts'
import { recipeOfBaseline } from '../recipe.ts'
import { jsonOutput } from '../output/json-output.ts'
import { verificationOutput } from '../output/verification-output.ts'
import { configPlaceOf, settingsOf, type Settings } from '../settings.ts'
import { listenForInterrupts } from '../signals.ts'
import { storeFolderOf } from '../store-folder.ts'
import { assertStoreOutside } from '../store-outside.ts'
import { verificationOptions } from '../verification-options.ts'
import { assertFolder, withSomeCheck } from './verify.ts'

export interface BaselineFlags extends RunFlags {
  readonly at?: string
  readonly json?: boolean
}

export async function baselineCommand(flags: BaselineFlags, io: CliIo): Promise<number> {
  try {
    const settings = await settingsOf(flags, io)
    assertFolder(settings.workFolder)
    const config = withSomeCheck(settings.config, io)
    return await record({ ...settings, config }, flags, io)
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

/** Whatever the checks say is recorded: a red baseline is a baseline. Only what could not be looked at is no success. */
async function record({ config, workFolder }: Settings, flags: BaselineFlags, io: CliIo): Promise<number> {
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const store = openStore(config.store, workFolder, io)
  const output = flags.json === true ? jsonOutput(io, { stream: false }) : verificationOutput(io)
  const interrupts = listenForInterrupts(
    () => output.notice('stopping'),
    () => undefined,
  )
  try {
    const { signal } = interrupts
    const baseline =
      flags.at === undefined
        ? ({ kind: 'none' } as const)
        : ({ kind: 'revision', revision: flags.at } as const)
    let state: RunState | undefined
    await verifyWork({
      ...verificationOptions({ config, workFolder, store, io, signal, baseline, isCompared: true }),
      recipe: recipeOfBaseline(config, await configDigests(configPlaceOf(flags, workFolder, io))),
      task: baselineTask,
      baseline: 'look',
      only: 'baseline',
      onEvent: (event) => {
        state = evolve(state, event)
        output.event(event, state)
      },
    })
    if (state === undefined) throw new TypeError('a baseline ended without an event')
    const line = resultLine(state)
    const exitCode = ['verified', 'failed'].includes(line.outcome) ? 0 : line.exitCode
    if (flags.json === true) output.end({ ...line, exitCode })
    else io.stdout.write(`${state.runId}\n`)
    output.close()
    return exitCode
  } finally {
    interrupts.dispose()
    await store.close()
  }
}
