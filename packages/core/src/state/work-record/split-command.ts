/** A command line as simple commands: a reading, not a run; nothing is refused because of it. */

/** One simple command, as far as it can be read without running it. */
export interface SimpleCommand {
  readonly words: readonly string[]
  /** Files that its output goes into. */
  readonly into: readonly OutputTarget[]
  /** What the line itself gives it to read: its here-document. */
  readonly input: string | undefined
  /** How the next one is joined to it. */
  readonly then: Join
}

export interface OutputTarget {
  readonly path: string
  /** Behind what the file holds already. */
  readonly appends: boolean
}

export type Join = '&&' | '||' | '|' | ';' | '&'

/** Longer lines are programs: what follows is not read. */
const maxLength = 20_000
/** Of what follows, when a token is looked for. */
const lookedAhead = 200
const blanks = /^[ \t\r]+/
const comment = /^#/
const hereDocument = /^<<-?\s*(['"]?)([\w.-]+)\1/
/** Also of a number before it; `2>&1` has no target. */
const redirection = /^(?:\d*|&)(>>?\|?|<)(?!<)(&\d|&-)?/
const operator = /^(?:&&|\|\||\|&|\||;;?|&(?!>)|\))/
const grouping = /^(?:\(|[{}](?=\s|$|[;&|]))/
/** What ends a plain piece of a word. */
const plain = /^[^\s)'"\\$<>|;&]+/

interface Draft {
  words: string[]
  into: OutputTarget[]
  input: string | undefined
  then: Join
}

/** The simple commands of a line for a shell, in their order. What is substituted stays in its word, unread. */
export function splitCommand(line: string): readonly SimpleCommand[] {
  return new LineReader(line.slice(0, maxLength)).read()
}

class LineReader {
  readonly #text: string
  readonly #commands: Draft[] = []
  /** Here-documents that were announced and whose text begins with the next line. */
  #announced: { readonly command: Draft; readonly delimiter: string }[] = []
  #command = newDraft()
  #word: string | undefined
  /** What the next word is, where it is no word of the command. */
  #target: 'over' | 'behind' | 'elsewhere' | undefined
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text.slice(this.#at, this.#at + lookedAhead))
    this.#endCommand(';')
    return this.#commands
  }

  #step(rest: string): void {
    if (rest.startsWith('\n')) this.#endLine()
    else if (!this.#takeBetweenWords(rest) && !this.#takeOperator(rest)) this.#growWord(rest)
  }

  /** What has a meaning of its own where no word has begun, and the blanks that end one. */
  #takeBetweenWords(rest: string): boolean {
    if (this.#take(blanks.exec(rest), () => this.#endWord())) return true
    if (this.#word !== undefined) return false
    return (
      this.#take(comment.exec(rest), () => (this.#at = this.#endOfLine(this.#at))) ||
      this.#take(grouping.exec(rest), () => this.#endCommand(';')) ||
      this.#take(hereDocument.exec(rest), ([, , delimiter = '']) =>
        this.#announced.push({ command: this.#command, delimiter }),
      )
    )
  }

  #takeOperator(rest: string): boolean {
    const redirected = this.#word === undefined ? redirection.exec(rest) : /^>>?/.exec(rest)
    return (
      this.#take(redirected, (token) => this.#redirect(token)) ||
      this.#take(operator.exec(rest), ([token]) => this.#endCommand(joinOf(token)))
    )
  }

  #growWord(rest: string): void {
    const [first = ''] = rest
    if (first === "'" || first === '"') {
      const closing = closingQuote(this.#text, this.#at)
      this.#append(this.#text.slice(this.#at + 1, closing))
      this.#at = closing + 1
    } else if (first === '\\') {
      if (rest[1] !== '\n') this.#append(rest[1] ?? '')
      this.#at += 2
    } else if (rest.startsWith('$(')) {
      const closing = closingParenthesis(this.#text, this.#at + 2)
      this.#append(this.#text.slice(this.#at, closing + 1))
      this.#at = closing + 1
    } else {
      const piece = plain.exec(rest)?.[0] ?? first
      this.#append(piece)
      this.#at += piece.length
    }
  }

  #take(token: RegExpExecArray | null, act: (token: RegExpExecArray) => unknown): boolean {
    if (token === null) return false
    this.#at += token[0].length
    act(token)
    return true
  }

  #append(piece: string): void {
    this.#word = (this.#word ?? '') + piece
  }

  #redirect([, kind = '>', noTarget]: RegExpExecArray): void {
    this.#endWord()
    if (noTarget === undefined) this.#target = kind === '<' ? 'elsewhere' : kind === '>>' ? 'behind' : 'over'
  }

  #endWord(): void {
    if (this.#word === undefined) return
    if (this.#target === undefined) this.#command.words.push(this.#word)
    else if (this.#target !== 'elsewhere')
      this.#command.into.push({ path: this.#word, appends: this.#target === 'behind' })
    this.#word = undefined
    this.#target = undefined
  }

  #endCommand(then: Join): void {
    this.#endWord()
    this.#command.then = then
    const { words, into } = this.#command
    if (words.length + into.length > 0) this.#commands.push(this.#command)
    // Behind a group stands how it is joined to what follows.
    const group = words.length + into.length > 0 || then === ';' ? undefined : this.#commands.at(-1)
    if (group !== undefined) group.then = then
    this.#command = newDraft()
  }

  #endLine(): void {
    const announced = this.#announced
    this.#announced = []
    this.#endCommand(';')
    this.#at += 1
    for (const { command, delimiter } of announced) command.input = this.#readDocument(delimiter)
  }

  /** Without its end the rest of the line is read as it. */
  #readDocument(delimiter: string): string {
    const from = this.#at
    while (this.#at < this.#text.length) {
      const [start, end] = [this.#at, this.#endOfLine(this.#at)]
      this.#at = end + 1
      if (this.#text.slice(start, end).trim() === delimiter) return this.#text.slice(from, start)
    }
    return this.#text.slice(from)
  }

  #endOfLine(from: number): number {
    const newline = this.#text.indexOf('\n', from)
    return newline === -1 ? this.#text.length : newline
  }
}

function newDraft(): Draft {
  return { words: [], into: [], input: undefined, then: ';' }
}

function joinOf(token: string): Join {
  if (token === '&&' || token === '||' || token === '&') return token
  return token.startsWith('|') ? '|' : ';'
}

function closingQuote(text: string, at: number): number {
  const quote = text[at]
  for (let next = at + 1; next < text.length; next += 1) {
    if (quote === '"' && text[next] === '\\') next += 1
    else if (text[next] === quote) return next
  }
  return text.length
}

function closingParenthesis(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
