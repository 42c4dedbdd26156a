/** Which package scripts a command runs. */
import { programName } from '../decomposition.ts'

export interface ScriptCall {
  readonly manifest: 'package.json' | 'deno.json'
  /** Names as the manifest has them, or patterns with `*`; in their order. */
  readonly scripts: readonly string[]
  /** The folder that an option names in place of this one. */
  readonly folder: string | undefined
  /** The scripts belong to another package of the workspace, or to several. */
  readonly isElsewhere: boolean
  /** `pre…` and `post…` of a script may run with it. */
  readonly hasHooks: boolean
  /** What must stand before further words so that they reach the script. Undefined: none reach it. */
  readonly separator: readonly string[] | undefined
  /** The words from the name on, where an installed program of that name would run if there were no such script. */
  readonly program: readonly string[]
}

/** How a package manager is called. */
interface Manager {
  /** What may stand before the name of a script. */
  readonly run: readonly string[]
  /** Commands that run a script, by name of the script. */
  readonly verbs: Readonly<Record<string, string>>
  /** Its other commands. Any word that is none of them is the name of a script. Undefined: no word is one without `run`. */
  readonly own?: ReadonlySet<string>
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>
  /** It reads options anywhere before `--`, and hands on what follows that. Others hand on all words behind the script's name. */
  readonly readsAll?: true
  readonly manifest?: ScriptCall['manifest']
  readonly hasNoHooks?: true
  /** It runs an installed program where there is no such script. */
  readonly runsPrograms?: true
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const tests = { test: 'test', t: 'test', tst: 'test' }
const lifecycle = { start: 'start', stop: 'stop', restart: 'restart' }
/** They install, and run the tests then. */
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

/** The scripts that these words run; undefined: none. The words come without quotes and wrappers. */
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
  /** The words of the manager itself that are no options. */
  readonly operands: readonly string[]
  /** What is handed on to the script as it stands. */
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

/** Whether the name of the script is among these words: what follows is the script's. */
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

/** `npm-run-all lint 'test:*'` and its short forms; a name may come with arguments in the same word. */
function callOfAll(args: readonly string[]): ScriptCall | undefined {
  const end = args.indexOf('--')
  const scripts = args
    .slice(0, end < 0 ? args.length : end)
    .filter((word, index, own) => !word.startsWith('-') && own[index - 1] !== '--max-parallel')
    .map((word) => word.trim().split(/\s/u)[0] ?? '')
  return scripts.length === 0 ? undefined : { ...plain, scripts, hasHooks: true, separator: undefined }
}
