import type {
  AssertionFacts,
  FileFacts,
  FunctionFacts,
  PlacedText,
  ReadFacts,
  SkipKind,
  TestFacts,
} from '../facts.ts'
import { goLexis } from '../source/lexes.ts'
import { closingOf, codeOf, textOf, tokensOf, type Token } from '../source/tokens.ts'
import { goAssertions } from './assertions.ts'
import { casesIn, functionsOf, tablesOf, type GoFunction } from './functions.ts'

/** Tests of Go's own runner, with and without testify. Only files that it looks at have tests. */
export function readGoFacts(path: string, text: string): ReadFacts {
  const tokens = tokensOf(text, goLexis)
  const functions = functionsOf(tokens)
  if (functions === undefined) return { kind: 'unreadable', problem: 'its brackets do not match' }
  const tables = tablesOf(tokens)
  const isTestFile = path.endsWith('_test.go')
  const tests = functions.filter(
    (one) => isTestFile && /^(?:Test|Fuzz)(?!\p{Ll})/u.test(one.name) && one.name !== 'TestMain',
  )
  const others = functions.filter((one) => !tests.includes(one))
  return {
    kind: 'facts',
    facts: {
      tests: tests.map((one) => testOf(one, tables)),
      functions: others.map((one): FunctionFacts => ({
        name: one.name,
        line: one.line,
        body: textOf(one.body),
      })),
      helperAssertions: others.flatMap((one): readonly AssertionFacts[] => goAssertions(one.body)),
      ...surroundings(tokens, functions, isTestFile),
    },
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
    endsEarlyAt: endsEarlyAt(one, body),
    swallowsAt:
      body.find((token, index) => token.text === 'recover' && body[index + 1]?.text === '(')?.line ?? null,
    assertions,
    timeoutMs: null,
    retries: null,
    body: rows.map(textOf).join(' ; '),
    cases: counts.length === 0 ? null : counts.reduce((all, count) => all + count, 0),
  }
}

/** Without what stands behind a `return` of the function itself, and without `if false`. */
function reachable(body: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
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
    if (depth === 0 && token.text === 'return') break
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

/** A `return` of an inner function or of a block that has failed the test before ends nothing early. */
function endsEarlyAt({ line }: GoFunction, body: readonly Token[]): number | null {
  if (body.length === 0) return line
  const first = goAssertions(body)[0]
  const ends = body.findIndex((token, index) => {
    if (token.text === 'Exit' || token.text === 'Goexit') return body[index - 1]?.text === '.'
    return token.text === 'return' && !isInFunction(body, index) && index !== body.length - 1
  })
  const end = body[ends]
  if (end === undefined) return null
  return first === undefined || end.line <= first.line ? end.line : null
}

function isInFunction(body: readonly Token[], at: number): boolean {
  return body.some((token, index) => {
    if (token.text !== 'func' || index > at) return false
    const open = body.findIndex((one, place) => place > index && one.text === '{')
    return open !== -1 && open < at && closingOf(body, open) > at
  })
}

const buildLine = /^\/\/\s*(?:go:build|\+build)\s+(.*)$/u
const silencing = /^\/\/\s*(?:nolint|#nosec|lint:ignore)/u

function surroundings(
  tokens: readonly Token[],
  functions: readonly GoFunction[],
  isTestFile: boolean,
): Omit<FileFacts, 'tests' | 'functions' | 'helperAssertions'> {
  const comments = tokens.filter((token) => token.kind === 'comment')
  const main = functions.find((one) => one.name === 'TestMain')
  return {
    exits: functions.flatMap((one) => exitsOf(one.body)),
    fileSkips: comments.filter(({ text }) => buildLine.test(text)).map(placed),
    mocks: [],
    overrides: isTestFile
      ? [
          ...(main === undefined ? [] : withoutRun(main)),
          ...functions.flatMap(ownRecorder),
          ...functions.flatMap(replacing),
        ]
      : [],
    limits: [],
    suppressions: comments.filter(({ text }) => silencing.test(text)).map(placed),
  }
}

function placed({ line, text }: Token): PlacedText {
  return { line, text: text.replaceAll(/\s+/gu, ' ') }
}

/** `os.Exit` with a number of its own; with the runner's answer it is what TestMain is for. */
function exitsOf(body: readonly Token[]): readonly PlacedText[] {
  const code = codeOf(body)
  return code.flatMap((token, index): readonly PlacedText[] => {
    const isExit = token.text === 'Exit' && /^(?:os|syscall)$/u.test(code[index - 2]?.text ?? '')
    if (!isExit || code[index + 2]?.kind !== 'number') return []
    return [{ line: token.line, text: textOf(code.slice(index - 2, index + 4)) }]
  })
}

/** A `testing.T` that the test makes itself takes its failures and tells nobody. */
function ownRecorder({ body }: GoFunction): readonly PlacedText[] {
  const code = codeOf(body)
  return code.flatMap((token, index): readonly PlacedText[] => {
    const words = textOf(code.slice(index, index + 5))
    return /^(?:testing \. T \{|new \( testing \. T)/u.test(words) ? [{ line: token.line, text: words }] : []
  })
}

/** Before any test runs, an exported function of the code is replaced by one of the tests. */
function replacing({ name, body }: GoFunction): readonly PlacedText[] {
  if (name !== 'init' && name !== 'TestMain') return []
  const code = codeOf(body)
  return code.flatMap((token, index): readonly PlacedText[] => {
    const words = textOf(code.slice(index, index + 3))
    const isOfPackage = code[index - 1]?.text !== '.' && code[index - 1]?.text !== 'var'
    return isOfPackage && /^\p{Lu}\w* = func$/u.test(words) ? [{ line: token.line, text: words }] : []
  })
}

function withoutRun({ line, body }: GoFunction): readonly PlacedText[] {
  const text = textOf(body)
  return text.includes('. Run ( )') ? [] : [{ line, text: `TestMain : ${text}` }]
}
