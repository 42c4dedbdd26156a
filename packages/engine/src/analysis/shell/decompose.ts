import { type Command, parse, type ParsedScript, type Word } from 'unbash'
import type { Decomposition } from './decomposition.ts'
import {
  addObstacle,
  addText,
  addTooDeep,
  type Bounds,
  decompositionOf,
  formatText,
  newReadingState,
  type PendingText,
  type ReadingContext,
} from './reading-state.ts'
import { walk } from './reading/node.ts'
import { factsOf } from './words/facts-of.ts'
import { noFacts } from './words/facts.ts'

export interface DecomposeOptions extends Partial<Bounds> {
  /** The shell that will read the line, where it is known. Default: it may be `bash` or a plain `sh`, and both readings count. */
  readonly shell?: 'bash' | 'zsh' | 'sh'
}

const defaultBounds: Bounds = { maxDepth: 8, maxCommands: 1_000, maxLength: 65_536 }

/**
 * What a command line for a shell would run: every literal command anywhere in it, and an obstacle for each part that
 * cannot be told. Never throws, whatever the line is.
 */
export function decompose(script: string, options: DecomposeOptions = usual): Decomposition {
  if (options !== usual) return decomposeScript(script, options)
  if (latest?.script !== script) latest = { script, found: decomposeScript(script, options) }
  return latest.found
}

const usual: DecomposeOptions = {}
/** Whoever judges a line asks for it several times. */
let latest: { readonly script: string; readonly found: Decomposition } | undefined

function decomposeScript(script: string, { shell, ...bounds }: DecomposeOptions): Decomposition {
  const ledger = newReadingState({ ...defaultBounds, ...bounds }, script.length)
  const place: ReadingContext = {
    ledger,
    base: 0,
    at: 0,
    holder: null,
    through: [],
    depth: 0,
    isBash: shell === 'bash' || shell === 'zsh',
    facts: noFacts,
    input: undefined,
    isSecond: false,
  }
  readText({ text: script, place })
  for (let next = ledger.texts.shift(); next !== undefined && !ledger.isFull; next = ledger.texts.shift())
    readText(next)
  return decompositionOf(ledger)
}

/** Reads a text as commands. What it nests in texts of their own is left to be read later. */
function readText({ text, place }: PendingText): void {
  const source = boundScript(text, place)
  const script = parseScript(source)
  if (script === undefined) {
    addTooDeep(source, null, place)
    readPartially(source, place)
    return
  }
  const [error] = script.errors ?? []
  if (error !== undefined)
    addObstacle(
      'syntax',
      `"${formatText(source.slice(error.pos) || source)}" cannot be read: ${error.message}`,
      place.base === null ? null : [place.base, place.base + source.length],
      place,
    )
  try {
    walk(script, source, { ...place, facts: factsOf(script, source, place.facts) })
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem
    addTooDeep(source, null, place)
    readPartially(source, place)
  }
  if (error !== undefined) readPartially(source, place)
  readPlainQuotes(source, place)
}

function boundScript(text: string, place: ReadingContext): string {
  const { maxLength } = place.ledger.bounds
  if (text.includes('\0'))
    addObstacle('syntax', 'there is a zero byte in it, which no command can have', null, place)
  if (text.length <= maxLength) return text.replaceAll('\0', ' ')
  addObstacle('too-deep', `it is longer than the ${maxLength} characters that are looked at`, null, place)
  return text.slice(0, maxLength).replaceAll('\0', ' ')
}

/** A plain `sh` knows no `$'…'`: there the quotes end at `\'`. */
function readPlainQuotes(text: string, place: ReadingContext): void {
  if (place.isBash || place.isSecond || !/\$'[^']*\\'/.test(text)) return
  addText(text.replaceAll("$'", "_'"), { ...place, isSecond: true, depth: place.depth + 1 })
}

/** As many parts of a text that cannot be read are looked at. */
const maxParts = 2_000

/** The commands of a text that cannot be read as a whole: each part between operators is read for itself. */
function readPartially(text: string, place: ReadingContext): void {
  let parts = 0
  for (const match of text.matchAll(/[^\n;|&(){}`]+/g)) {
    if (place.ledger.isFull || parts >= maxParts) return
    parts += 1
    readPart(match[0], match.index, place)
  }
}

const keywords = /^(?:\s*(?:(?:then|do|else|elif|if|while|until|time|!)(?=\s|$)))*\s*/

function readPart(text: string, from: number, place: ReadingContext): void {
  const skipped = keywords.exec(text)?.[0].length ?? 0
  const part = text.slice(skipped)
  if (part.trim() === '') return
  const whole = parseScript(part)
  const base = place.base === null ? null : place.base + from + skipped
  if (whole !== undefined && whole.errors === undefined) {
    walk(whole, part, { ...place, base, isSecond: true })
    return
  }
  // A quote is left open by its other half: each letter keeps its place.
  const bare = part.replace(/["'$<>]/g, ' ')
  const again = parseScript(bare)
  if (again !== undefined && again.errors === undefined) walk(again, bare, { ...place, base, isSecond: true })
}

/** Undefined: it is nested so deep, or has so many heredocs, that it cannot be read in reasonable time. */
function parseScript(text: string): ParsedScript | undefined {
  const plain = plainWords(text)
  if (plain !== undefined) return plain
  if (deepest(text) > maxNesting || text.split('<<').length > maxHeredocs) return undefined
  try {
    return parse(text)
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

/** Each level is read once more by the parser. */
const maxNesting = 100
/** The parser looks for the end of each in all that follows. */
const maxHeredocs = 2_000

/** Parentheses and braces that stand open at once. */
function deepest(text: string): number {
  let depth = 0
  let most = 0
  for (const letter of text) {
    if (letter === '(' || letter === '{') depth += 1
    if ((letter === ')' || letter === '}') && depth > 0) depth -= 1
    if (depth > most) most = depth
  }
  return most
}

/**
 * What the parser makes of a line of nothing but words (`npm run build --if-present`), which most lines of an agent are: so that
 * it need not be woken for them. Undefined: the line may be more than that.
 */
export function plainWords(text: string): ParsedScript | undefined {
  if (text.length > longest || !plainLine.test(text)) return undefined
  const words: Word[] = []
  let pos = 0
  for (const written of text.split(' ')) {
    const end = pos + written.length
    words.push({ type: 'Word', text: written, value: written, pos, end, parts: undefined })
    pos = end + 1
  }
  const [name, ...args] = words
  if (name === undefined || reserved.has(name.text)) return undefined
  const place = { pos: 0, end: text.length }
  const command: Command = { type: 'Command', ...place, name, prefix: [], suffix: args, args, redirects: [] }
  const statement = { type: 'Statement', ...place, command, background: undefined } as const
  return { type: 'Script', ...place, shebang: undefined, commands: [statement], errors: undefined }
}

const longest = 1_000

/** No letter that means anything to a shell; `=` only in an option, for elsewhere it may set a variable. */
const plainLine = /^[\w./:@%+,-]+(?: (?:[\w./:@%+,-]+|-[\w./:@%+,=-]*))*$/

/** Where a program would stand they are grammar. */
const reserved = new Set(
  'if then elif else fi for select while until do done case esac in function time coproc'.split(' '),
)
