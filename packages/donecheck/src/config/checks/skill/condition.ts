import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { codeSpansIn, withoutCode, type Block } from '../../markdown.ts'

export type Condition = { readonly line: number } & (
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'file'; readonly path: string; readonly contains?: string }
  | { readonly kind: 'schema'; readonly file: string; readonly schema: string }
  | { readonly kind: 'rubric'; readonly text: string }
  | { readonly kind: 'unclear'; readonly text: string; readonly problem: string }
)

const maxPieceLength = 4000
const shells = new Set(['sh', 'bash', 'shell', 'zsh', 'console', 'shellsession', 'terminal'])

/** Why items under an introduction are not checks. */
interface Mood {
  readonly problem: string | undefined
  readonly indent: number
}

/** A line that ends with a colon introduces the items below it. */
export function conditionsOf(pieces: readonly Piece[]): readonly Condition[] {
  let mood: Mood | undefined
  return pieces.flatMap((piece, index): readonly Condition[] => {
    if (mood !== undefined && piece.indent <= mood.indent) mood = undefined
    if (piece.kind === 'block') return ofBlock(piece, mood?.problem)
    const next = pieces[index + 1]?.kind ?? 'prose'
    const introduces = /:\W{0,9}$/.test(piece.text) && next !== 'prose'
    const above = mood?.problem
    if (introduces) mood = { problem: moodOf(withoutSpans(piece.text)) ?? above, indent: piece.indent }
    return introduces && spansOf(piece.text).length === 0 ? [] : ofText(piece, above)
  })
}

function ofText({ kind, text, line }: Piece, mood: string | undefined): readonly Condition[] {
  const unclear = (problem: string): readonly Condition[] => [{ kind: 'unclear', line, text, problem }]
  if (kind === 'table') return unclear('tables are not read; write a list')
  if (text.length > maxPieceLength) return unclear(`it is longer than ${maxPieceLength} characters`)
  const spans = spansOf(text)
  const words = withoutSpans(text)
  const rubric: Condition = { kind: 'rubric', line, text }
  if (spans.length === 0) return /\p{Letter}/u.test(text) ? [rubric] : []
  const stated = statedFiles(spans, words, line) ?? statedCommands(spans, words, line)
  if (stated === undefined) return [rubric]
  const problem = mood ?? moodOf(words)
  if (problem !== undefined) return unclear(problem)
  // Words that the check does not cover need a judge.
  return says(words) ? [...stated, rubric] : stated
}

type Script = Extract<Piece, { readonly kind: 'block' }>

