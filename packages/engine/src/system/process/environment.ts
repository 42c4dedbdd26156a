import { processMark } from './mark.ts'

/** Our own settings: what runs must not read how it is judged. */
const ownPrefix = 'DONECHECK_'

/** Files through which a step of GitHub Actions sets outputs and variables: what is checked is not to write its own result. */
const runnerFiles: ReadonlySet<string> = new Set([
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
])

/**
 * What a process inherits unless it is given another environment: the variables of this one without our own, without those
 * in which a shell or npm names the command line of donecheck, and without the files of a CI runner.
 */
export function inheritedEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isOfThisProgram(entry[0], entry[1]),
  )
  return Object.fromEntries(inherited)
}

function isOfThisProgram(name: string, value: string): boolean {
  const isLauncher = name === '_' || name.startsWith('npm_')
  return name.startsWith(ownPrefix) || runnerFiles.has(name) || (isLauncher && /donecheck/i.test(value))
}

/** The environment as a started process gets it. The mark is not part of what is digested or shown as evidence. */
export function markedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  return { ...environment, [processMark.name]: processMark.value }
}
