/** A goal in Markdown with sections `Outcome`, `Sub-goals`, `Checks`, `Constraints`, `Boundaries`, `Stop when`, `Budget`. */
import { UsageError } from '@donecheck/engine/internal/base'
import { nearest } from '@donecheck/core/internal/base'
import type { SubGoal, SubGoalBudget } from '@donecheck/core/internal/goal'
import type { CheckConfig } from '../keys/checks.ts'
import {
  readMarkdown,
  type Block,
  type Fence,
  type Heading,
  type Item,
  type Line,
  type Markdown,
} from '../markdown.ts'
import { namedChecks, readPartBudget } from './part-budget.ts'
import { commandsOf, partsOf, type Part, type Wrong } from './sub-goal-items.ts'

export interface GoalFile {
  readonly task: string
  readonly rules: string
  readonly checks: readonly CheckConfig[]
  readonly subGoals: readonly SubGoal[]
  readonly caps: Readonly<Record<string, number>>
}

const sections = [
  'outcome',
  'sub-goals',
  'checks',
  'constraints',
  'boundaries',
  'stop when',
  'budget',
] as const
type Section = (typeof sections)[number]

/** @param name for messages @throws {UsageError} with the line for what cannot be read */
export function readGoalFile(text: string, name: string): GoalFile {
  const found = sectionsOf(readMarkdown(text, name), name)
  const listAt = (section: Section) => itemsOf(found.get(section)?.blocks ?? [])
  const wrong: Wrong = ({ number, text: line }, problem) =>
    new UsageError(`${name}:${number}: "${line.trim()}": ${problem}`)
  const parts = partsOf(withoutFences(listAt('sub-goals'), wrong), wrong)
  const outcome = proseOf(found.get('outcome'))
  if (outcome === '') throw new UsageError(`${name} does not say what is wanted; write it under "# Outcome"`)
  const rules = rulesOf(found)
  return {
    task: [outcome, ...partsInWords(parts), ...(rules === '' ? [] : [rules])].join('\n\n'),
    rules,
    checks: [...checksOf(listAt('checks'), wrong), ...parts.flatMap(({ checks }) => checks)],
    subGoals: parts.map(({ subGoal }) => subGoal),
    caps: capsOf(withoutFences(listAt('budget'), wrong), wrong),
  }
}

interface SectionText {
  readonly prose: string[]
  readonly blocks: Block[]
}

function sectionsOf({ lines, blocks }: Markdown, name: string): ReadonlyMap<Section, SectionText> {
  const found = new Map<Section, SectionText>()
  const open = blocks.find((block) => block.kind === 'fence' && !block.isClosed)
  if (open !== undefined)
    throw new UsageError(`${name}:${open.line.number}: the block that begins here has no end`)
  const blocksByLine = Map.groupBy(blocks, ({ line }) => line.number)
  let section: Section = 'outcome'
  for (const { number, text } of lines) {
    const place = `${name}:${number}`
    const here = blocksByLine.get(number) ?? []
    const heading = here.find((block) => block.kind === 'heading')
    if (heading !== undefined && !isTitle(heading, found)) {
      section = sectionNamed(heading.title, place)
      continue
    }
    const meant = here.some(({ kind }) => kind === 'text') ? sectionLike(text) : undefined
    if (meant !== undefined)
      throw new UsageError(`${place}: write "## ${capitalised(meant)}", so that it begins a section`)
    const { prose, blocks: ofSection } = found.get(section) ?? { prose: [], blocks: [] }
    prose.push(heading?.title ?? text)
    ofSection.push(...here.filter((block) => block !== heading))
    found.set(section, { prose, blocks: ofSection })
  }
  return found
}

function proseOf(section: SectionText | undefined): string {
  return section?.prose.join('\n').trim() ?? ''
}

/** A first heading that names no section states the goal. */
function isTitle({ level, title }: Heading, found: ReadonlyMap<Section, SectionText>): boolean {
  const isFirst = [...found.values()].every((section) => proseOf(section) === '')
  return level === 1 && isFirst && nearest(title, sections) === undefined
}

