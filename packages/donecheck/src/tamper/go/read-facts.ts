import type { FileFacts, SkipKind, TestFacts } from '../facts.ts'
import { goLexis } from '../source/lexes.ts'
import { closingOf, codeOf, textOf, tokensOf, type Token } from '../source/tokens.ts'
import { goAssertions } from './assertions.ts'
import { casesIn, functionsOf, tablesOf, type GoFunction } from './functions.ts'

/** Tests of Go's own runner, with and without testify. Undefined: its brackets do not match. */
export function readGoFacts(path: string, text: string): FileFacts | undefined {
  const tokens = tokensOf(text, goLexis)
  const functions = functionsOf(tokens)
  if (functions === undefined) return undefined
  const tables = tablesOf(tokens)
  const isTest = ({ name }: GoFunction) =>
    path.endsWith('_test.go') && /^(?:Test|Fuzz)(?!\p{Ll})/u.test(name) && name !== 'TestMain'
  const others = functions.filter((one) => !isTest(one))
  return {
    tests: functions.filter(isTest).map((one) => testOf(one, tables)),
    functions: others.map(({ name, line, body }) => ({
      name,
      line,
      body: textOf(body),
      assertions: goAssertions(body),
    })),
  }
}

function testOf(one: GoFunction, tables: ReadonlyMap<string, readonly Token[]>): TestFacts {
  const body = codeOf(one.body)
  const used = [...tables].filter(([name]) => body.some((token) => token.text === name))
  const rows = [body, ...used.map(([, table]) => table)]
  const counts = rows.map(casesIn).filter((count) => count !== null)
  const assertions = goAssertions(reachable(body))
  return {
    name: one.name,
    line: one.line,
    skip: skipOf(body),
    isFocused: false,
    assertions,
    body: rows.map(textOf).join(' ; '),
    cases: counts.length === 0 ? null : counts.reduce((all, count) => all + count, 0),
  }
}

/** Without what stands behind a `return` of the function itself, and without `if false`. */
function reachable(body: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  // What is caught fails nobody.
  if (textOf(body).includes('recover ( )')) return []
  let depth = 0
  for (let index = 0; index < body.length; index += 1) {
    const token = body[index]
    if (token === undefined) break
    if (token.text === 'if' && body[index + 1]?.text === 'false' && body[index + 2]?.text === '{') {
      index = closingOf(body, index + 2)
      continue
    }
    if (token.text === '{') depth += 1
    if (token.text === '}') depth -= 1
    if (depth === 0 && (token.text === 'return' || (token.text === 'Exit' && body[index - 2]?.text === 'os')))
      break
    kept.push(token)
  }
  return kept
}

function skipOf(body: readonly Token[]): SkipKind {
  let depth = 0
  let found: SkipKind = 'none'
  for (const [index, token] of body.entries()) {
    if (token.text === '{')
      depth += body[index - 1]?.text === 'true' && body[index - 2]?.text === 'if' ? 0 : 1
    if (token.text === '}') depth -= 1
    const isSkip =
      /^Skip(?:f|Now)?$/u.test(token.text) && body[index - 1]?.text === '.' && body[index + 1]?.text === '('
    if (isSkip && depth <= 0) return 'always'
    if (isSkip) found = 'conditional'
  }
  return found
}
