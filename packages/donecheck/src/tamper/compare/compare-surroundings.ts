/** What surrounds the tests of a file, before and now. */
import type { FileFacts, PlacedText } from '../facts.ts'
import type { TamperFinding, TamperRule } from '../finding.ts'
import { looseCasts } from '../javascript/loose-casts.ts'
import { isSilencing } from '../silenced.ts'
import type { ComparedFile } from './compared-file.ts'
import { calledIn, namesOf } from './words.ts'

type List = 'exits' | 'fileSkips' | 'overrides' | 'suppressions'

interface Row {
  readonly list: List
  readonly rule: TamperRule
  readonly words: string
}

const rows: readonly Row[] = [
  { list: 'exits', rule: 'test.early-exit', words: 'ends the whole run' },
  { list: 'fileSkips', rule: 'test.skipped', words: 'leaves tests out' },
  { list: 'overrides', rule: 'runner.wrapped', words: 'stands between the tests and their runner' },
  { list: 'suppressions', rule: 'suppression.added', words: 'silences a complaint' },
]

/**
 * One file, against the untouched versions of all changed files: what only moved is not new.
 * @param isComplaining whether the checks are linters or type checkers, which a comment can silence
 */
export function compareSurroundings(
  file: ComparedFile,
  files: readonly ComparedFile[],
  isComplaining: boolean,
): readonly TamperFinding[] {
  const { after } = file
  if (after === null) return []
  const found = rows.flatMap((row) =>
    newTexts(row.list, after, file, files).map((placed) => findingOf(row, file, placed, isComplaining)),
  )
  return [
    ...found.filter((finding) => finding !== undefined),
    ...newMocks(file, after, files),
    ...loosenedLimits(file),
  ]
}

function newTexts(
  list: List | 'mocks',
  after: FileFacts,
  file: ComparedFile,
  files: readonly ComparedFile[],
): readonly PlacedText[] {
  const known = files.flatMap((other) =>
    other === file || other.after === null ? (other.before?.[list] ?? []).map(({ text }) => text) : [],
  )
  return after[list].filter(({ text }) => {
    const index = known.indexOf(text)
    if (index !== -1) known.splice(index, 1)
    return index === -1
  })
}

function findingOf(
  row: Row,
  file: ComparedFile,
  { line, text, isDeclaration = false }: PlacedText,
  isComplaining: boolean,
): TamperFinding | undefined {
  const isSource = file.protection === undefined
  // Source code may call something of its own `it`; there is no runner in it that this would hide.
  if (isDeclaration && isSource && (file.after?.tests.length ?? 0) === 0) return undefined
  const isNewTest = file.before === null && file.protection === 'test'
  if (row.list === 'exits' && isSource) return undefined
  // In Go, a tag decides which source the tests are built with.
  if (row.list === 'fileSkips' && isSource && !file.path.endsWith('.go')) return undefined
  // A test is free to hand over whatever it likes.
  if (row.list === 'suppressions' && !isSource && looseCasts.includes(text)) return undefined
  const quoted = text.length > 100 ? `${text.slice(0, 97)}...` : text
  const finding = { rule: row.rule, path: file.path, line, message: `\`${quoted}\` ${row.words}` }
  const isUsual =
    row.list === 'suppressions'
      ? isSource
        ? !isComplaining || !isSilencing(text)
        : file.before === null
      : row.list === 'fileSkips' && (isSource || (isNewTest && !text.includes('collect_ignore')))
  return isUsual ? { ...finding, atMost: 'note' } : finding
}

/** The module that a test of the untouched tree was about is replaced by a stand-in. */
function newMocks(
  file: ComparedFile,
  after: FileFacts,
  files: readonly ComparedFile[],
): readonly TamperFinding[] {
  const { before } = file
  if (before === null || before.tests.length === 0 || file.protection === undefined) return []
  const about = subjectsOf(before)
  return newTexts('mocks', after, file, files).flatMap(({ line, text }): readonly TamperFinding[] => {
    const target = mockedNames(text, file)
    if (!target.some((name) => about.has(name))) return []
    const message = `\`${text.slice(0, 100)}\` puts a stand-in in the place of what is tested`
    return [{ rule: 'test.self-mocked', path: file.path, line, message }]
  })
}

/** Names that the assertions of a file look at. */
function subjectsOf({ tests, helperAssertions }: FileFacts): ReadonlySet<string> {
  const assertions = [...tests.flatMap((test) => test.assertions), ...helperAssertions]
  const bodies = tests.map(({ body }) => body)
  return new Set([
    ...assertions.flatMap(({ subject }) => [...namesOf(subject)]),
    ...bodies.flatMap((body) => [...calledIn(body)]),
  ])
}

/** Names in the mock itself, and what the file imports from the module that it names. */
function mockedNames(text: string, file: ComparedFile): readonly string[] {
  const target = /["'`]([^"'`]+)["'`]/u.exec(text)?.[1] ?? text
  const dotted = /^[\w.]+$/u.test(target) ? [target.split('.').at(-1) ?? ''] : []
  if (
    /^(?:node:|[a-z@][\w@/-]*$)/u.test(target) &&
    !target.includes('.') &&
    !file.beforeText.includes(`from ${target}`)
  )
    return []
  const lines = file.beforeText
    .split('\n')
    .filter((row) => target !== '' && row.includes(target) && /\b(?:import|require|from)\b/u.test(row))
  const attributes = [...text.matchAll(/["'`](\w+)["'`]/gu)].map((match) => match[1] ?? '')
  const spied = /\b(?:spyOn|method|stub|setattr|object) ?\(/u.test(text) ? attributes : []
  return [
    ...dotted,
    ...spied,
    ...lines.flatMap((row) =>
      [...namesOf(row.replaceAll(/["'`][^"'`]*["'`]/gu, ''))].filter(
        (name) => !/^(?:import|from|const|require|type|as)$/u.test(name),
      ),
    ),
  ]
}

const defaults: Readonly<Record<string, number>> = { timeoutMs: 5000, retries: 0 }

function loosenedLimits(file: ComparedFile): readonly TamperFinding[] {
  const then = new Map(file.before?.limits.map(({ name, value }) => [name, value]))
  return (file.after?.limits ?? []).flatMap(({ name, value, line }): readonly TamperFinding[] => {
    const earlier = then.get(name) ?? defaults[name]
    if (earlier === undefined && name !== 'maxExamples') return []
    const isLooser =
      name === 'maxExamples' ? value < (earlier ?? 100) : asLimit(name, value) > asLimit(name, earlier ?? 0)
    const message = `${name} is ${value} now, it was ${earlier ?? 'the default'}`
    return isLooser ? [{ rule: 'limit.loosened', path: file.path, line, message }] : []
  })
}

/** No timeout at all, which runners write as 0. */
function asLimit(name: string, value: number): number {
  return name === 'timeoutMs' && value === 0 ? Infinity : value
}