/** Such as `Checks:` or `**Checks**`, which are not headings in Markdown. */
function sectionLike(text: string): Section | undefined {
  return /^\s{0,3}#*(?:\*\*|__)?[a-z][a-z -]*:?(?:\*\*|__)?:?\s*$/i.test(text) ? sectionOf(text) : undefined
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

function sectionOf(text: string): Section | undefined {
  return sections.find((one) => letters(one) === letters(text))
}

function sectionNamed(heading: string, place: string): Section {
  const section = sectionOf(heading)
  if (section !== undefined) return section
  const near = nearest(heading, sections)
  throw new UsageError(
    `${place}: there is no section "${heading}"${near === undefined ? '.' : `; did you mean "${near}"?`} A goal has: ${sections.join(', ')}`,
  )
}

/** Each line of a paragraph is an item, and goes on with the item above if it is indented. */
function itemsOf(blocks: readonly Block[]): readonly (Item | Fence)[] {
  const items: (Item | Fence)[] = []
  for (const block of blocks) {
    if (block.kind !== 'text' || block.line.text.trim() === '') {
      if (block.kind === 'fence' || (block.kind === 'item' && block.line.text !== '')) items.push(block)
      continue
    }
    const { number, text } = block.line
    const above = items.at(-1)
    if (/^\s/.test(text) && above?.kind === 'item') {
      const line = { number: above.line.number, text: `${above.line.text} ${text.trim()}` }
      items[items.length - 1] = { ...above, line }
    } else items.push({ kind: 'item', line: { number, text: text.trim() }, indent: 0 })
  }
  return items
}

function withoutFences(items: readonly (Item | Fence)[], wrong: Wrong): readonly Item[] {
  return items.map((item) => {
    if (item.kind === 'fence')
      throw wrong(item.line, 'a fenced block is read under Checks only; write commands in backticks')
    return item
  })
}

function checksOf(items: readonly (Item | Fence)[], wrong: Wrong): readonly CheckConfig[] {
  const checks = new Map<string, CheckConfig>()
  for (const item of items) {
    const found = item.kind === 'fence' ? fencedChecks(item, wrong) : listedChecks(item.line, wrong)
    for (const check of found) {
      const name = check.name ?? check.command
      if (checks.has(name)) throw wrong(item.line, `there is a check "${name}" already`)
      checks.set(name, check)
    }
  }
  return [...checks.values()]
}

function listedChecks(line: Line, wrong: Wrong): readonly CheckConfig[] {
  const commanded = commandsOf(line.text.replace(/^\[[ xX]\]\s+/, ''))
  if (typeof commanded === 'string') throw wrong(line, commanded)
  const { words, commands } = commanded
  if (commands.length === 0 || words.includes('`'))
    throw wrong(
      line,
      'a check is a command in backticks at the end of its line, such as "- `npm test`"; or write commands into a fenced block',
    )
  return words === '' ? commands.map((command) => ({ command })) : namedChecks(words, commands)
}

const shells = ['', 'sh', 'bash', 'zsh', 'shell', 'console']
/** Lines that make sense only with others. */
const needsOthers =
  /^(?:cd|export|source|set|\.|if|for|while|until|case|fi|done|esac|else|then|do)(?:\s[^;&|]*)?$|(?:<<-?\s*["'\w].*|\b(?:do|then)|[{(|]|&&)$/

function fencedChecks({ line, language, content }: Fence, wrong: Wrong): readonly CheckConfig[] {
  if (!shells.includes(language)) throw wrong(line, 'a block of checks is of sh or bash, a command a line')
  return joined(content).map((commandLine) => {
    const command = commandLine.text.replace(/^\$\s+/, '')
    if (needsOthers.test(command))
      throw wrong(
        commandLine,
        'each line of a block is a check that runs by itself; join it to the next with && or \\, or write a script',
      )
    return { command }
  })
}

function joined(content: readonly Line[]): readonly Line[] {
  const lines: Line[] = []
  let begun: Line | undefined
  for (const { number, text } of content) {
    const whole: Line =
      begun === undefined ? { number, text: text.trim() } : { ...begun, text: begun.text + text.trim() }
    begun = whole.text.endsWith('\\') ? { ...whole, text: whole.text.slice(0, -1) } : undefined
    if (begun === undefined && whole.text !== '' && !whole.text.startsWith('#')) lines.push(whole)
  }
  return begun === undefined ? lines : [...lines, begun]
}

const capRows = [
  { bound: 'turns', key: 'maxTurns', factor: 1 },
  { bound: 'tokens', key: 'maxTokens', factor: 1 },
  { bound: 'costUsd', key: 'maxCostUsd', factor: 1 },
  { bound: 'activeMs', key: 'maxSeconds', factor: 1000 },
] as const satisfies readonly { bound: keyof SubGoalBudget; key: string; factor: number }[]

function capsOf(items: readonly Item[], wrong: Wrong): Readonly<Record<string, number>> {
  const caps = new Map<string, number>()
  for (const { line } of items) {
    const { unit, amount } = /^(?<unit>[a-z]+)\s*[:=]\s*(?<amount>.+)$/i.exec(line.text)?.groups ?? {}
    const budget = readPartBudget(
      unit === undefined || amount === undefined ? line.text : `${amount} ${unit}`,
    )
    if (budget === undefined)
      throw wrong(
        line,
        'a budget is one of turns, tokens, usd, seconds, minutes or hours and a number, such as "- turns: 40"',
      )
    for (const { bound, key, factor } of capRows) {
      const value = budget[bound]
      if (value === undefined) continue
      if (caps.has(key)) throw wrong(line, 'another line bounds the same; leave one of them out')
      caps.set(key, value / factor)
    }
  }
  return Object.fromEntries(caps)
}

function rulesOf(found: ReadonlyMap<Section, SectionText>): string {
  return (['constraints', 'boundaries', 'stop when'] as const)
    .map((section) => ({ section, prose: proseOf(found.get(section)) }))
    .filter(({ prose }) => prose !== '')
    .map(({ section, prose }) => `${capitalised(section)}:\n${prose}`)
    .join('\n\n')
}

function partsInWords(parts: readonly Part[]): readonly string[] {
  const list = parts.map(({ subGoal: { id, title, after }, above }) => {
    const order = after.length === 0 ? '' : ` (after ${after.join(', ')})`
    return `${'  '.repeat(above.length)}- ${id}: ${title}${order}`
  })
  return list.length === 0 ? [] : [`Parts, in their order:\n${list.join('\n')}`]
}

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
