import { remove, replace, type Mutation, type SourceLines } from '../mutation.ts'
import { tokensOf, closingOf, type Token } from '../../../analysis/source/index.ts'
import { codeLinesOf, type CodeLine } from './code-line.ts'
import type { LineLanguage } from './language.ts'
import { swaps, type Swap } from '../operator-swaps.ts'

/** Every fault that could be planted, in the order of the source; none in a comment. */
export function lineMutations(text: string, lines: SourceLines, language: LineLanguage): readonly Mutation[] {
  const code = tokensOf(text, language.lexis).filter(({ kind }) => kind !== 'comment' && kind !== 'newline')
  return codeLinesOf(text, code, lines)
    .filter((line) => !isDeclaration(line))
    .flatMap((line) => [
      ...tokenFaults(text, line, language),
      ...(line.isWhole ? statementFaults.flatMap((faults) => faults(text, line.tokens, language)) : []),
    ])
}

const declares =
  /^(?:import|from|package|use|using|include|extern|namespace|mod|module|template|type|typedef|@|#|throw|raise|panic|fmt|log|logger|logging|print|println|printf)$/u

/** What names, imports or marks something does nothing, and what is said to people is seldom checked. */
function isDeclaration({ tokens }: CodeLine): boolean {
  return (
    declares.test(tokens[0]?.text ?? '') ||
    tokens.some(({ text }) => text === '__name__' || text === '__main__')
  )
}

type StatementFaults = (text: string, tokens: readonly Token[], language: LineLanguage) => readonly Mutation[]

const conditionFaults: StatementFaults = (text, tokens, { condition }) => {
  const start = tokens.findIndex((token) => token.text === 'if' || token.text === 'elif')
  if (start === -1 || !/^(?:|\}else|else)$/u.test(textOf(tokens.slice(0, start)))) return []
  const inner = conditionIn(tokens, start + 1, condition)
  const [first, last] = [inner[0], inner.at(-1)]
  if (first === undefined || last === undefined) return []
  if (inner.some((token) => /^(?:=|:=|;|let|var|case|auto|const)$/u.test(token.text))) return []
  const span = { start: first.start, end: last.end }
  const whole = text.slice(span.start, span.end)
  return [replace('condition', text, span, condition === 'python' ? `not (${whole})` : `!(${whole})`)]
}

function conditionIn(
  tokens: readonly Token[],
  from: number,
  condition: LineLanguage['condition'],
): readonly Token[] {
  if (condition !== 'parentheses') {
    const end = condition === 'python' ? ':' : '{'
    return tokens.at(-1)?.text === end ? tokens.slice(from, -1) : []
  }
  const close = tokens[from]?.text === '(' ? closingOf(tokens, from) : undefined
  return close === undefined ? [] : tokens.slice(from + 1, close)
}

const returnFaults: StatementFaults = (text, tokens, { nothing }) => {
  const [keyword, first] = tokens
  const last = tokens.at(-1)
  if (nothing === undefined || keyword?.text !== 'return' || first === undefined || last === undefined)
    return []
  const isLiteral = first === last && (first.kind !== 'word' || /^(?:None|True|False)$/u.test(first.text))
  return isLiteral ? [] : [replace('return', text, { start: first.start, end: last.end }, nothing)]
}

const seldomMissed =
  /^(?:print|printf|println|log|logger|logging|console|fmt|super|this|assert|if|while|for|switch|match|catch|return|throw|raise|sizeof|defined?|yield|del|with)$/u

/** A line that is one call and nothing else. */
const callFaults: StatementFaults = (text, tokens, { callEnd, emptyStatement }) => {
  const [first] = tokens
  const last = tokens.at(-1)
  if (callEnd === undefined || first?.kind !== 'word' || last === undefined || seldomMissed.test(first.text))
    return []
  const open = tokens.findIndex((token) => token.text === '(')
  const close = open === -1 ? undefined : closingOf(tokens, open)
  if (close === undefined || textOf(tokens.slice(close + 1)) !== callEnd) return []
  const isChain = tokens
    .slice(0, open)
    .every((token, index) => (index % 2 === 0 ? token.kind === 'word' : /^(?:\.|::|->)$/u.test(token.text)))
  const span = { start: first.start, end: last.end }
  return isChain && open % 2 === 1 ? [remove('call', text, span, emptyStatement)] : []
}

