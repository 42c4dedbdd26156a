import { isHarmlessEditor, isHarmlessPager } from './environment.ts'
import { shorten } from '../reading/findings.ts'
import { elsewhere, scriptsStarted, type Start, type Started } from './started.ts'
import { joinWords, literalWord, type ReadWord, withText } from '../reading/words.ts'
import { optionTable, readOptions } from './wrappers.ts'

/** Settings of git whose value is run. */
const runSetting =
  /^(alias\..+|core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|pager\..+|diff\.external|diff\..+\.(command|textconv)|(diff|merge)tool\..+\.cmd|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential\.(.+\.)?helper|gpg\.(.+\.)?program|interactive\.difffilter|uploadpack\.packobjectshook|remote\..+\.(uploadpack|receivepack|vcs)|protocol\..*allow|trailer\..+\.(command|cmd)|sendemail\..*cmd|web.browser|browser\..+\.cmd|man\..+\.cmd|gc\..*|includeif\..*|include\.path)$/i

/** Options whose value some command of git runs; long ones may be shortened. */
const runOption =
  /^(?:-x|-O|--exec|--extcmd|--open-files-in-pager|--(?:upload|receive)-p[a-z]*|--(?:env|tree|index|parent|msg|commit|tag-name)-filter)$/

const ofGit = optionTable(
  'p P v h paginate no-pager bare no-replace-objects no-optional-locks literal-pathspecs C: c: git-dir: work-tree: namespace: exec-path config-env:',
)

export function gitStarted(args: readonly ReadWord[]): Started {
  const { end, used } = readOptions(args, 0, ofGit)
  const command = args[end]?.text ?? ''
  const rest = args.slice(end + 1)
  const settings = used.flatMap(({ name, value }) =>
    value !== undefined &&
    (name === 'exec-path' || name === 'config-env' || (name === 'c' && runsValue(value)))
      ? [value]
      : [],
  )
  const texts = [...settings, ...(command === 'config' ? configured(rest) : [])].flatMap(aliasText)
  const { starts = [], obstacles = [] } = scriptsStarted([...texts, ...runBy(command, rest)], 'git')
  const bisect: readonly Start[] =
    command === 'bisect' && rest[0]?.text === 'run'
      ? [{ kind: 'words', through: 'git bisect run', words: rest.slice(1) }]
      : []
  const isRun = starts.length > 0 || bisect.length > 0
  const written = shorten([command, ...rest.map((word) => word.written)].join(' '))
  return {
    starts: [...starts, ...bisect],
    obstacles: [
      ...settings.map(
        (word) =>
          ({
            kind: 'environment',
            reason: `"${shorten(word.written)}" changes what git runs`,
            word,
          }) as const,
      ),
      ...obstacles,
      ...(isRun ? [elsewhere(`what stands in "git ${written}" is run by git`)] : []),
    ],
  }
}

function runsValue(word: ReadWord): boolean {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(word.guess) ?? []
  const isHarmless = /^(core\.pager|pager\..+)$/i.test(key)
    ? isHarmlessPager(value)
    : /^(core|sequence)\.editor$/i.test(key) && isHarmlessEditor(value)
  return (word.text === null || !isHarmless) && (runSetting.test(key) || value.startsWith('!'))
}

/** `git config KEY VALUE` as `KEY=VALUE`. */
function configured(args: readonly ReadWord[]): readonly ReadWord[] {
  const [key, value] = args.filter(({ text }) => text?.startsWith('-') !== true && text !== 'set')
  if (key === undefined || value === undefined) return []
  const setting = withText(value, `${key.guess}=${value.guess}`)
  return runsValue(setting) ? [setting] : []
}

/** An alias without `!` is a command of git. */
function aliasText(word: ReadWord): readonly ReadWord[] {
  const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(word.guess) ?? []
  const text = value.startsWith('!') ? value.slice(1) : /^alias\./i.test(key) ? `git ${value}` : value
  return text === '' ? [] : [withText(word, text)]
}

function runBy(command: string, args: readonly ReadWord[]): readonly ReadWord[] {
  const values = args.flatMap(({ text, written }, index): readonly ReadWord[] => {
    if (text?.startsWith('ext::') === true) return [literalWord(text.slice(5), written)]
    const [, name = '', attached] = /^(--[^=]+|-[A-Za-z])=?(.+)?$/s.exec(text ?? '') ?? []
    if (!runOption.test(name)) return []
    return attached === undefined ? args.slice(index + 1, index + 2) : [literalWord(attached, written)]
  })
  const at = command === 'submodule' ? args.findIndex(({ text }) => text === 'foreach') : -1
  const run = at < 0 ? [] : args.slice(at + 1)
  const first = run.findIndex(({ text }) => text?.startsWith('-') !== true)
  return [...values, ...(first < 0 ? [] : [joinWords(run.slice(first))])]
}
