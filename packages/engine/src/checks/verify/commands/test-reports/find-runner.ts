import { resolve } from 'node:path'
import { parse, type Command, type Statement } from 'unbash'
import { scriptCallOf, unwrapWords, type ScriptCall } from '../../../../analysis/shell/index.ts'
import { nearestManifest } from '../../../../system/files/index.ts'
import type { TextRunner } from './read/text.ts'

/** Which test runner a line comes to in the end. */
export interface FoundRunner extends RunnerCall {
  /** Where words for the runner can be put into the line; undefined: they cannot be without changing what is run. */
  readonly insertAt: number | undefined
  /** What must stand before them, one layer of scripts after the other. */
  readonly separators: readonly string[]
  /** Names of the environment that the line or its scripts set by themselves. */
  readonly assigned: readonly string[]
  /** The exit code is this runner's alone: nothing else runs before or after it. */
  readonly isAlone: boolean
  /** What it prints goes into a file: nothing follows from what cannot be seen. */
  readonly isRedirected: boolean
  /** Those that we know to run before it, or after it in a hook of its script. */
  readonly others: readonly Runner[]
  readonly folder: string
  /** The word because of which it runs no test, such as `--dry-run`. */
  readonly runsNothing: string | undefined
}

const maxScriptDepth = 5

/** Follows scripts of package.json, also those that run others. Undefined: no runner that we know. */
export function findRunner(line: string, folder: string): FoundRunner | undefined {
  return findProgram(line, folder, 0)
}

/** Whether any command of a line comes to a test runner that we know, not the last one alone. */
export function runsTests(line: string, folder: string): boolean {
  const last = lastCommandOf(line)
  if (last === undefined) return false
  const place = resolve(folder, ...last.entered)
  return runnersIn([...last.before, last.words], place, 0).length > 0
}

function findProgram(line: string, folder: string, depth: number): FoundRunner | undefined {
  const last = lastCommandOf(line)
  if (last === undefined || depth > maxScriptDepth) return undefined
  const place = resolve(folder, ...last.entered)
  const call = runnerOf(last.words)
  const inner = call === undefined ? throughScript(last, place, depth) : runnerAt(call, last, place)
  if (inner === undefined) return undefined
  // `env NAME=value` and `cross-env NAME=value` come as words.
  const named = last.words.flatMap((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1] ?? [])
  const before = runnersIn(last.before, place, depth)
  // A report of the last of several runners would tell of its tests alone.
  const isOpen = inner.insertAt !== undefined && before.length === 0
  return {
    ...inner,
    insertAt: isOpen ? last.insertAt : undefined,
    assigned: [...last.assigned, ...named, ...inner.assigned],
    isAlone: last.before.length === 0 && inner.isAlone,
    isRedirected: last.isRedirected || inner.isRedirected,
    others: [...before, ...inner.others],
  }
}

function runnerAt(call: RunnerCall, { insertAt, isRedirected }: LastCommand, folder: string): FoundRunner {
  const here = { insertAt, isRedirected, folder, runsNothing: wordThatRunsNothing(call) }
  return { ...call, ...here, separators: [], assigned: [], isAlone: true, others: [] }
}

/** Options with which runners list or build what they would run, or show something else. */
const showing =
  /^--(?:dry-?run|dry|list(?:-[\w-]+|[A-Z]\w+)?|collect-?only|co|no-?run|notest|show-only(?:=.*)?|showConfig|setup-plan|version|help)$/

const showingBriefly: Partial<Record<Runner, RegExp>> = {
  ...{ gradle: /^-m$/, surefire: /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/, ctest: /^-N$/ },
  ...{ prove: /^-D$/, vitest: /^list$/, go: /^--?(?:list(?:=.*)?|c|n)$/, dotnet: /^-t$/ },
}

function wordThatRunsNothing({ runner, args }: RunnerCall): string | undefined {
  // What stands behind this word of Go goes to the tests.
  const end = args.findIndex((word) => /^--?args$/.test(word))
  const own = end === -1 ? args : args.slice(0, end)
  return own.find((word) => showing.test(word) || showingBriefly[runner]?.test(word) === true)
}

function throughScript(last: LastCommand, folder: string, depth: number): FoundRunner | undefined {
  const words = unwrapWords(last.words)
  const called = calledScript(words, folder)
  // Yarn and pnpm run an installed program where there is no script of that name.
  if (called === undefined) {
    const call = scriptCallOf(words)
    const runner = call === undefined || call.isElsewhere ? undefined : runnerOf(call.program)
    return runner && runnerAt(runner, last, folder)
  }
  const { separator } = called
  const inner = findProgram(called.text, called.folder, depth + 1)
  if (inner === undefined) return undefined
  const others = called.hooks.flatMap((hook) => runnersBehind(hook, called.folder, depth + 1))
  const hasTail = called.text.slice(inner.insertAt ?? 0).trim() !== ''
  const isOpen = !hasTail && others.length === 0 && separator !== undefined
  return {
    ...inner,
    insertAt: isOpen ? inner.insertAt : undefined,
    others: [...inner.others, ...others],
    separators: [...(separator ?? []), ...inner.separators],
    isAlone: inner.isAlone && called.hooks.length === 0,
  }
}

