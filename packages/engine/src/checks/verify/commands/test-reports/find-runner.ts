import { resolve } from 'node:path'
import { parse, type Command, type Statement } from 'unbash'
import { scriptCallOf, unwrapWords, type ScriptCall } from '../../../../analysis/shell/index.ts'
import { nearestManifest } from '../../../../system/files/index.ts'
import type { TextRunner } from './read/text.ts'

/** The test runner that a line finally starts. */
export interface FoundRunner extends RunnerCall {
  /** Where to insert runner arguments; undefined if that would change what runs. */
  readonly insertAt: number | undefined
  /** Words that must precede them, one per script layer. */
  readonly separators: readonly string[]
  /** Variables that the line or its scripts set. */
  readonly assigned: readonly string[]
  /** The exit code is this runner's alone: nothing else runs. */
  readonly isAlone: boolean
  /** Output goes to a file, so it proves nothing. */
  readonly isRedirected: boolean
  /** Known runners that run before it, or after it in a hook. */
  readonly others: readonly Runner[]
  readonly folder: string
  /** The option that prevents tests, such as `--dry-run`. */
  readonly runsNothing: string | undefined
}

const maxScriptDepth = 5

/** Follows package.json scripts, nested ones too. @returns undefined for an unknown runner */
export function findRunner(line: string, folder: string): FoundRunner | undefined {
  return findProgram(line, folder, 0)
}

/** Whether any command of the line reaches a known test runner. */
export function runsTests(line: string, folder: string): boolean {
  const [last] = lastCommandsOf(line)
  if (last === undefined) return false
  const place = resolve(folder, ...last.entered)
  return runnersIn([...last.before, last.words], place, 0).length > 0
}

/** The last command that runs tests: what follows after `&&`, such as a linter, says nothing about them. */
function findProgram(line: string, folder: string, depth: number): FoundRunner | undefined {
  if (depth > maxScriptDepth) return undefined
  for (const command of lastCommandsOf(line)) {
    const found = findIn(command, folder, depth)
    if (found !== undefined) return found
  }
  return undefined
}

function findIn(last: LastCommand, folder: string, depth: number): FoundRunner | undefined {
  const place = resolve(folder, ...last.entered)
  const call = runnerOf(last.words)
  const inner = call === undefined ? throughScript(last, place, depth) : runnerAt(call, last, place)
  if (inner === undefined) return undefined
  // `env NAME=value` and `cross-env NAME=value` are words.
  const named = last.words.flatMap((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1] ?? [])
  const before = runnersIn(last.before, place, depth)
  // A report of the last of several runners would cover its tests only.
  const isOpen = inner.insertAt !== undefined && before.length === 0
  return {
    ...inner,
    insertAt: isOpen ? last.insertAt : undefined,
    assigned: [...last.assigned, ...named, ...inner.assigned],
    isAlone: last.isLast && last.before.length === 0 && inner.isAlone,
    isRedirected: last.isRedirected || inner.isRedirected,
    others: [...before, ...inner.others],
  }
}

function runnerAt(call: RunnerCall, { insertAt, isRedirected }: LastCommand, folder: string): FoundRunner {
  const here = { insertAt, isRedirected, folder, runsNothing: wordThatRunsNothing(call) }
  return { ...call, ...here, separators: [], assigned: [], isAlone: true, others: [] }
}

const showing =
  /^--(?:dry-?run|dry|list(?:-[\w-]+|[A-Z]\w+)?|collect-?only|co|no-?run|notest|show-only(?:=.*)?|showConfig|setup-plan|version|help)$/

const showingBriefly: Partial<Record<Runner, RegExp>> = {
  ...{ gradle: /^-m$/, surefire: /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/, ctest: /^-N$/ },
  ...{ prove: /^-D$/, vitest: /^list$/, go: /^--?(?:list(?:=.*)?|c|n)$/, dotnet: /^-t$/ },
}

function wordThatRunsNothing({ runner, args }: RunnerCall): string | undefined {
  // Go passes words after this one to the tests.
  const end = args.findIndex((word) => /^--?args$/.test(word))
  const own = end === -1 ? args : args.slice(0, end)
  return own.find((word) => showing.test(word) || showingBriefly[runner]?.test(word) === true)
}

function throughScript(last: LastCommand, folder: string, depth: number): FoundRunner | undefined {
  const words = unwrapWords(last.words)
  const called = calledScript(words, folder)
  // Yarn and pnpm fall back to an installed program.
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

/** @returns undefined unless the words run exactly one existing package.json script */
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
  const [last] = depth > maxScriptDepth ? [] : lastCommandsOf(script)
  if (last === undefined) return []
  const place = resolve(folder, ...last.entered)
  return runnersIn([...last.before, last.words], place, depth)
}

interface LastCommand {
  /** Without assignments, redirections and quotes. */
  readonly words: readonly string[]
  /** Variables that it or an earlier command sets. */
  readonly assigned: readonly string[]
  /** Offset after its last word. */
  readonly insertAt: number
  readonly isRedirected: boolean
  /** Folders that earlier `cd` commands enter, in order. */
  readonly entered: readonly string[]
  /** Earlier commands other than `cd`, `export`, `set` and assignments. */
  readonly before: readonly (readonly string[])[]
  readonly isLast: boolean
}

/** Returns the commands of the last `a && b` of a line, the last one first; none if it is anything else, or unparsable. */
function lastCommandsOf(line: string): readonly LastCommand[] {
  const script = parse(line)
  if (script.errors !== undefined && script.errors.length > 0) return []
  const statements = script.commands.map(commandsOf)
  if (!statements.every((one) => one !== undefined)) return []
  const all = statements.flat()
  const ofLast = statements.at(-1) ?? []
  return ofLast.flatMap((command) => describeCommand(command, all)).toReversed()
}

function describeCommand(command: Command, all: readonly Command[]): readonly LastCommand[] {
  const insertAt = endOfWords(command)
  if (insertAt === undefined) return []
  const index = all.indexOf(command)
  const earlier = all.slice(0, index)
  return [
    {
      words: wordsOf(command),
      assigned: all.slice(0, index + 1).flatMap(assignedBy),
      insertAt,
      isRedirected: command.redirects.some(({ operator }) => operator.startsWith('>') || operator === '&>'),
      entered: earlier.map(wordsOf).flatMap(([name, folder]) => (name === 'cd' ? [folder ?? '~'] : [])),
      before: earlier.map(wordsOf).filter(([name]) => name !== undefined && !preparing.has(name)),
      isLast: index === all.length - 1,
    },
  ]
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

/** `other` runs tests, but its reports are unknown. */
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

/** @returns undefined if the words run no tests of a known runner */
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

function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}