/** `range(n)` in Python, and `0..n` in Rust, one step short or too far. */
const loopFaults: StatementFaults = (text, tokens) => {
  if (tokens[0]?.text !== 'for') return []
  const dots = tokens.find((token) => token.text === '..')
  if (dots !== undefined) return [replace('boundary', text, dots, '..=')]
  const range = tokens.findIndex((token) => token.text === 'range')
  const close = tokens[range + 1]?.text === '(' ? closingOf(tokens, range + 1) : undefined
  const [last, before] = close === undefined ? [] : [tokens[close], tokens[close - 1]]
  if (range === -1 || last === undefined || before === undefined || before.text === '(') return []
  const span = { start: before.start, end: before.end }
  return [replace('boundary', text, span, `${text.slice(before.start, before.end)} - 1`)]
}

/** A condition the other way round, a value that is not returned, a call that is not there, a loop that is one short. */
const statementFaults = [conditionFaults, returnFaults, callFaults, loopFaults]

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('')
}

const words: ReadonlyMap<string, Swap> = new Map<string, Swap>([
  ['and', ['logic', 'or']],
  ['or', ['logic', 'and']],
  ['true', ['boolean', 'false']],
  ['false', ['boolean', 'true']],
  ['True', ['boolean', 'False']],
  ['False', ['boolean', 'True']],
])

/** Another operator or another value in the place of this one. */
function tokenFaults(text: string, { tokens }: CodeLine, language: LineLanguage): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    const around = { previous: tokens[index - 1], next: tokens[index + 1] }
    switch (token.kind) {
      case 'sign':
        return signFaults(text, token, around, language)
      case 'word':
        return wordFaults(text, token, around)
      case 'number':
        return numberFaults(text, token, around)
      case 'string':
        return stringFaults(text, token, around)
      case 'comment':
      case 'newline':
        return []
    }
  })
}

interface Around {
  readonly previous: Token | undefined
  readonly next: Token | undefined
}

/** What stands without spaces may be a sign, a generic type or a pointer as well. */
function signFaults(
  text: string,
  token: Token,
  { previous, next }: Around,
  { hasPointers }: LineLanguage,
): readonly Mutation[] {
  const isSpaced = /\s/u.test(text[token.start - 1] ?? '') && /\s/u.test(text[token.end] ?? '')
  if (!isSpaced || !endsValue(previous) || next === undefined) return []
  const isText = previous?.kind === 'string' || next.kind === 'string'
  if (isText && /^(?:\+=?|%)$/u.test(token.text)) return []
  const mayPoint = hasPointers && token.text === '*'
  if (mayPoint && previous?.text !== ')' && previous?.kind !== 'number' && next.kind !== 'number') return []
  return (swaps.get(token.text) ?? []).map(([kind, other]) => replace(kind, text, token, other))
}

function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false
  return token.kind !== 'sign' || /^[)\]}]$/u.test(token.text)
}

function wordFaults(text: string, token: Token, { previous }: Around): readonly Mutation[] {
  const swap = words.get(token.text)
  if (swap === undefined || previous?.text === '.') return []
  return [replace(swap[0], text, token, swap[1])]
}

function numberFaults(text: string, token: Token, { previous, next }: Around): readonly Mutation[] {
  const value = Number(token.text)
  const isWhole = /^(?:0|[1-9]\d*)$/u.test(token.text) && Number.isSafeInteger(value + 1)
  if (!isWhole || previous?.text === '.' || next?.text === '.') return []
  const others = value >= 1 ? [value + 1, value - 1] : [value + 1]
  return others.map((other) => replace('number', text, token, String(other)))
}

/** A text that is returned, given or compared; others may be formats or keys. */
function stringFaults(text: string, token: Token, { previous, next }: Around): readonly Mutation[] {
  const isValue = previous !== undefined && /^(?:return|=|:=|==|!=)$/u.test(previous.text)
  const written = text.slice(token.start, token.end)
  const isPlain = /^["'](?:\\.|[^\\])+["']$/su.test(written) && !/^["']{3}/u.test(written)
  if (!isValue || !isPlain || next?.text === '.' || next?.text === '%') return []
  if (written.startsWith("'") && written.length <= 4 && previous.text !== 'return') return []
  const quote = written.slice(0, 1)
  return [replace('string', text, token, quote + quote)]
}
