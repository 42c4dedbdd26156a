import { parse } from 'unbash'
import { literalWord, readWord, textInWord, type ReadWord } from '../words/word.ts'
import { builtinStarted } from './builtins.ts'
import { fdStarted, findStarted, untilArguments, xargsStarted } from './find.ts'
import { gitStarted } from './git.ts'
import { optionTable, readOptions } from './options.ts'
import { containerStarted, isContainer, sshStarted } from './remote.ts'
import { isShell, shellStarted } from './shells.ts'
import {
  elsewhere,
  joinWords,
  programName,
  scriptsStarted,
  scriptStarted,
  type Start,
  type Started,
} from './started.ts'
import { wrapperStarted } from './wrapper.ts'
import { wrapperOf } from './wrappers.ts'

/** What a program runs in its turn, by its words. */
export function startsOf(words: readonly ReadWord[]): Started {
  const [program] = words
  if (program?.text === null || program === undefined) return {}
  const name = programName(program.text).replace(/^(ld-linux.*|ld-musl.*|ld)\.so(\.\d+)*$/, 'ld')
  if (isShell(name)) return shellStarted(words)
  const started = builtinStarted(name, words) ?? startOther(name, words)
  if (started !== undefined) return started
  const wrapper = wrapperOf(name, words)
  return wrapper === undefined ? {} : wrapperStarted(words, wrapper)
}

function startOther(name: string, words: readonly ReadWord[]): Started | undefined {
  const starter = starters.get(name)
  if (starter !== undefined) return starter(words, name)
  if (/^git-[a-z]/.test(name)) return gitProgram(words, name)
  return isContainer(name) ? containerStarted(words, name) : scriptOptionStarted(name, words)
}

type Starter = (words: readonly ReadWord[], name: string) => Started | undefined

const starters: ReadonlyMap<string, Starter> = new Map(
  Object.entries({
    'find gfind bfs': findStarted,
    'fd fdfind': fdStarted,
    'xargs gxargs': xargsStarted,
    'git hub': gitStarted,
    'ssh autossh mosh dbclient': sshStarted,
    'busybox toybox': applet,
    env: envStarted,
    parallel: parallelStarted,
    'hyperfine concurrently': everyWord,
    'gdb lldb': (words, name) => behindFlag(words, name, /^(--args|--)$/),
    nix: (words, name) => behindFlag(words, name, /^(-c|--command)$/),
  } satisfies Record<string, Starter>).flatMap(([names, starter]) =>
    names.split(' ').map((name): [string, Starter] => [name, starter]),
  ),
)

function applet(words: readonly ReadWord[], through: string): Started {
  const run = words.slice(1)
  return run.length === 0 || run[0]?.text?.startsWith('--') === true
    ? {}
    : { starts: [{ kind: 'words', through, words: run }], isTransparent: true }
}

/** All words behind one of these are run. */
function behindFlag(words: readonly ReadWord[], through: string, flag: RegExp): Started | undefined {
  const at = words.findIndex(({ text }) => flag.test(text ?? ''))
  const run = at < 0 ? [] : words.slice(at + 1)
  return run.length === 0 ? undefined : { starts: [{ kind: 'words', through, words: run }] }
}

/** `git-push` stands beside git, and is its `push`. */
function gitProgram(words: readonly ReadWord[], name: string): Started {
  const written = words[0]?.written ?? name
  const run = [
    literalWord('git', written),
    literalWord(name.slice('git-'.length), written),
    ...words.slice(1),
  ]
  return { starts: [{ kind: 'words', through: name, words: run }], isTransparent: true }
}

const envSplit = optionTable(
  '-! i 0 null v debug ignore-environment u: unset: C: chdir: P: a: argv0: S: split-string:',
)

