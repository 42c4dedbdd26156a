import { parse } from 'unbash'
import { builtinStarted } from './builtins.ts'
import { gitStarted } from './git.ts'
import {
  elsewhere,
  joinWords,
  optionTable,
  readOptions,
  scriptsStarted,
  scriptStarted,
  type Start,
  type Started,
} from './started.ts'
import { programName } from '../decomposition.ts'
import { isShell, shellStarted } from './shells.ts'
import { wrapperStarted } from './wrapper.ts'
import { wrapperOf, xargs } from './wrappers.ts'
import { formatText } from '../reading-state.ts'
import { literalWord, readWord, type ReadWord, textInWord, unknownWord } from '../words/word.ts'

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

/** `find … -exec program {} ;` and the like. */
function findStarted(words: readonly ReadWord[]): Started {
  const starts: Start[] = []
  for (let index = 1; index < words.length; index += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[index]?.text ?? '')) continue
    const end = words.findIndex(
      ({ text }, at) => at > index && (text === ';' || (text === '+' && words[at - 1]?.text === '{}')),
    )
    const run = words.slice(index + 1, end < 0 ? undefined : end)
    if (run.length > 0)
      starts.push({
        kind: 'words',
        through: `find ${words[index]?.text ?? ''}`,
        words: run.map(filledIn('{}')),
      })
    if (end < 0) break
    index = end
  }
  if (starts.length === 0) return {}
  return { starts, obstacles: [elsewhere('"find" runs it for every file that it finds')] }
}

/** `fd … -x program`. */
function fdStarted(words: readonly ReadWord[]): Started {
  const at = words.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text ?? ''))
  const end = words.findIndex(({ text }, index) => index > at && text === ';')
  const run = at < 0 ? [] : words.slice(at + 1, end < 0 ? undefined : end)
  if (run.length === 0) return {}
  const filled = run.map((word) => (/\{[/.]*\}/.test(word.guess) ? unknownWord(word.guess, word) : word))
  return {
    starts: [{ kind: 'words', through: 'fd', words: filled }],
    obstacles: [elsewhere('"fd" runs it for every file that it finds')],
  }
}

/** `xargs program …`: words of its input are put behind, or into, those that are written. */
function xargsStarted(words: readonly ReadWord[]): Started {
  const { ends, used } = readOptions(words, 1, xargs.options)
  const [placeholder] = used.flatMap(({ name, value }) => {
    if (name === 'I' || name === 'J' || name === 'replace') return [value?.text ?? '{}']
    return name === 'i' ? ['{}'] : []
  })
  const starts = ends.flatMap((end): readonly Start[] => {
    const run = words.slice(end)
    if (run.length === 0) return []
    return placeholder === undefined
      ? [{ kind: 'words', through: 'xargs', words: run, takesInput: true }]
      : [{ kind: 'words', through: 'xargs', words: run.map(filledIn(placeholder)) }]
  })
  const written = formatText(joinWords(words).written)
  return { starts, obstacles: [elsewhere(`"${written}" runs it with words of its input`)] }
}

/** `parallel program … ::: arguments`, which joins its words for a shell. */
function untilArguments(words: readonly ReadWord[]): readonly ReadWord[] {
  const end = words.findIndex(({ text }) => /^:::+\+?$/.test(text ?? ''))
  return end < 0 ? words : words.slice(0, end)
}

function filledIn(placeholder: string): (word: ReadWord) => ReadWord {
  return (word) =>
    placeholder !== '' && word.guess.includes(placeholder) ? unknownWord(word.guess, word) : word
}

const sshOptions = optionTable(
  '1 2 4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:',
)

const ownCommand = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[ =]+(.+)$/is

/** `ssh host 'text'`, which the shell of another machine reads; settings of it can run something here. */
function sshStarted(words: readonly ReadWord[], through: string): Started {
  const { ends, used } = readOptions(words, 1, sshOptions)
  const local = used.flatMap(({ name, value }): readonly Start[] => {
    const command = ownCommand.exec(value?.guess ?? '')?.[1]
    if (name !== 'o' || command === undefined || value === undefined) return []
    return [scriptStarted(textInWord(value, command), through).start]
  })
  const remote = ends.flatMap((end): readonly Start[] => {
    // Options may stand behind the host too.
    const behind = readOptions(words, end + 1, sshOptions)
    return behind.ends.flatMap((start) =>
      start < words.length ? [scriptStarted(joinWords(words.slice(start)), through).start] : [],
    )
  })
  const input: readonly Start[] = remote.length === 0 ? [{ kind: 'input', through, isBash: false }] : []
  return {
    starts: [...remote, ...local, ...input],
    obstacles: [elsewhere(`"${through}" runs it on another machine`)],
  }
}

/** Programs that run words somewhere else behind a great many options of their own. */
const containers =
  /^(docker|podman|nerdctl|docker-compose|podman-compose|kubectl|oc|lxc|lxc-attach|incus|vagrant|multipass|bwrap|firejail|unshare|nsenter|setpriv|systemd-nspawn|proot|distrobox|toolbox|flatpak|snap|singularity|apptainer)$/
const runsHere = /^(bwrap|firejail|unshare|nsenter|setpriv|systemd-nspawn|proot|lxc-attach)$/

function isContainer(name: string): boolean {
  return containers.test(name)
}

/** Every word behind may be the first of what is run: what cannot be told is looked at in all ways. */
function containerStarted(words: readonly ReadWord[], name: string): Started {
  const verb = words.findIndex(
    ({ text }, index) => index > 0 && /^(exec|run|ssh|enter|shell|debug)$/.test(text ?? ''),
  )
  const from = runsHere.test(name) ? 1 : verb + 1
  if (from === 0 || from >= words.length) return {}
  const dashes = words.findIndex(({ text }, index) => index >= from && text === '--')
  const behind = dashes < 0 ? words.slice(from) : words.slice(dashes + 1)
  const places =
    dashes < 0
      ? behind
          .slice(0, maxPlaces)
          .flatMap(({ text, written }, index) => (isArgument(text, written) ? [] : [index]))
      : [0]
  const starts = places
    .filter((place) => place < behind.length)
    .map((place): Start => ({ kind: 'words', through: name, words: behind.slice(place) }))
  const away = elsewhere(`"${name}" runs it in another place`)
  // Whoever reaches no engine starts nothing by it: no more than a program of the project.
  const subject = /^(?:docker|podman|nerdctl)(?:-compose)?$/.test(name) ? { subject: name } : {}
  return { starts, obstacles: [{ ...away, ...subject }] }
}

/** An option, or a mount such as `"$PWD":/app`. */
function isArgument(text: string | null, written: string): boolean {
  return text === null ? written.includes(':/') : text.startsWith('-')
}

const maxPlaces = 40
