import type { SandboxChoice } from '@donecheck/core/internal/base'
import { UsageError, assertKnownKeys, optionKeys, given } from '../../base/index.ts'
import type { Sandbox } from '../../ports/gate.ts'
import { bubblewrap } from './bubblewrap.ts'
import type { SandboxTrial } from './sandbox-options.ts'
import { sandboxRuntime, type SandboxRuntimeOptions } from './sandbox-runtime.ts'

interface ChooseSandboxOptions extends SandboxRuntimeOptions {
  /** Default `auto`. */
  readonly wanted?: SandboxChoice
}

const keys = optionKeys<ChooseSandboxOptions>()(`
  workFolder! writableFolders deniedPaths protectedPaths network temporaryFolder homeFolder environment
  load wanted
`)

/**
 * Tries the drivers once. `auto` may find none, which the description explains.
 * @throws {UsageError} if the chosen driver does not work: never falls back to none
 */
export async function chooseSandbox(options: ChooseSandboxOptions): Promise<Sandbox> {
  assertKnownKeys(options, keys, 'chooseSandbox')
  const { wanted = 'auto', load, ...others } = options
  const drivers = {
    bubblewrap: () => bubblewrap(others),
    'sandbox-runtime': () => sandboxRuntime({ ...others, ...given({ load }) }),
  }
  if (wanted === 'off') return noSandbox('no sandbox was wanted')
  if (wanted !== 'auto') return sandboxOrThrow(wanted, await drivers[wanted]())
  const first = await drivers.bubblewrap()
  if (first.kind === 'works') return first.sandbox
  const second = await drivers['sandbox-runtime']()
  if (second.kind === 'works') return second.sandbox
  return noSandbox(`no sandbox works here: ${first.problem}; ${second.problem}`)
}

function sandboxOrThrow(wanted: string, trial: SandboxTrial): Sandbox {
  if (trial.kind === 'works') return trial.sandbox
  throw new UsageError(
    `the sandbox ${wanted} cannot be used: ${trial.problem}. Mend that, or choose "auto" or "off"`,
  )
}

/** Confines nothing. @param reason end of a sentence about the missing sandbox */
export function noSandbox(reason: string): Sandbox {
  return {
    description: {
      driver: 'off',
      isConfined: false,
      network: 'on',
      summary: `NOT CONFINED: commands can read, write and reach whatever you can; ${reason}`,
    },
    confine: async ({ words, environment }) => ({ kind: 'ready', words, environment }),
  }
}
