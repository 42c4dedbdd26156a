import { closingOf, type Token } from '../../../analysis/source/index.ts'
import { remove, replace, type Mutation } from '../mutation.ts'
import type { CodeLine } from './code-line.ts'
import type { LineLanguage } from './language.ts'

/** A condition the other way round, a value that is not returned, a call that is not there, a loop that is one short. */
export function statementFaults(
  text: string,
  { tokens, isWhole }: CodeLine,
  language: LineLanguage,
): readonly Mutation[] {
  if (!isWhole) return []
  return [
    ...conditionFaults(text, tokens, language),
    ...returnFaults(text, tokens, language),
    ...callFaults(text, tokens, language),
    ...loopFaults(text, tokens),
  ]
}

function conditionFaults(
  text: string,
  tokens: readonly Token[],
  { condition }: LineLanguage,
): readonly Mutation[] {
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

function returnFaults(
  text: string,
  tokens: readonly Token[],
  { nothing }: LineLanguage,
): readonly Mutation[] {
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
function callFaults(
  text: string,
  tokens: readonly Token[],
  { callEnd, emptyStatement }: LineLanguage,
): readonly Mutation[] {
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
function loopFaults(text: string, tokens: readonly Token[]): readonly Mutation[] {
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

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('')
}
