import { bounds, capTable, type Bound } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'
import type { HardCap } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'

export function hardCapOf(config: Config): HardCap {
  const named = bounds.filter((bound) => config[capTable[bound].key] !== undefined)
  return {
    ...Object.fromEntries(named.map((bound) => [bound, valueOf(config, bound)])),
    ...given({ callsPerTool: config.maxToolCallsOf }),
  }
}

/** Configured in seconds. */
function valueOf(config: Config, bound: Bound): number | null | undefined {
  const { key, kind } = capTable[bound]
  const value = config[key]
  if (value === 'off') return null
  return kind === 'time' && value !== undefined ? value * 1000 : value
}