/** `env -S 'words'` reads them as if they stood there. */
function envStarted(words: readonly ReadWord[]): Started | undefined {
  const { used, ends } = readOptions(words, 1, envSplit)
  const split = used.find(({ name }) => name === 'S' || name === 'split-string')?.value
  if (split === undefined) return undefined
  const written = split.text === null ? [] : splitWords(split)
  const run = [literalWord('env', split.written), ...written, ...ends.flatMap((end) => words.slice(end))]
  return {
    starts: [{ kind: 'words', through: 'env -S', words: run }],
    obstacles: scriptStarted(split, 'env -S').obstacles,
  }
}

function splitWords({ guess, written }: ReadWord): readonly ReadWord[] {
  const command = parse(`_ ${guess}`).commands[0]?.command
  const words = command?.type === 'Command' ? command.suffix : []
  return words.flatMap((word) =>
    word.type === 'Word' ? readWord(word, null).map((read) => ({ ...read, written })) : [],
  )
}

const parallelOptions = optionTable(
  '0 k u t v q X m bar progress eta dry-run keep-order line-buffer ungroup quote xargs pipe will-cite no-notice halt-on-error j: jobs: n: N: L: I: S: sshlogin: a: arg-file: d: ' +
    'delimiter: colsep: C: joblog: retries: timeout: delay: halt: results: tmpdir: workdir: wd: tag tagstring: env: block: P: max-procs: max-args:',
)

function parallelStarted(words: readonly ReadWord[]): Started {
  const written = untilArguments(words)
  const { ends } = readOptions(written, 1, parallelOptions)
  const given = words.slice(written.length).filter(({ text }) => !(text ?? '').startsWith(':::'))
  const starts = ends.flatMap((end): readonly Start[] => {
    const run = written.slice(end)
    // Without words of its own its arguments are the commands.
    return scriptsStarted(run.length > 0 ? [joinWords(run)] : given, 'parallel').starts
  })
  return { starts, obstacles: [elsewhere('"parallel" runs it with words of its input')] }
}

/** Programs whose words are texts for a shell, each for itself. */
function everyWord(words: readonly ReadWord[], through: string): Started {
  const texts = words.slice(1).filter(({ text }) => text?.startsWith('-') !== true)
  return {
    starts: scriptsStarted(texts, through).starts,
    obstacles: [elsewhere(`"${through}" runs it`)],
  }
}

const connected = /^(?:-[a-z]*[ce]|--(?:sh-)?exec)(?:=(?<value>.+))?$/s
/** A command of an editor that is one of the shell. */
const escaped = /^[+:]*!(?<value>.+)$/s

/** Each pattern gives the value where it stands in the same word; otherwise it is the next one. */
const options: Readonly<Record<string, RegExp>> = {
  rsync: /^(?:-[a-zA-Z]*e|--rsh)(?:=(?<value>.+))?$/s,
  scp: /^-[a-zA-Z]*S(?<value>.+)?$/s,
  sftp: /^-[a-zA-Z]*S(?<value>.+)?$/s,
  tar: /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command)|--checkpoint-action=exec)(?:=(?<value>.+))?$/s,
  sort: /^--compress-program(?:=(?<value>.+))?$/s,
  split: /^--filter(?:=(?<value>.+))?$/s,
  man: /^(?:-[a-zA-Z]*P|--pager|--html)(?:=(?<value>.+))?$/s,
  socat: /^(?:EXEC|SYSTEM|SHELL):(?<value>[^,]+)/is,
  nc: connected,
  ncat: connected,
  make: /^(?:SHELL|MAKE)=(?<value>.+)$/s,
  less: escaped,
  ex: escaped,
  vi: escaped,
  vim: escaped,
  nvim: escaped,
  zip: /^(?:-TT|--unzip-command)(?:=(?<value>.+))?$/s,
}

/** Undefined: it is no such program, or has no such option. */
function scriptOptionStarted(name: string, words: readonly ReadWord[]): Started | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined) return undefined
  const values = words.flatMap((word, index) => {
    const found = index === 0 ? null : option.exec(word.guess)
    if (found === null) return []
    const attached = found.groups?.['value']
    if (attached !== undefined) return { ...textInWord(word, attached), span: null }
    return words[index + 1] ?? []
  })
  return values.length === 0 ? undefined : scriptsStarted(values, name)
}
