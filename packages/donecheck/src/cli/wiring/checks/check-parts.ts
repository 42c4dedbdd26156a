/** What checks ask beside the work: a person, a judge, an embedding model. */
import type { CheckSpec, Config, SpecOf } from '../../../config/index.ts'
import { storeHuman } from '@donecheck/engine/approvals'
import { given, UsageError } from '@donecheck/engine/base'
import { embeddingModel, type Embedder } from '@donecheck/engine/models'
import type { Human } from '@donecheck/engine/ports/checks'
import type { Questions } from '@donecheck/engine/ports/questions'
import type { Store } from '@donecheck/engine/ports/store'
import { terminalHuman } from '../../../terminal/index.ts'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { waysToAnswer } from '../gate/gate.ts'
import { judgedCheck, judgeOf } from '../judging/judges.ts'
import type { CheckParts } from './verifier-for.ts'

export interface CheckSurroundings {
  readonly workFolder: string
  readonly store: Pick<Store, 'folder'> & Questions
  /** Without streams there is no terminal to ask at. */
  readonly io: Pick<CliIo, 'environment' | 'homeFolder'> & Partial<Pick<CliIo, 'stdin' | 'stderr'>>
}

/**
 * @param timeoutMs of a check that does not say how long it may take
 * @throws {UsageError} for a model that cannot be asked
 */
export async function checkParts(
  config: Config,
  surroundings: CheckSurroundings,
  timeoutMs: number,
): Promise<CheckParts> {
  const { workFolder, store, io } = surroundings
  const embedders = await embeddersOf(config, io)
  return {
    human: humanFor(config, surroundings),
    judged: (spec, options, within) => {
      const judge = judgeOf(config, askedBy(spec, config), workFolder, io)
      const trusted = (config.trustChecks ?? []).map(({ check }) => check)
      return judgedCheck({ spec, options, within, judge, store, trusted })
    },
    embedder: (spec) => embedders.get(embedderKey(spec)),
    timeoutMs,
  }
}

/** The one that the check names, or the one of the whole run. @throws {UsageError} where there is neither */
function askedBy({ model, baseUrl }: SpecOf<'judge'>, { judge }: Config) {
  if (model !== undefined) return { models: [model], ...given({ baseUrl }) }
  if (judge !== undefined) return judge
  throw new UsageError('a check asks a judge, and none is named: give it a model, or name one with --judge')
}

/** Keys and packages are asked for before the run begins. */
async function embeddersOf(
  { checks = [] }: Config,
  { environment }: CheckSurroundings['io'],
): Promise<ReadonlyMap<string, Embedder>> {
  const named = checks.flatMap(similaritiesIn).map(async (spec) => {
    const { model = '', baseUrl } = spec
    return [embedderKey(spec), await embeddingModel(model, baseUrl, environment)] as const
  })
  return new Map(await Promise.all(named))
}

/** Those that name a model. */
function similaritiesIn(check: CheckSpec): readonly SpecOf<'similarity'>[] {
  if ('of' in check) return check.of.flatMap(similaritiesIn)
  return check.kind === 'similarity' && check.model !== undefined ? [check] : []
}

function embedderKey({ model = '', baseUrl = '' }: SpecOf<'similarity'>): string {
  return JSON.stringify([model, baseUrl])
}

/** At the terminal, where there is one, and through the store. */
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
