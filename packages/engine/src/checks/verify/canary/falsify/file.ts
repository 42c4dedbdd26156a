/** A whole test file whose comparisons are false, and which of its tests must be red with them. Pure. */
import { falsifyJavascript, wrapJavascript } from './javascript.ts'
import { falsifyGo, falsifyPhp, falsifyRuby, falsifyRust, wrapPhp, wrapRuby } from './others.ts'
import { falsifyPython, wrapPython } from './python.ts'
import type { FalseLine, Shift } from './words.ts'

export interface FalseFile {
  readonly text: string
  /** Tests that run a false comparison in every case: it stands in their own body, and nothing before it ends them. */
  readonly certain: readonly CertainTest[]
}

export interface CertainTest {
  /** As it stands in the file, which has no other test of this name. Undefined: a table or a script names it. */
  readonly title: string | undefined
}

interface Language {
  /** The beginning of a test, with its title as the group `title`. */
  readonly test: RegExp
  /** Begins and ends a text of several lines. */
  readonly longText: RegExp
  /** @param next the line after it */
  readonly falsify: (line: string, next: string) => FalseLine | undefined
}

/** The file with another value in every comparison of which one can be found. Undefined: there is none, or no language that we know. */
export function falsifyFile(path: string, text: string, shift: Shift): FalseFile | undefined {
  const language = languageOf(path, shift)
  if (language === undefined) return undefined
  const lines = text.split('\n')
  const file = new FileReader(language, lines)
  const changed = lines.map((line, index) => file.read(line, lines[index + 1] ?? ''))
  const isChanged = changed.some((line, index) => line !== lines[index])
  return isChanged ? { text: changed.join('\n'), certain: file.certain() } : undefined
}

function languageOf(path: string, shift: Shift): Language | undefined {
  const script = /\.[cm]?([jt])sx?$/u.exec(path)
  if (script !== null) {
    const values = { shift, wrap: wrapJavascript(script[1] === 't') }
    return {
      ...javascript,
      falsify: (line) => falsifyInTest(line, javascript, (part) => falsifyJavascript(part, values)),
    }
  }
  switch (/\.(py|go|rs|rb|php)$/u.exec(path)?.[1]) {
    case 'py':
      return { ...python, falsify: (line) => falsifyPython(line, { shift, wrap: wrapPython }) }
    case 'go':
      return { ...go, falsify: falsifyGo }
    case 'rs':
      return { ...rust, falsify: (line) => falsifyInTest(line, rust, (part) => falsifyRust(part, shift)) }
    case 'rb':
      return { ...ruby, falsify: (line) => falsifyRuby(line, { shift, wrap: wrapRuby }) }
    case 'php': {
      const values = { shift, wrap: wrapPhp }
      return { ...php, falsify: (line) => falsifyInTest(line, php, (part) => falsifyPhp(part, values)) }
    }
    default:
      return undefined
  }
}

