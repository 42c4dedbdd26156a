import type { TextRunner } from '../text/read-text.ts'
import { wordThatRunsNothing } from './runs-nothing.ts'
import { unwrapWords } from '../../../../../analysis/shell/index.ts'

/** A program that runs tests. `other`: we know that it does, and nothing of its reports. */
export type Runner = TextRunner | 'gradle' | 'other'

export interface RunnerCall {
  readonly runner: Runner
  /** Its own arguments. */
  readonly args: readonly string[]
  /** The word because of which it runs no test, such as `--dry-run`. */
  readonly runsNothing: string | undefined
}

const programs: Readonly<Record<string, Runner>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  _mocha: 'mocha',
  pytest: 'pytest',
  'py.test': 'pytest',
  gotestsum: 'other',
  phpunit: 'phpunit',
  rspec: 'rspec',
  ava: 'other',
  tap: 'other',
  tape: 'other',
  playwright: 'other',
  ctest: 'ctest',
  prove: 'prove',
  uvu: 'uvu',
  tox: 'other',
  nox: 'other',
  nose2: 'other',
}

/** Programs with many commands, of which these words run tests. */
const subcommands: Readonly<Record<string, { readonly runner: Runner; readonly words: RegExp }>> = {
  go: { runner: 'go', words: /^test$/ },
  cargo: { runner: 'cargo', words: /^(?:test|t)$/ },
  dotnet: { runner: 'dotnet', words: /^test$/ },
  mvn: { runner: 'surefire', words: /^(?:test|verify|install|package)$/ },
  mvnw: { runner: 'surefire', words: /^(?:test|verify|install|package)$/ },
  gradle: { runner: 'gradle', words: /^(?:\S*:)?(?:test|check|build)$/ },
  gradlew: { runner: 'gradle', words: /^(?:\S*:)?(?:test|check|build)$/ },
  meson: { runner: 'meson', words: /^test$/ },
  bun: { runner: 'bun', words: /^test$/ },
  deno: { runner: 'deno', words: /^test$/ },
  mix: { runner: 'exunit', words: /^test$/ },
}

/** They run whatever they are told to, tests or not. */
const taskRunners = new Set(['make', 'gmake', 'ninja', 'rake', 'just', 'task'])

/** @returns undefined if these words start no runner that we know, or not to run tests */
export function runnerOf(words: readonly string[]): RunnerCall | undefined {
  const [first = '', ...args] = unwrapWords(words)
  const program = programOf(first)
  const runsNothing = wordThatRunsNothing(program, args)
  const named = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (named !== undefined) return { runner: named, args, runsNothing }
  if (taskRunners.has(program))
    return runsNothing === undefined ? undefined : { runner: 'other', args, runsNothing }
  if (program === 'node' || program === 'tsx') return runnerOfNode(args)
  if (/^python[\d.]*$|^py$/.test(program)) return runnerOfPython(args)
  const family = Object.hasOwn(subcommands, program) ? subcommands[program] : undefined
  if (family === undefined) return undefined
  const isGiven = family.runner === 'surefire' || family.runner === 'gradle' ? args : args.slice(0, 1)
  if (!isGiven.some((word) => family.words.test(word))) return undefined
  return { runner: family.runner, args: args.slice(1), runsNothing }
}

function runnerOfNode(args: readonly string[]): RunnerCall | undefined {
  if (args.includes('--test')) return { runner: 'node-test', args, runsNothing: undefined }
  const script = args.findIndex((word) => !word.startsWith('-'))
  const path = args[script]
  return path?.includes('node_modules/') === true ? runnerOf(args.slice(script)) : undefined
}

function runnerOfPython(args: readonly string[]): RunnerCall | undefined {
  const module = args.indexOf('-m')
  if (module < 0) return undefined
  const [name, ...rest] = args.slice(module + 1)
  if (name === 'pytest') return runnerOf(['pytest', ...rest])
  if (name === 'unittest') return { runner: 'unittest', args: rest, runsNothing: undefined }
  return name === 'tox' || name === 'nox' ? runnerOf([name, ...rest]) : undefined
}

/** `./node_modules/.bin/vitest` and `vitest.mjs` are both `vitest`. */
function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}
