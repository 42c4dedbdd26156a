import { UsageError } from '../errors.ts'
import type { Sandbox } from '../ports.ts'
import { bubblewrap } from './bubblewrap.ts'
import { noSandbox } from './no-sandbox.ts'
import type { SandboxTrial } from './sandbox-options.ts'
import { sandboxRuntime, type SandboxRuntimeOptions, sandboxRuntimeKeys } from './sandbox-runtime.ts'
import { assertKnownKeys, type OptionKeys } from '../option-keys.ts'

/** `auto`: the best that works here. Another one is taken as said, or refused. */
export type WantedSandbox = 'auto' | 'none' | 'bubblewrap' | 'sandbox-runtime'

export interface ChooseSandboxOptions extends SandboxRuntimeOptions {
  /** Default `auto`. */
  readonly wanted?: WantedSandbox
}

const chooseSandboxKeys: OptionKeys<ChooseSandboxOptions> = {
  ...sandboxRuntimeKeys,
  wanted: true,
}

/**
 * Tries the drivers once. Where `auto` finds none, commands run unconfined and the description says so and why.
 * @throws {UsageError} when the driver that was named does not work here: it is never replaced by none
 */
export async function chooseSandbox(options: ChooseSandboxOptions): Promise<Sandbox> {
  assertKnownKeys(options, chooseSandboxKeys, 'chooseSandbox')
  const { wanted = 'auto', load, ...others } = options
  const drivers = {
    bubblewrap: () => bubblewrap(others),
    'sandbox-runtime': () => sandboxRuntime({ ...others, ...(load === undefined ? {} : { load }) }),
  }
  if (wanted === 'none') return noSandbox('no sandbox was wanted')
  if (wanted !== 'auto') return named(wanted, await drivers[wanted]())
  const first = await drivers.bubblewrap()
  if (first.kind === 'works') return first.sandbox
  const second = await drivers['sandbox-runtime']()
  if (second.kind === 'works') return second.sandbox
  return noSandbox(`no sandbox works here: ${first.problem}; ${second.problem}`)
}

function named(wanted: string, trial: SandboxTrial): Sandbox {
  if (trial.kind === 'works') return trial.sandbox
  throw new UsageError(
    `the sandbox ${wanted} cannot be used: ${trial.problem}. Mend that, or choose "auto" or "none"`,
  )
}
