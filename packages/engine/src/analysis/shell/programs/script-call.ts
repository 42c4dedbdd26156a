import { programName } from '../decomposition.ts'

export interface ScriptCall {
  readonly manifest: 'package.json' | 'deno.json'
  readonly scripts: readonly string[]
  /** Folder that an option selects. */
  readonly folder: string | undefined
  /** The scripts belong to other packages of the workspace. */
  readonly isElsewhere: boolean
  /** `pre…` and `post…` of a script may run with it. */
  readonly hasHooks: boolean
  /** Words that must precede further arguments; undefined if none reach the script. */
  readonly separator: readonly string[] | undefined
  /** Words from the name on, if an installed program of that name would run without such a script. */
  readonly program: readonly string[]
}

interface Manager {
  /** Optional words before a script's name. */
  readonly run: readonly string[]
  readonly verbs: Readonly<Record<string, string>>
  /** Other commands; any other word is a script. Undefined if scripts need `run`. */
  readonly own?: ReadonlySet<string>
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>
  /** Reads options anywhere before `--` and passes on the rest. Others pass on all words after the script. */
  readonly readsAll?: true
  readonly manifest?: ScriptCall['manifest']
  readonly hasNoHooks?: true
  /** Runs an installed program if no such script exists. */
  readonly runsPrograms?: true
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const tests = { test: 'test', t: 'test', tst: 'test' }
const lifecycle = { start: 'start', stop: 'stop', restart: 'restart' }
const installing = { it: 'test', 'install-test': 'test' }
const clean = { cit: 'test', sit: 'test', 'install-ci-test': 'test', 'clean-install-test': 'test' }

const managers: Readonly<Record<string, Manager>> = {
  npm: {
    run: ['run', 'run-script', 'rum', 'urn'],
    verbs: { ...tests, ...lifecycle, ...installing, ...clean },
    valued: wordsIn('--prefix -C --workspace -w --loglevel --script-shell --userconfig --cache --registry'),
    readsAll: true,
  },
  pnpm: {
    run: ['run', 'run-script'],
    verbs: { ...tests, ...installing },
    own: wordsIn(
      'add approve-builds audit bin c cache config create dedupe deploy dlx doctor env exec fetch help i ignored-builds import ' +
        'info init install la licenses link list ll ln ls outdated pack patch patch-commit patch-remove prune publish rb rebuild ' +
        'remove rm root self-update server setup show store un uninstall unlink up update upgrade view why',
    ),
    valued: wordsIn(
      '--dir -C --filter -F --filter-prod --reporter --loglevel --workspace-concurrency --script-shell --resume-from --test-pattern',
    ),
    runsPrograms: true,
  },
  // Commands of Yarn 1 alone, such as `check`, are scripts to its successors.
  yarn: {
    run: ['run'],
    verbs: {},
    own: wordsIn(
      'add bin cache config constraints create dedupe dlx exec explain global help info init install link node npm pack patch ' +
        'patch-commit plugin rebuild remove search set stage unlink unplug up upgrade upgrade-interactive version why',
    ),
    valued: wordsIn('--cwd --mutex --modules-folder --cache-folder --registry --network-timeout --require'),
    runsPrograms: true,
  },
  // `bun test` and `bun build` are its own.
  bun: {
    run: ['run'],
    verbs: {},
    own: wordsIn(
      'a add audit build c create discord exec feedback help i info init install link outdated patch patch-commit pm publish ' +
        'remove repl rm test unlink update upgrade why x',
    ),
    valued: wordsIn(
      '--cwd --filter -F --config -c --env-file --preload -r --shell --elide-lines --conditions',
    ),
  },
  deno: {
    run: ['task'],
    verbs: {},
    valued: wordsIn('--cwd --config -c --filter -f --lock'),
    manifest: 'deno.json',
    hasNoHooks: true,
  },
}

const folderOption = /^(?:--prefix|--cwd|--dir|-C)(?:=|$)/u
const elsewhereOption =
  /^(?:--workspaces?|-ws?|--workspace-root|--include-workspace-root|-iwr|--recursive|-r|--filter|--filter-prod|-F|-f|--top-level|-T)(?:=|$)/u
/** With these options no script runs. */
const withoutScript = /^(?:--binaries-only|-B|--eval)$/u

/** Returns the scripts that these words run, or undefined. Words come without quotes and wrappers. */
export function scriptCallOf(words: readonly string[]): ScriptCall | undefined {
  const [first = '', ...args] = words
  const name = programName(first).replace(/@.*$/u, '')
  if (name === 'corepack') return scriptCallOf(args)
  if (name === 'node') return callOfNode(args)
  if (/^(?:npm-run-all2?|run-s|run-p)$/u.test(name)) return callOfAll(args)
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  return manager === undefined ? undefined : callOf(manager, args)
}

const plain = { manifest: 'package.json', folder: undefined, isElsewhere: false, program: [] } as const

function callOf(manager: Manager, args: readonly string[]): ScriptCall | undefined {
  const { options, operands, rest } = readArguments(manager, args)
  const { verb, isElsewhere } = inWorkspace(manager, operands)
  const [word = '', named] = verb
  const script = manager.run.includes(word) ? named : scriptOfVerb(manager, word)
  if (script === undefined || options.some(({ name }) => withoutScript.test(name))) return undefined
  const isInstalling = Object.hasOwn({ ...installing, ...clean }, word)
  const separator = manager.readsAll === true && !args.includes('--') ? ['--'] : []
  return {
    manifest: manager.manifest ?? 'package.json',
    scripts: [script],
    folder: options.findLast(({ name }) => folderOption.test(name))?.value,
    isElsewhere: isElsewhere || options.some(({ name }) => elsewhereOption.test(name)),
    hasHooks: manager.hasNoHooks !== true,
    separator: isInstalling ? undefined : separator,
    program: manager.runsPrograms === true ? [script, ...rest] : [],
  }
}

function scriptOfVerb({ verbs, own }: Manager, word: string): string | undefined {
  if (Object.hasOwn(verbs, word)) return verbs[word]
  return word === '' || own === undefined || own.has(word) ? undefined : word
}

/** `yarn workspace NAME test`, `yarn workspaces foreach run test`. */
function inWorkspace(
  { run }: Manager,
  operands: readonly string[],
): { readonly verb: readonly string[]; readonly isElsewhere: boolean } {
  const [first, second] = operands
  if (first === 'workspace') return { verb: operands.slice(2), isElsewhere: true }
  if (first !== 'workspaces') return { verb: operands, isElsewhere: false }
  const at = operands.findIndex((word) => run.includes(word))
  return { verb: at < 0 || second === 'list' ? [] : operands.slice(at), isElsewhere: true }
}

interface Arguments {
  readonly options: readonly { readonly name: string; readonly value: string | undefined }[]
  readonly operands: readonly string[]
  readonly rest: readonly string[]
}

function readArguments(manager: Manager, args: readonly string[]): Arguments {
  const options: Arguments['options'][number][] = []
  const operands: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? ''
    if (word === '--') return { options, operands, rest: args.slice(index + 1) }
    if (word.startsWith('-') && word !== '-') {
      const [name = '', value] = word.split(/=(.*)/su)
      const takesNext = value === undefined && manager.valued.has(name)
      options.push({ name, value: takesNext ? args[index + 1] : value })
      if (takesNext) index += 1
      continue
    }
    operands.push(word)
    if (manager.readsAll !== true && isNamed(manager, operands))
      return { options, operands, rest: args.slice(index + 1) }
  }
  return { options, operands, rest: [] }
}

