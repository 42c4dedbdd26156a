import type { CheckAuthor } from '@donecheck/engine/seal'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'

/** Who writes checks before the first turn; what they stand on is loaded where there are some. @throws {UsageError} for a name that is none */
export async function authorsOf(
  { seal = [], prices, maxJudgeCostUsd }: Config,
  { environment, stderr }: Pick<CliIo, 'environment' | 'stderr'>,
): Promise<readonly CheckAuthor[]> {
  if (seal.length === 0) return []
  const { judgeAccount } = await import('@donecheck/engine/judge')
  const { modelAuthor } = await import('@donecheck/engine/seal')
  const account = judgeAccount(maxJudgeCostUsd == null ? {} : { maxCostUsd: maxJudgeCostUsd })
  const shared = { account, environment, ...(prices === undefined ? {} : { prices }) }
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
