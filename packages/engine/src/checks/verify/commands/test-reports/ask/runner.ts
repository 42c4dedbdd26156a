import type { TextRunner } from '../text/read-text.ts'
import { unwrapWords } from '../../../../../analysis/shell/index.ts'

/** A program that runs tests. `other`: we know that it does, and nothing of its reports. */
export type Runner = TextRunner | 'gotestsum' | 'gradle' | 'other'

export interface RunnerCall {
  readonly runner: Runner
  /** Its own arguments. */
  readonly args: readonly string[]
}

const programs: Readonly<Record<string, Runner>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  _mocha: 'mocha',
  pytest: 'pytest',
  'py.test': 'pytest',
  gotestsum: 'gotestsum',
  phpunit: 'phpunit',
  rspec: 'rspec',
  ava: 'other',
  tap: 'other',
  tape: 'other',
  playwright: 'other',
  ctest: 'other',
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
  bun: { runner: 'other', words: /^test$/ },
  deno: { runner: 'other', words: /^test$/ },
  mix: { runner: 'other', words: /^test$/ },
}

/** Words with which a runner runs no tests, or not once. */
const notARun =
  /^(?:--version|-v|--help|-h|--listTests|--list|list|bench|--showConfig|--clearCache|--collect-only|--co|--init|init)$/

/** The runner that these words start; undefined: none that we know, or not to run tests. */
export function runnerOf(words: readonly string[]): RunnerCall | undefined {
  const [first = '', ...args] = unwrapWords(words, 'report').words
  const program = programOf(first)
  const named = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (named !== undefined)
    return args.some((word) => notARun.test(word)) ? undefined : { runner: named, args }
  if (program === 'node' || program === 'tsx') return runnerOfNode(args)
  if (/^python[\d.]*$|^py$/.test(program)) return runnerOfPython(args)
  const family = Object.hasOwn(subcommands, program) ? subcommands[program] : undefined
  if (family === undefined) return undefined
  const isGiven = family.runner === 'surefire' || family.runner === 'gradle' ? args : args.slice(0, 1)
  if (!isGiven.some((word) => family.words.test(word))) return undefined
  return { runner: family.runner, args: args.slice(1) }
}

function runnerOfNode(args: readonly string[]): RunnerCall | undefined {
  if (args.includes('--test')) return { runner: 'node-test', args }
  const script = args.findIndex((word) => !word.startsWith('-'))
  const path = args[script]
  return path?.includes('node_modules/') === true ? runnerOf(args.slice(script)) : undefined
}

function runnerOfPython(args: readonly string[]): RunnerCall | undefined {
  const module = args.indexOf('-m')
  if (module < 0) return undefined
  const [name, ...rest] = args.slice(module + 1)
  if (name === 'pytest') return runnerOf(['pytest', ...rest])
  if (name === 'unittest') return { runner: 'unittest', args: rest }
  return name === 'tox' || name === 'nox' ? { runner: 'other', args: rest } : undefined
}

/** `./node_modules/.bin/vitest` and `vitest.mjs` are both `vitest`. */
function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}
