/** Who pays for the models that are asked beside the drive: one purse for the judges of checks and replies, authors, and authority. */
import { judgeAccount, type JudgeAccount } from '@donecheck/engine/judge'
import type { Config } from '../../../config/index.ts'

interface Purse {
  /** Of all of them. */
  readonly money: JudgeAccount
  /** The same money, and the tokens of judges. */
  readonly judges: JudgeAccount
}

const purses = new WeakMap<Config, Purse>()

/** The one of this configuration, however often it is asked for. */
export function purseOf(config: Config): Purse {
  const known = purses.get(config)
  if (known !== undefined) return known
  const { maxJudgeCostUsd, judge: { maxTokens } = {} } = config
  const money = judgeAccount(maxJudgeCostUsd == null ? {} : { maxCostUsd: maxJudgeCostUsd })
  const judges = maxTokens === undefined ? money : both(money, judgeAccount({ maxTokens }))
  purses.set(config, { money, judges })
  return { money, judges }
}

/** What one of them cannot pay is not taken from the other. */
function both(money: JudgeAccount, tokens: JudgeAccount): JudgeAccount {
  return {
    maxCostUsd: money.maxCostUsd,
    reserve(payer, worst) {
      const paid = money.reserve(payer, worst)
      if (typeof paid === 'string') return paid
      const counted = tokens.reserve(payer, worst)
      if (typeof counted !== 'string')
        return { settle: (real) => [paid, counted].forEach((one) => one.settle(real)) }
      paid.settle({ tokens: 0, costUsd: 0 })
      return counted
    },
  }
}