/** Whether the script's name is among these words; later words are the script's. */
function isNamed(manager: Manager, operands: readonly string[]): boolean {
  const [first = '', second = ''] = inWorkspace(manager, operands).verb
  return manager.run.includes(first) ? second !== '' : first !== '' && operands[0] !== 'workspaces'
}

/** `node --run NAME`. It runs no hooks. */
function callOfNode(args: readonly string[]): ScriptCall | undefined {
  const at = args.findIndex((word) => /^--run(?:=|$)/u.test(word))
  const script = args[at]?.split(/=(.*)/su)[1] ?? args[at + 1]
  if (at < 0 || script === undefined) return undefined
  return { ...plain, scripts: [script], hasHooks: false, separator: args.includes('--') ? [] : ['--'] }
}

/** `npm-run-all lint 'test:*'` and its short forms; one word may hold a name with arguments. */
function callOfAll(args: readonly string[]): ScriptCall | undefined {
  const end = args.indexOf('--')
  const scripts = args
    .slice(0, end < 0 ? args.length : end)
    .filter((word, index, own) => !word.startsWith('-') && own[index - 1] !== '--max-parallel')
    .map((word) => word.trim().split(/\s/u)[0] ?? '')
  return scripts.length === 0 ? undefined : { ...plain, scripts, hasHooks: true, separator: undefined }
}
