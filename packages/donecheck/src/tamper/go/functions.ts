/** The top level of a Go file. */
import { closingOf, codeOf, depthChange, splitAt, type Token } from '../source/tokens.ts'

export interface GoFunction {
  readonly name: string
  readonly line: number
  /** Between its braces. */
  readonly body: readonly Token[]
}

/** Functions and methods; undefined where the brackets do not match. */
export function functionsOf(all: readonly Token[]): readonly GoFunction[] | undefined {
  const tokens = codeOf(all)
  if (tokens.reduce((depth, token) => depth + depthChange(token), 0) !== 0) return undefined
  const found: GoFunction[] = []
  let depth = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    depth += depthChange(token)
    if (depth !== 0 || token?.text !== 'func') continue
    const receiver = tokens[index + 1]?.text === '(' ? closingOf(tokens, index + 1) + 1 : index + 1
    const name = tokens[receiver]
    const open = bodyStart(tokens, receiver)
    if (name === undefined || open === -1) continue
    const close = closingOf(tokens, open)
    found.push({ name: name.text, line: token.line, body: tokens.slice(open + 1, close) })
    index = close
  }
  return found
}

/** The brace behind the parameters and results; types such as `interface{}` have braces too. */
function bodyStart(tokens: readonly Token[], name: number): number {
  let depth = 0
  for (let index = name + 1; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (depth === 0 && token?.text === '{') {
      if (!/^(?:interface|struct)$/u.test(tokens[index - 1]?.text ?? '')) return index
      index = closingOf(tokens, index)
      continue
    }
    depth += depthChange(token)
  }
  return -1
}

/** Tables beside the functions: name of the variable, and all of its value. */
export function tablesOf(all: readonly Token[]): ReadonlyMap<string, readonly Token[]> {
  const tokens = codeOf(all)
  const tables = new Map<string, readonly Token[]>()
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    depth += depthChange(token)
    const name = tokens[index + 1]
    if (depth !== 0 || token.text !== 'var' || name?.kind !== 'word') continue
    const end = tokens.findIndex(
      (other, place) =>
        place > index && /^(?:func|var|type|const)$/u.test(other.text) && other.line > token.line,
    )
    const value = tokens.slice(index, end === -1 ? undefined : end)
    if (casesIn(value) !== null) tables.set(name.text, value)
  }
  return tables
}

/** Rows of the tables (`[]struct{…}{…}`, `map[…]…{…}`) in this code; null: there is none. */
export function casesIn(all: readonly Token[]): number | null {
  const tokens = codeOf(all)
  const counts = tokens.flatMap((token, index): readonly number[] => {
    const isSlice = token.text === '[' && tokens[index + 1]?.text === ']'
    const isMap = token.text === 'map' && tokens[index + 1]?.text === '['
    const assigned = /^(?:=|:=|range)$/u.test(tokens[index - 1]?.text ?? '')
    if (!assigned || (!isSlice && !isMap)) return []
    const open = valueStart(tokens, isMap ? closingOf(tokens, index + 1) + 1 : index + 2)
    if (open === -1) return []
    const rows = splitAt(tokens.slice(open + 1, closingOf(tokens, open)), ({ text }) => text === ',')
    return [rows.length]
  })
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

/** The brace that opens the values, behind the type of the elements. */
function valueStart(tokens: readonly Token[], type: number): number {
  const first = tokens.findIndex((token, index) => index >= type && token.text === '{')
  if (first === -1) return -1
  if (!/^(?:struct|interface)$/u.test(tokens[first - 1]?.text ?? '')) return first
  const second = closingOf(tokens, first) + 1
  return tokens[second]?.text === '{' ? second : -1
}
