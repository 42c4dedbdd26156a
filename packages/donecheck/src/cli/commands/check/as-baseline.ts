import { verifyWork } from '@donecheck/engine/compose'
import { evolve, type RunState } from '@donecheck/core/state'
import { resultLine } from '@donecheck/engine/report'
import { baselineTask } from '../../wiring/checks/baseline.ts'
import { configDigests, configLocationOf, type Settings } from '../../settings/settings.ts'
import { openStore, storeFolderOf, assertStoreOutside } from '../../settings/store-folder.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import type { CliIo } from '../../process/io.ts'
import type { RunFlags } from '../../options/flags.ts'
import { recipeOfBaseline } from '../../settings/recipe.ts'
import { jsonOutput, verificationOutput } from '../../output/text-output.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { verificationOptions } from '../../wiring/checks/verification-options.ts'

export interface BaselineFlags extends RunFlags {
  readonly at?: string
}

/** Exits with 0 for a red baseline, too; only one that could not be checked fails. */
export async function recordBaseline(
  { config, workFolder }: Settings,
  flags: BaselineFlags,
  io: CliIo,
): Promise<number> {
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const store = await openStore(config.store, workFolder, io)
  const output = flags.json === true ? jsonOutput(io, { stream: false }) : verificationOutput(io, io.stderr)
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
    keepOwnModules()
    await verifyWork({
      ...(await verificationOptions({ config, workFolder, store, io, signal, baseline, isCompared: true })),
      recipe: recipeOfBaseline(config, await configDigests(configLocationOf(flags, workFolder, io))),
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
