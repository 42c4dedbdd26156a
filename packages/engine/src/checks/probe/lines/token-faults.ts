import type { Token } from '../../../analysis/source/index.ts'
import { replace, type Mutation } from '../mutation.ts'
import { swaps, type Swap } from '../operator-swaps.ts'
import type { CodeLine } from './code-line.ts'
import type { LineLanguage } from './language.ts'

const words: ReadonlyMap<string, Swap> = new Map<string, Swap>([
  ['and', ['logic', 'or']],
  ['or', ['logic', 'and']],
  ['true', ['boolean', 'false']],
  ['false', ['boolean', 'true']],
  ['True', ['boolean', 'False']],
  ['False', ['boolean', 'True']],
])

/** Another operator or another value in the place of this one. */
export function tokenFaults(text: string, { tokens }: CodeLine, language: LineLanguage): readonly Mutation[] {
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