const javascript = {
  test: /^\s*(?:(?:it|test|specify)(?:\.(?:only|concurrent|serial))?\s*\(\s*(?<quote>['"`])(?<title>(?:(?!\k<quote>)[^\\])+)\k<quote>|\]\s*\)\s*\(\s*['"`].*?['"`])\s*,\s*(?:\{[^}]*\},\s*)?(?:async\s+)?(?:function\s*\w*\s*\([^)]*\)|\(.*?\)(?:\s*:[^={]+)?\s*=>|\w+\s*=>)/u,
  inner: /^(\s*\{?\s*)(\S.*\))(\s*;?\s*\}?\s*\)\s*;?)$/u,
  longText: /`/gu,
}
const python = {
  test: /^\s*(?:async\s+)?def\s+(?<title>test\w*)\s*\(/u,
  longText: /"""|'''/gu,
}
const go = { test: /^func\s+(?<title>Test\w*)\s*\(/u, longText: /`/gu }
/** Of a function that stands on one line. */
const inBraces = /^(.*?\{\s*)(\S.*?)(\s*\})$/u
const rust = {
  test: /^\s*(?:async\s+)?fn\s+(?<title>\w+)\s*\(/u,
  inner: inBraces,
  longText: /r#+"|"#+/gu,
}
const ruby = {
  test: /^\s*(?:(?:it|specify|example)[\s(]+(?<quote>['"])(?<title>(?:(?!\k<quote>)[^\\#])+)\k<quote>|def\s+(?<method>test\w*))/u,
  longText: /<<[~-]\w+/gu,
}
const php = {
  test: /^\s*(?:final\s+)?(?:public\s+)?function\s+(?<title>test\w*)\s*\(/u,
  inner: inBraces,
  longText: /<<<\w+/gu,
}

/** A test that stands on one line as a whole: its comparison is what its function holds. */
function falsifyInTest(
  line: string,
  { test, inner }: { readonly test: RegExp; readonly inner: RegExp },
  falsify: (line: string) => FalseLine | undefined,
): FalseLine | undefined {
  const start = test.exec(line)?.[0]
  const parts = start === undefined ? null : inner.exec(line.slice(start.length))
  if (start === undefined || parts === null) return falsify(line)
  const [, before = '', statement = '', after = ''] = parts
  const other = falsify(statement)
  return other && { ...other, text: `${start}${before}${other.text}${after}` }
}

interface OpenTest {
  readonly title: string | undefined
  readonly indent: number
  /** Of the statements of its own body. */
  inner: number | undefined
  /** Nothing so far may have ended it before its end. */
  isSure: boolean
}

const mayEnd = /return|skip|throw|yield|raise|exit|pending|todo|fails|failing/iu

class FileReader {
  readonly #language: Language
  readonly #hasSkipped: boolean
  readonly #titles = new Map<string, number>()
  readonly #certain = new Set<string | undefined>()
  #open: OpenTest | undefined
  #isInText = false

  constructor(language: Language, lines: readonly string[]) {
    this.#language = language
    this.#hasSkipped = lines.some((line) => /skip|todo/iu.test(line))
  }

  /** @returns the line, made false where it can be */
  read(line: string, next: string): string {
    const isText = this.#isInText
    if ((line.match(this.#language.longText)?.length ?? 0) % 2 === 1) this.#isInText = !isText
    const statement = line.trim()
    if (isText || this.#isInText || statement === '') return line
    const indent = line.length - line.trimStart().length
    const isFirst = this.#enter(line, statement, indent)
    const other = this.#language.falsify(statement, next.trim())
    const open = this.#open
    if (other?.isCertain === true) this.#note(open, indent, isFirst)
    if (open !== undefined && mayEnd.test(statement)) open.isSure = false
    return other === undefined ? line : line.replace(statement, () => other.text)
  }

  /** @returns whether a test begins in this line */
  #enter(line: string, statement: string, indent: number): boolean {
    const found = this.#language.test.exec(line)
    if (found !== null) {
      const title = found.groups?.['title'] ?? found.groups?.['method']
      if (title !== undefined) this.#titles.set(title, (this.#titles.get(title) ?? 0) + 1)
      this.#open = { title, indent, inner: undefined, isSure: true }
      return true
    }
    if (statement === '{') return false
    if (this.#open !== undefined && indent <= this.#open.indent) this.#open = undefined
    if (this.#open !== undefined) this.#open.inner ??= indent
    return false
  }

  #note(open: OpenTest | undefined, indent: number, isFirst: boolean): void {
    const isOwn = open === undefined ? indent === 0 : open.isSure && (isFirst || open.inner === indent)
    const isKnown = open?.title !== undefined || !this.#hasSkipped
    if (isOwn && isKnown) this.#certain.add(open?.title)
  }

  certain(): readonly CertainTest[] {
    return [...this.#certain].flatMap((title) =>
      title === undefined || this.#titles.get(title) === 1 ? [{ title }] : [],
    )
  }
}
