import type { CheckParts, Config, JudgedOptions } from '../../../config/index.ts'
import { storeHuman } from '@donecheck/engine/approvals'
import { given, UsageError } from '@donecheck/engine/base'
import type { Human } from '@donecheck/engine/ports/checks'
import type { Questions } from '@donecheck/engine/ports/questions'
import type { Store } from '@donecheck/engine/ports/store'
import { terminalHuman } from '../../../terminal/index.ts'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { waysToAnswer } from '../gate/gate.ts'

export interface CheckSurroundings {
  readonly workFolder: string
  readonly store: Pick<Store, 'folder'> & Questions
  /** Without streams there is no terminal to ask at. */
  readonly io: Pick<CliIo, 'environment' | 'homeFolder'> & Partial<Pick<CliIo, 'stdin' | 'stderr'>>
}

export function checkParts(config: Config, surroundings: CheckSurroundings, timeoutMs: number): CheckParts {
  const { workFolder, store, io } = surroundings
  return {
    human: humanFor(config, surroundings),
    async judged(spec, options, within) {
      const { judgedCheck, judgeOf } = await import('../judging/judges.ts')
      const judge = judgeOf(config, askedBy(spec, config), workFolder, io)
      const trusted = (config.trustChecks ?? []).map(({ check }) => check)
      return judgedCheck({ spec, options, within, judge, store, trusted })
    },
    environment: io.environment,
    timeoutMs,
  }
}

/** @throws {UsageError} if neither the check nor the run names a judge */
function askedBy({ model, baseUrl }: JudgedOptions, { judge }: Config) {
  if (model !== undefined) return { models: [model], ...given({ baseUrl }) }
  if (judge !== undefined) return judge
  throw new UsageError('a check asks a judge, and none is named: give it a model, or name one with --judge')
}

function humanFor({ secrets = [] }: Config, { store, io }: CheckSurroundings): Human {
  const { stdin, stderr, environment } = io
  const isAtTerminal = stdin?.isTTY === true && stderr?.isTTY === true
  return storeHuman({
    store,
    secrets: secretsOf(environment, secrets),
    ...(isAtTerminal
      ? { beside: terminalHuman({ input: stdin, output: stderr }) }
      : { onWaiting: ({ id }) => stderr?.write(`${waysToAnswer(id)}\n`) }),
  })
}
