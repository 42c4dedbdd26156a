import { InvalidArgumentError } from 'commander'
import { configFlags, type ConfigFlag, type FlagGroup } from '../../config/index.ts'
import type { FlagName, OptionGroup, OptionRow, Options } from './option.ts'

const headings: Readonly<Record<FlagGroup, string>> = {
  agent: 'The agent',
  checks: 'Checks',
  ends: 'What ends the run',
  judges: 'Judges',
  caps: 'Caps',
  permissions: 'Permissions',
  rules: 'Rules',
  record: 'Record and output',
}

function rowOf(flag: ConfigFlag, isForHooks = false): OptionRow {
  const help = (isForHooks ? flag.hooksHelp : undefined) ?? flag.help
  if (!flag.typed.includes('<')) return [flag.typed, help]
  return [flag.typed, help, flag.choices ?? readerOf(flag)]
}

function readerOf(flag: ConfigFlag) {
  return (text: string, before: unknown): unknown => {
    const result = flag.read(text)
    if ('problem' in result) throw new InvalidArgumentError(`${result.problem}.`)
    return flag.isList ? added(result.value, before) : result.value
  }
}

function added(value: unknown, before: unknown): readonly unknown[] {
  const earlier: readonly unknown[] = Array.isArray(before) ? before : []
  return [...earlier, value]
}

function groupsOf(groups: readonly FlagGroup[], isForHooks = false): readonly OptionGroup[] {
  return groups.map((group) => ({
    heading: headings[group],
    rows: configFlags.filter((flag) => flag.group === group).map((flag) => rowOf(flag, isForHooks)),
  }))
}

function rowsOf(...keys: readonly string[]): readonly OptionRow[] {
  return configFlags.filter(({ key }) => keys.includes(key)).map((flag) => rowOf(flag))
}

const configOption: OptionRow = [
  '--config <file>',
  'instead of donecheck.config.ts, .js or .json in the work folder',
]
const outputOptions: readonly OptionRow[] = [
  ['--json', 'the result as one JSON object'],
  ['--events', 'every event as a line of JSON, and then the result'],
]

const [checks, judges] = groupsOf(['checks', 'judges']).map(({ rows }) => rows)
const storeOptions = rowsOf('store', 'workdir')
const runGroups: readonly OptionGroup[] = [
  ...groupsOf(['agent', 'checks', 'ends', 'judges', 'caps', 'permissions', 'rules']),
  {
    heading: headings.record,
    rows: [...rowsOf('tags', 'store', 'workdir', 'memory', 'quiet'), configOption, ...outputOptions],
  },
]

const flagTable: Readonly<Record<FlagName, Options>> = {
  store: storeOptions,
  config: [configOption],
  checks: checks ?? [],
  judges: judges ?? [],
  quiet: rowsOf('quiet'),
  run: runGroups,
  resume: [
    [
      '--top-up <amounts>',
      'more budget, such as turns=10,tokens=50000 (the names of the --max- flags); a run that ended at a cap goes on (repeatable)',
      added,
    ],
    ...rowsOf('yes', 'approval', 'trace', 'mayChange', 'store', 'workdir', 'memory', 'quiet'),
    configOption,
    ...outputOptions,
  ],
  install: [configOption, ...groupsOf(['checks', 'ends', 'judges', 'caps', 'rules'], true)],
}

export function flagsNamed(name: FlagName): Options {
  return flagTable[name]
}
