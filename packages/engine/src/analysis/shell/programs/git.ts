import { isHarmlessEditor, isHarmlessPager } from '../environment.ts'
import { formatText } from '../reading-state.ts'
import { literalWord, type ReadWord, textInWord } from '../words/word.ts'
import {
  elsewhere,
  joinWords,
  optionTable,
  readOptions,
  scriptsStarted,
  type ScriptStart,
  scriptStarted,
  type Start,
  type Started,
  type StartObstacle,
} from './started.ts'

const globalOptions = optionTable(
  'p P v h paginate no-pager bare no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs ' +
    'noglob-pathspecs icase-pathspecs version help html-path man-path info-path exec-path C: c: git-dir: work-tree: namespace: ' +
    'super-prefix: config-env: list-cmds: attr-source:',
)

/** Settings of git whose value is run. */
const runSetting =
  /^(alias\..+|core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|pager\..+|diff\.external|diff\..+\.(command|textconv)|(diff|merge)tool\..+\.cmd|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential\.(.+\.)?helper|gpg\.(.+\.)?program|interactive\.difffilter|uploadpack\.packobjectshook|remote\..+\.(uploadpack|receivepack|vcs)|protocol\..*allow|trailer\..+\.(command|cmd)|sendemail\..*cmd|web.browser|browser\..+\.cmd|man\..+\.cmd|gc\..*|includeif\..*|include\.path)$/i

const filters =
  '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter'

/** Options of single commands of git whose value is run; long ones may be shortened. */
const runOptions: readonly { readonly of: RegExp; readonly options: string }[] = [
  { of: /^rebase$/, options: '-x --exec' },
  { of: /^filter-branch$/, options: filters },
  { of: /^clone$/, options: '-u --upload-pack' },
  { of: /^(?:fetch|pull|ls-remote|fetch-pack)$/, options: '--upload-pack --exec' },
  { of: /^(?:push|send-pack)$/, options: '--receive-pack --exec' },
  { of: /^archive$/, options: '--exec' },
  { of: /^difftool$/, options: '-x --extcmd' },
  { of: /^grep$/, options: '-O --open-files-in-pager' },
  { of: /^send-email$/, options: '--smtp-server --sendmail-cmd --to-cmd --cc-cmd' },
]

/** What git is told to run, by settings and by options. */
export function gitStarted(words: readonly ReadWord[]): Started {
  const { ends, used } = readOptions(words, 1, globalOptions)
  const from = ends[0] ?? words.length
  const command = words[from]?.text ?? ''
  const args = words.slice(from + 1)
  const settings = used.flatMap(({ name, value }): readonly Started[] => {
    if (value === undefined) return []
    if (name === 'exec-path' || name === 'config-env') return [{ obstacles: [changesGit(value)] }]
    return name === 'c' ? [settingStarted(value)] : []
  })
  const starts: readonly Start[] = [
    ...settings.flatMap((setting) => setting.starts ?? []),
    ...scriptsStarted(optionValues(command, args), `git ${command}`).starts,
    ...commandStarts(command, args),
  ]
  const changed = settings.flatMap((setting) => setting.obstacles ?? [])
  if (starts.length === 0) return { obstacles: changed }
  const written = formatText([command, ...args.map((arg) => arg.written)].join(' '))
  const how = command === 'config' ? 'is kept and run later' : 'is run by git'
  return { starts, obstacles: [...changed, elsewhere(`what stands in "git ${written}" ${how}`)] }
}

function settingStarted(word: ReadWord): Started {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(word.guess) ?? []
  const isHarmless = word.text !== null && isHarmlessSetting(key, value)
  if (isHarmless || (!runSetting.test(key) && !value.startsWith('!'))) return {}
  return { starts: [aliasScript(key, value, word)], obstacles: [changesGit(word)] }
}

function changesGit(word: ReadWord): StartObstacle {
  return { kind: 'environment', reason: `"${formatText(word.written)}" changes what git runs`, word }
}

function isHarmlessSetting(key: string, value: string): boolean {
  if (/^(core\.pager|pager\..+)$/i.test(key)) return isHarmlessPager(value)
  return /^(core|sequence)\.editor$/i.test(key) && isHarmlessEditor(value)
}

/** An alias without `!` is a command of git. */
function aliasScript(key: string, value: string, word: ReadWord): ScriptStart {
  const text = value.startsWith('!') ? value.slice(1) : /^alias\./i.test(key) ? `git ${value}` : value
  return { kind: 'script', through: 'git', script: textInWord(word, text), isBash: false }
}

function optionValues(command: string, args: readonly ReadWord[]): readonly ReadWord[] {
  const options = runOptions.filter(({ of }) => of.test(command)).flatMap((row) => row.options.split(' '))
  return args.flatMap(({ text, written }, index) => {
    const [, name = '', attached] = /^(--[^=]+|-[A-Za-z])=?(.+)?$/s.exec(text ?? '') ?? []
    if (!options.some((option) => option === name || (name.length > 2 && option.startsWith(name)))) return []
    const value = attached === undefined ? args[index + 1] : literalWord(attached, written)
    return value === undefined ? [] : [value]
  })
}

function commandStarts(command: string, args: readonly ReadWord[]): readonly Start[] {
  const isOption = ({ text }: ReadWord) => text?.startsWith('-') === true
  if (command === 'bisect' && args[0]?.text === 'run')
    return [{ kind: 'words', through: 'git bisect run', words: args.slice(1) }]
  if (command === 'submodule') {
    const at = args.findIndex(({ text }) => text === 'foreach')
    const run = at < 0 ? [] : args.slice(at + 1)
    const first = run.findIndex((word) => !isOption(word))
    return first < 0 ? [] : [scriptStarted(joinWords(run.slice(first)), 'git submodule foreach').start]
  }
  if (command === 'config') {
    const [key, value] = args.filter((word) => !isOption(word) && word.text !== 'set')
    return key !== undefined &&
      value !== undefined &&
      (runSetting.test(key.guess) || value.guess.startsWith('!'))
      ? [{ ...aliasScript(key.guess, value.guess, value), through: 'git config' }]
      : []
  }
  return args.flatMap((word): readonly Start[] =>
    word.guess.startsWith('ext::')
      ? [scriptStarted(literalWord(word.guess.slice(5), word.written), 'git').start]
      : [],
  )
}
