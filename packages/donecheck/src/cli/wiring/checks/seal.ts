import type { CheckAuthor } from '@donecheck/engine/seal'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'

/** Who writes checks before the first turn; what they stand on is loaded where there are some. @throws {UsageError} for a name that is none */
export async function authorsOf(
  config: Config,
  { environment, stderr }: Pick<CliIo, 'environment' | 'stderr'>,
): Promise<readonly CheckAuthor[]> {
  const { seal = [], prices } = config
  if (seal.length === 0) return []
  const { purseOf } = await import('../judging/purse.ts')
  const { modelAuthor } = await import('@donecheck/engine/seal')
  const shared = { account: purseOf(config).money, environment, ...(prices === undefined ? {} : { prices }) }
  return seal.map((model) => {
    const author = modelAuthor({ ...shared, model })
    return {
      name: author.name,
      propose(request, signal) {
        stderr.write(`donecheck: ${author.name} writes sealed checks; this may take some minutes\n`)
        return author.propose(request, signal)
      },
    }
  })
}
