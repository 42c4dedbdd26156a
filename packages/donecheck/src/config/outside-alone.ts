/** What only a person may say: a file in the work folder may have been written by the agent, for this run or the next. */
import type { Config } from './schema.ts'

/** Each key with its other ways; `isRefused` absent: whatever its value is. */
interface OutsideAlone {
  readonly key: keyof Config
  readonly ways: string
  readonly why?: string
  readonly isRefused?: (config: Config) => boolean
}

const canRead = 'where the agent can read it'

const refused: readonly OutsideAlone[] = [
  { key: 'heldOut', ways: '--held-out or DONECHECK_HELD_OUT', why: canRead },
  { key: 'heldOutFiles', ways: 'DONECHECK_HELD_OUT_FILES', why: canRead },
  { key: 'yes', ways: '--yes or DONECHECK_YES', isRefused: ({ yes }) => yes === true },
  { key: 'gate', ways: '--gate or DONECHECK_GATE', isRefused: ({ gate }) => gate === 'shadow' },
  {
    key: 'sandbox',
    ways: '--sandbox or DONECHECK_SANDBOX',
    isRefused: ({ sandbox }) => sandbox === 'off',
  },
  {
    key: 'allowNetwork',
    ways: 'DONECHECK_ALLOW_NETWORK',
    isRefused: ({ allowNetwork }) => allowNetwork === true,
  },
  { key: 'writable', ways: 'DONECHECK_WRITABLE' },
  { key: 'rules', ways: '--rules or DONECHECK_RULES' },
  {
    key: 'projectRules',
    ways: 'DONECHECK_PROJECT_RULES',
    isRefused: ({ projectRules }) => projectRules === 'trusted',
  },
]

/** One sentence for each, with the way out; empty: it says nothing that it may not. */
export function problemsInside(config: Config, folder: string): readonly string[] {
  return refused.flatMap(({ key, ways, why = 'where the agent can write it', isRefused }) => {
    if (config[key] === undefined || isRefused?.(config) === false) return []
    const what = isRefused === undefined ? key : `${key}: ${JSON.stringify(config[key])}`
    return `${what} cannot be set here, ${why}; use ${ways}, or a configuration outside of ${folder}, named with --config`
  })
}

/** Of the record of a run alone. */
export const keysOfRecords = [
  'keptRules',
  'keptProjectRules',
  'keptCheckLines',
  'keptHookScripts',
  'projectCommandRules',
  'keptHeartbeat',
  'keptGoal',
  'keptJudgeRules',
] as const
