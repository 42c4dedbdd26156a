/** A row of a table put into the body of its test: what would stand there without the table. */
import { wordsOf } from '../compare/words.ts'

const constants = /^(?:true|false|null|undefined|True|False|None)$/u

/** Undefined: the values are no literals, or there are not as many as names. */
export function substituteNames(
  statements: readonly string[],
  names: readonly string[],
  values: readonly string[],
): readonly string[] | undefined {
  if (names.length !== values.length || !values.every(isLiteral)) return undefined
  const row = new Map(names.map((name, index) => [name, values[index] ?? '']))
  return statements.map((statement) => {
    const words = wordsOf(statement)
    const put = words.map((word, index) => {
      const previous = words[index - 1]?.text
      const isKey = words[index + 1]?.text === ':' && /^[{,]$/u.test(previous ?? '')
      const value = word.kind === 'name' && previous !== '.' && !isKey ? row.get(word.text) : undefined
      return value ?? word.text
    })
    return normaliseSpelling(put.join(' '))
  })
}

/** One spelling of a source, whatever put it together. */
export function normaliseSpelling(source: string): string {
  return wordsOf(source)
    .map(({ text }) => text)
    .join(' ')
}

function isLiteral(value: string): boolean {
  const words = wordsOf(value)
  return (
    words.length > 0 &&
    words.every(({ kind, text }, index) => {
      if (kind === 'string') return !text.includes('${')
      if (kind === 'number') return true
      if (kind === 'name') return constants.test(text) || words[index + 1]?.text === ':'
      return /^[[\]{}(),:-]$/u.test(text)
    })
  )
}
