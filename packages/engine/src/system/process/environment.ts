import { checkVariable } from './check-variable.ts'
import { processMark } from './mark.ts'

/** Variables of our own are kept from what we run: it must not read how it is judged. */
const ownPrefix = 'DONECHECK_'

/** Files through which a step of GitHub Actions sets outputs and variables: what is checked is not to write its own result. */
const runnerFiles: ReadonlySet<string> = new Set([
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
])

/** What a process gets that is not told otherwise: the variables of this one, without our own and the files of a CI runner. */
export function inheritedEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith(ownPrefix) && !runnerFiles.has(entry[0]),
  )
  return Object.fromEntries(inherited)
}

/**
 * The environment as a started process sees it. The mark is no part of what is digested or shown as evidence. Whatever works for a
 * check of another donecheck goes on to do so, through this one: the agent of a check is that of `donecheck run` in it.
 */
export function markedEnvironment(
  environment: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const check = own[checkVariable]
  return {
    ...(check === undefined ? {} : { [checkVariable]: check }),
    ...environment,
    [processMark.name]: processMark.value,
  }
}