/** Commands that share state become one script. */
function ofBlock({ text, language, line }: Script, mood: string | undefined): readonly Condition[] {
  const unclear = (problem: string): Condition => ({ kind: 'unclear', line, text, problem })
  if (!shells.has(language))
    return [unclear(`a block of ${language === '' ? 'no language' : language} is no command; call it sh`)]
  if (mood !== undefined) return [unclear(mood)]
  const isConsole = text.split('\n').some((one) => /^\s*\$ /.test(one))
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((one) => (isConsole ? /^\s*\$ /.test(one) : !/^\s*(?:#|$)/.test(one)))
    .map((one) => (isConsole ? one.replace(/^\s*\$ /, '') : one.trimEnd()))
  const expected = text.split('\n').filter((one) => /^\s*#.*\b(?:expect|should|must)/i.test(one))
  const printed = isConsole ? [unclear('what the commands of a console print is not compared')] : []
  if (lines.length === 0) return [unclear('there is no command in it')]
  const commands = isOneScript(lines) ? [`set -e\n${lines.join('\n')}`] : lines.map((one) => one.trim())
  return [
    ...commands.map((command): Condition => commandCondition(command, line)),
    ...printed,
    ...expected.map((one): Condition => ({ kind: 'rubric', line, text: one.replace(/^[\s#]+/, '') })),
  ]
}

function isOneScript(lines: readonly string[]): boolean {
  const shares =
    /^\s*(?:cd|pushd|export|source|set|unset|alias|trap|\.|[A-Za-z_]\w*=\S*(?:\s*$|;))(?:\s|$)|<<|^\s|[&|]\s*$|&\s*$/
  const isWhole = (line: string) => decompose(line).obstacles.every(({ kind }) => kind !== 'syntax')
  return lines.length > 1 && lines.some((line) => shares.test(line) || !isWhole(line))
}

function commandCondition(command: string, line: number): Condition {
  const problem = problemOf(command)
  return problem === undefined
    ? { kind: 'command', line, command }
    : { kind: 'unclear', line, text: command, problem }
}

function problemOf(command: string): string | undefined {
  const placeholder =
    /<[a-z][\w-]*(?: [\w-]+)*>|\bpath\/to\/\S*|\{\{.*?\}\}|\bYOUR_\w+|\.\.\.(?=\s|$)|…/i.exec(command)?.[0]
  if (placeholder !== undefined) return `"${placeholder}" stands for something that is not named`
  if (
    /\b(?:npm|pnpm|yarn|bun)(?: run)? (?:dev|start|serve|watch)\b|\s--watch(?:\s|$)|\btail -f\b/.test(command)
  )
    return 'it does not end by itself'
  const { commands, obstacles } = decompose(command)
  const isCommand = commands.length > 0 && obstacles.every(({ kind }) => kind !== 'syntax')
  return isCommand ? undefined : 'no shell can read it'
}

function statedFiles(
  spans: readonly string[],
  words: string,
  line: number,
): readonly Condition[] | undefined {
  const [first = '', second = ''] = spans
  if (!isPath(first)) return undefined
  const isPair = spans.length === 2
  if (
    isPair &&
    isPath(second) &&
    /\b(?:valid|match|conform|compl(?:y|ies)|adher|satisf|keeps? to)/.test(words)
  ) {
    const schema = [second, first].find((one) => /schema/i.test(one) && one.endsWith('.json'))
    const file = schema === second ? first : second
    return schema === undefined || !isInside(file) ? undefined : [{ kind: 'schema', line, file, schema }]
  }
  if (isPair && /^[^§]*§[^§]*\b(?:contains?|includes?|has|mentions?)\b[^§]*§/.test(words))
    return isInside(first) ? [{ kind: 'file', line, path: bare(first), contains: second }] : undefined
  if (
    !/\bexists?\b|\bpresent\b|\bin place\b|\b(?:is|are|was|were|been)(?: \w+ly)? (?:written|created|generated|produced|saved|there)\b/.test(
      words,
    )
  )
    return undefined
  return spans.every((one) => isPath(one) && isInside(one))
    ? spans.map((one): Condition => ({ kind: 'file', line, path: bare(one) }))
    : undefined
}

function statedCommands(
  spans: readonly string[],
  words: string,
  line: number,
): readonly Condition[] | undefined {
  const isAlone = /^[\W_]*$/.test(words.replaceAll('§', ''))
  const isRun = /\b(?:re-?)?(?:runs?|running|execut(?:e|es|ing)|invoke)\b/.test(words)
  const isEnd =
    /\b(?:pass(?:es)?|succeeds?|exits?|completes?|finish(?:es)?|is (?:green|clean)|returns? (?:0|zero)|works)\b|@/.test(
      plainer(words),
    )
  if (!isAlone && !isRun && !isEnd) return undefined
  const isFile = (one: string) => /^[\w-]+\.(?!sh$|py$)\w+$/.test(one)
  const named = spans.filter((one) => /^[\w./~$@{"'![(]/.test(one) && !isFile(one))
  if (named.length < spans.length || (isAlone && named.every((one) => /^[\w-]+\/\S*$/.test(one))))
    return undefined
  return named.map((one) => commandCondition(one, line))
}

/** Replaces phrases that only mean success by `@`. */
function plainer(words: string): string {
  return words
    .replaceAll(
      /\b(?:(?:prints?|shows?|reports?|returns?|produces?|outputs?|has|have|with|without|does not \w+|no) )*(?:no|zero|0|any|without(?: any)?) (?:[\w-]+ ){0,2}(?:errors?|failures?|warnings?|issues?|problems?|violations?|findings?)\b/g,
      '@',
    )
    .replaceAll(
      /\bdoes(?: not|n't) fail\b|\breturns? (?:0|zero)\b|\b(?:exit|return)s?(?: with)?(?: (?:exit|status))*(?: code)?(?: of)? (?:0|zero)\b/g,
      '@',
    )
}

/** @returns why it does not simply state what must hold */
function moodOf(words: string): string | undefined {
  const plain = plainer(words)
  if (
    /\b(?:if|unless|optional(?:ly)?|in case|only when|where applicable|for example|e\.g\.)(?:\b|\s)/.test(
      plain,
    )
  )
    return 'it holds only under a condition, which no check knows'
  if (
    /\b(?:not|never|don['’]t|doesn['’]t|mustn['’]t|cannot|avoid|fails?|non-?zero|instead of|no longer)\b|[1-9]\d* (?:exit|status)|(?:code|status|exits?)(?: with)? [1-9]/.test(
      plain,
    )
  )
    return 'it says what must not be; write a command that exits with 0'
  if (
    /\b(?:prints?|outputs?|shows?|displays?|returns?|lists?|responds?|yields?|says|expected)\b|→|=>/.test(
      plain,
    )
  )
    return 'what a command prints is not compared; write one that exits with 0, such as with grep -q'
  return undefined
}

/** Words that add nothing to a statement. */
const filling =
  /^(?:run|runs|running|rerun|execute|executes|invoke|the|a|an|all|any|both|each|and|then|also|again|file|files|folder|directory|report|output|script|command|commands|test|tests|suite|build|check|checks|lint|linter|type|types|typecheck|must|should|shall|will|is|are|was|were|has|have|been|be|it|that|this|to|in|at|of|on|from|with|against|exit|exits|exiting|code|status|zero|pass|passes|passing|succeed|succeeds|success|successfully|green|clean|cleanly|ok|okay|work|works|complete|completes|completed|finish|finishes|exist|exists|present|there|place|written|created|generated|produced|saved|valid|validates|validate|matches|match|conforms|conform|adheres|satisfies|complies|keeps|schema|json|contains|contain|includes|include|mentions|text|section|heading|line|confirm|ensure|make|sure|verify|first|finally|before|finishing|done|repository|project|root|return|returns|new)$/

function says(words: string): boolean {
  return plainer(words)
    .replaceAll(/[^\p{Letter}]+/gu, ' ')
    .split(' ')
    .some((word) => word !== '' && !filling.test(word))
}

function isPath(text: string): boolean {
  return !/\s|:\/\/|[()$<>|;"']/.test(text) && (/\.\w{1,10}$/.test(text) || /[^/]\/[^/]*|\/$/.test(text))
}

function isInside(path: string): boolean {
  return !/^(?:[/~\\]|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path)
}

function bare(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**')
}

function spansOf(text: string): readonly string[] {
  return codeSpansIn(text).map(({ code }) => code.replace(/^\$ /, ''))
}

/** Lower case; `§` stands for each code span. */
function withoutSpans(text: string): string {
  return withoutCode(text, () => '§').toLowerCase()
}

export type Piece = {
  readonly line: number
  readonly text: string
  /** -1 for a paragraph, which any list may follow. */
  readonly indent: number
} & ({ readonly kind: 'item' | 'prose' | 'table' } | { readonly kind: 'block'; readonly language: string })

/** Such as `Verification`, `5. Verify`, or `Definition of done`. */
const titles =
  /^(?:(?:final |self-?)?verif(?:ication|y(?:ing)?)|(?:completion|success|acceptance|exit|done) (?:conditions?|criteria)|definition of done|done when)(?: (?:the )?(?:checklist|steps?|criteria|conditions?|commands?|checks?|work|results?))?$/

/** Avoids slow matching on long lines. */
const maxHeadingLength = 500

export function conditionPieces(blocks: readonly Block[]): readonly Piece[] {
  const pieces: Piece[] = []
  let openDepth: number | undefined
  for (const block of blocks) {
    const heading = headingOf(block)
    if (heading === undefined) {
      if (openDepth !== undefined) take(block, pieces)
    } else if (titles.test(heading.title)) openDepth = Math.min(openDepth ?? Infinity, heading.depth)
    else if (openDepth !== undefined && heading.depth <= openDepth) openDepth = undefined
  }
  return pieces
}

function take(block: Block, pieces: Piece[]): void {
  const { number, text } = block.line
  if (block.kind === 'fence') {
    const lines = block.content.map((line) => line.text)
    pieces.push({
      ...{ kind: 'block', line: number, language: block.language, indent: Infinity },
      text: lines.join('\n'),
    })
    return
  }
  const bare = text.replace(/^\s*(?:>\s?)*/, '').trim()
  if (bare === '') return
  const last = pieces.at(-1)
  if (block.kind === 'item')
    pieces.push({ kind: 'item', line: number, text: bare.replace(/^\[[ xX]\]\s*/, ''), indent: block.indent })
  else if (block.kind === 'text' && block.continues && last !== undefined)
    pieces.splice(-1, 1, { ...last, text: `${last.text} ${bare}` })
  else pieces.push({ kind: bare.startsWith('|') ? 'table' : 'prose', line: number, text: bare, indent: -1 })
}

/** A bold line is the lowest heading. */
function headingOf(block: Block): { readonly title: string; readonly depth: number } | undefined {
  const { text } = block.line
  if (text.length > maxHeadingLength) return undefined
  const bold = block.kind === 'text' ? /^\s*(?:\*\*|__)([^*_]+)(?:\*\*|__):?\s*$/.exec(text)?.[1] : undefined
  const title = block.kind === 'heading' ? block.title : bold
  if (title === undefined) return undefined
  const words = title
    .toLowerCase()
    .replace(/^(?:step|phase)\s+\d+/, '')
    .replace(/^[^\p{Letter}]+/u, '')
    .replace(/[^\p{Letter}]+$/u, '')
  return { depth: block.kind === 'heading' ? block.level : 7, title: words }
}