interface CalledScript extends Pick<ScriptCall, 'separator'> {
  readonly text: string
  readonly hooks: readonly string[]
  readonly folder: string
}

/** The one script of package.json that these words run; undefined: none, or several, or one that is not there. */
function calledScript(words: readonly string[], folder: string): CalledScript | undefined {
  const call = scriptCallOf(words)
  const [name = '', ...more] = call?.scripts ?? []
  if (call === undefined || call.isElsewhere || call.manifest !== 'package.json' || more.length > 0)
    return undefined
  const found = nearestManifest(resolve(folder, call.folder ?? '.'))
  const textOf = (script: string) =>
    found !== undefined && Object.hasOwn(found.scripts, script) ? found.scripts[script] : undefined
  const text = textOf(name)
  if (found === undefined || text === undefined) return undefined
  const hooks = call.hasHooks ? [`pre${name}`, `post${name}`].flatMap((hook) => textOf(hook) ?? []) : []
  return { text, hooks, folder: found.folder, separator: call.separator }
}

function runnersIn(
  commands: readonly (readonly string[])[],
  folder: string,
  depth: number,
): readonly Runner[] {
  return commands.flatMap((words) => {
    const call = runnerOf(words)
    if (call !== undefined) return [call.runner]
    const called = calledScript(unwrapWords(words), folder)
    return called === undefined ? [] : runnersBehind(called.text, called.folder, depth + 1)
  })
}

function runnersBehind(script: string, folder: string, depth: number): readonly Runner[] {
  const last = depth > maxScriptDepth ? undefined : lastCommandOf(script)
  if (last === undefined) return []
  const place = resolve(folder, ...last.entered)
  return runnersIn([...last.before, last.words], place, depth)
}

/** The last simple command of a line, where no other command can stand for it. */
interface LastCommand {
  /** Without assignments and redirections; quotes taken off. */
  readonly words: readonly string[]
  /** Names that are set for it alone, or by the commands before it. */
  readonly assigned: readonly string[]
  /** Behind its last word, as an offset in the line: where words can be added. */
  readonly insertAt: number
  readonly isRedirected: boolean
  /** Folders that are entered before it, in order. */
  readonly entered: readonly string[]
  /** Commands before it other than `cd`, `export`, `set` and assignments, as words. */
  readonly before: readonly (readonly string[])[]
}

/**
 * Returns the last command of `a && b` or of a list of statements; undefined for anything but simple commands, for
 * background jobs and for what cannot be parsed.
 */
function lastCommandOf(line: string): LastCommand | undefined {
  const script = parse(line)
  if (script.errors !== undefined && script.errors.length > 0) return undefined
  const commands = script.commands.map(commandsOf)
  if (!commands.every((one) => one !== undefined)) return undefined
  const all = commands.flat()
  const last = all.at(-1)
  const insertAt = last === undefined ? undefined : endOfWords(last)
  if (last === undefined || insertAt === undefined) return undefined
  const earlier = all.slice(0, -1)
  return {
    words: wordsOf(last),
    assigned: all.flatMap(assignedBy),
    insertAt,
    isRedirected: last.redirects.some(({ operator }) => operator.startsWith('>') || operator === '&>'),
    entered: earlier.map(wordsOf).flatMap(([name, folder]) => (name === 'cd' ? [folder ?? '~'] : [])),
    before: earlier.map(wordsOf).filter(([name]) => name !== undefined && !preparing.has(name)),
  }
}

const preparing = new Set(['cd', 'export', 'set'])

function commandsOf({ command, background }: Statement): readonly Command[] | undefined {
  if (background === true) return undefined
  if (command.type === 'Command') return [command]
  if (command.type !== 'AndOr' || command.operators.some((operator) => operator !== '&&')) return undefined
  const commands = command.commands.filter((one) => one.type === 'Command')
  return commands.length === command.commands.length ? commands : undefined
}

function wordsOf({ name, args }: Command): readonly string[] {
  return [name, ...args].flatMap((word) => (word?.type === 'Word' ? [word.value] : []))
}

function endOfWords(command: Command): number | undefined {
  const ends = [command.name, ...command.args].flatMap((word) => (word === undefined ? [] : [word.end]))
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function assignedBy({ prefix, args }: Command): readonly string[] {
  return [...prefix, ...args].flatMap((one) => (one.type === 'Assignment' ? [one.name] : []))
}

/** A program that runs tests. `other`: we know that it does, and nothing of its reports. */
export type Runner = TextRunner | 'gradle' | 'other'

interface RunnerCall {
  readonly runner: Runner
  readonly args: readonly string[]
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

/** @returns undefined if these words start no runner that we know, or not to run tests */
function runnerOf(words: readonly string[]): RunnerCall | undefined {
  const [first = '', ...args] = unwrapWords(words)
  const program = programOf(first)
  const named = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (named !== undefined) return { runner: named, args }
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
  return name === 'tox' || name === 'nox' ? runnerOf([name, ...rest]) : undefined
}

/** `./node_modules/.bin/vitest` and `vitest.mjs` are both `vitest`. */
function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}
