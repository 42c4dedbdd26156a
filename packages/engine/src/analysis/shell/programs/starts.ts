import { programName } from '../decomposition.ts'
import { builtins, settingObstacles } from './builtins.ts'
import { shorten } from '../reading/findings.ts'
import { gitStarted } from './git.ts'
import { isShell, shellStarted } from './shells.ts'
import {
  elsewhere,
  scriptsStarted,
  type Start,
  type Started,
  type Starter,
  type StartObstacle,
  unknownScript,
} from './started.ts'
import { joinWords, literalWord, type ReadWord, withText } from '../reading/words.ts'
import { type FoundWrapper, optionTable, readOptions, readVariables, wrapperOf } from './wrappers.ts'

export function startsOf(words: readonly ReadWord[]): Started {
  const [program, ...args] = words
  if (program?.text === null || program === undefined) return {}
  const name = programName(program.text)
  if (isShell(name)) return shellStarted(words)
  const started = builtins.get(name)?.(args, words) ?? starters.get(name)?.(args, words)
  if (started !== undefined) return started
  if (/^git-[a-z]/.test(name))
    return {
      starts: [
        { kind: 'words', through: name, words: [literalWord('git'), literalWord(name.slice(4)), ...args] },
      ],
      isTransparent: true,
    }
  const wrapper = wrapperOf(name, words)
  return wrapper === undefined ? {} : wrapperStarted(words, wrapper)
}

function wrapperStarted(words: readonly ReadWord[], { wrapper, from, through }: FoundWrapper): Started {
  const { end, used, isKnown } = readOptions(words, from, wrapper.options)
  const isPlain = isKnown && words[end]?.text !== null
  const { variables, rest } = readVariables(words.slice(end), wrapper)
  const run = rest.slice(wrapper.operands)
  const behind = wrapper.operands > 0 && run[0]?.text === '--' ? run.slice(1) : run
  // `script file -c text`, `su root -c text`.
  const at = wrapper.scripts.includes('c') ? rest.findIndex(({ text }) => /^-[a-z]*c$/.test(text ?? '')) : -1
  const later = at < 0 ? [] : rest.slice(at + 1, at + 2)
  const texts = used.flatMap(({ name, value }) =>
    value !== undefined && wrapper.scripts.includes(name) ? [value] : [],
  )
  const scripts = scriptsStarted([...texts, ...later], `${through} -c`)
  const starts: readonly Start[] = behind.length === 0 ? [] : [{ kind: 'words', through, words: behind }]
  const readsInput = wrapper.readsInput && (scripts.starts ?? []).length === 0
  return {
    starts: [
      ...starts,
      ...(scripts.starts ?? []),
      ...(readsInput ? [{ kind: 'input', through } as const] : []),
    ],
    isTransparent: wrapper.isTransparent && isPlain && starts.length === 1,
    obstacles: [
      ...(wrapper.elsewhere === undefined ? [] : [elsewhere(`"${through}" ${wrapper.elsewhere}`)]),
      ...(scripts.obstacles ?? []),
      ...variables.flatMap(settingObstacles),
    ],
  }
}

/** Programs that start others by their own syntax. */
const starters: ReadonlyMap<string, Starter> = new Map(
  Object.entries({
    find: findStarted,
    gfind: findStarted,
    xargs: xargsStarted,
    gxargs: xargsStarted,
    git: gitStarted,
    ssh: sshStarted,
    at: startedLater,
    batch: startedLater,
    env: envStarted,
    busybox: appletStarted,
    toybox: appletStarted,
  } satisfies Record<string, Starter>),
)

function startedLater(): Started {
  return { starts: [{ kind: 'input', through: 'at' }], obstacles: [elsewhere('"at" runs its input later')] }
}

function appletStarted(args: readonly ReadWord[]): Started {
  const isRun = args.length > 0 && args[0]?.text?.startsWith('--') !== true
  return isRun ? { starts: [{ kind: 'words', through: 'busybox', words: args }], isTransparent: true } : {}
}

/** `env -S 'words'` splits them like the line. */
function envStarted(args: readonly ReadWord[]): Started | undefined {
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z0]*S|--split)/.test(text ?? ''))
  if (at < 0) return undefined
  const script = joinWords(args.slice(at))
  const guess = script.guess.replace(/^(?:-[a-zA-Z0]*S|--split[\w-]*)[\s=]*/, 'env ')
  return {
    starts: [{ kind: 'script', through: 'env -S', script: { ...script, guess } }],
    obstacles: [unknownScript(script)],
  }
}

/** The started program gets words that are not in the line. */
function fromInput(reason: string): StartObstacle {
  return { kind: 'dynamic-word', reason }
}

/** `find … -exec program {} ;` and the like. */
function findStarted(args: readonly ReadWord[]): Started {
  const starts: Start[] = []
  for (let index = 0; index < args.length; index += 1) {
    const option = args[index]?.text ?? ''
    if (!/^-(exec|execdir|ok|okdir)$/.test(option)) continue
    const end = args.findIndex(
      ({ text }, at) => at > index && (text === ';' || (text === '+' && args[at - 1]?.text === '{}')),
    )
    const words = args.slice(index + 1, end < 0 ? undefined : end).map((word) => filledIn(word, '{}'))
    if (words.length > 0) starts.push({ kind: 'words', through: `find ${option}`, words })
    if (end < 0) break
    index = end
  }
  return starts.length === 0
    ? {}
    : { starts, obstacles: [fromInput('"find" runs it for every file that it finds')] }
}

function filledIn(word: ReadWord, placeholder: string): ReadWord {
  return placeholder !== '' && word.guess.includes(placeholder) ? { ...word, text: null } : word
}

/** `xargs program …` appends or inserts words of its input. */
function xargsStarted(args: readonly ReadWord[], words: readonly ReadWord[]): Started {
  const table = wrapperOf('xargs', words)?.wrapper.options ?? optionTable('')
  const { end, used } = readOptions(args, 0, table)
  const option = used.find((one) => /^(?:I|J|i|replace)$/.test(one.name))
  const placeholder = option === undefined ? '' : (option.value?.text ?? '{}')
  const run = args.slice(end).map((word) => filledIn(word, placeholder))
  const takesInput = option === undefined ? { takesInput: true as const } : {}
  return {
    starts: run.length === 0 ? [] : [{ kind: 'words', through: 'xargs', words: run, ...takesInput }],
    obstacles: [fromInput(`"${shorten(joinWords(words).written)}" runs it with words of its input`)],
  }
}

const ofSsh = optionTable(
  '1 2 4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:',
)

/** `ssh host 'text'` runs the text elsewhere; options such as ProxyCommand run a program here. */
function sshStarted(args: readonly ReadWord[]): Started {
  const { end, used } = readOptions(args, 0, ofSsh)
  const local = used.flatMap(({ name, value }) => {
    const command = /^\w+Command[ =]+(.+)$/is.exec(value?.guess ?? '')?.[1]
    return name === 'o' && command !== undefined && value !== undefined ? [withText(value, command)] : []
  })
  // Options may follow the host too.
  const behind = args.slice(readOptions(args, end + 1, ofSsh).end)
  const texts = behind.length === 0 ? local : [...local, joinWords(behind)]
  const { starts = [] } = scriptsStarted(texts, 'ssh')
  const input: readonly Start[] = behind.length === 0 ? [{ kind: 'input', through: 'ssh' }] : []
  return { starts: [...starts, ...input], obstacles: [elsewhere('"ssh" runs it on another machine')] }
}
