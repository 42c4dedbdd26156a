import type { AssertionFacts, AssertionStrength, ReadFacts, TestFacts } from '../facts.ts'

interface Row {
  readonly line: number
  readonly indent: number
  readonly text: string
}

const opens =
  /^(?:(?<mark>x|f)?(?:it|specify|example|scenario|test)\b|pending\b|skip\b)(?<rest>.*?)\s*(?:do(?:\s*\|[^|]*\|)?|\{)$|^def\s+(?<method>test_\w+|[a-z]\w*[?!]?)/u

/** RSpec and Minitest, by lines: blocks end where the indentation says so. */
export function readRubyFacts(text: string): ReadFacts {
  const rows = rowsOf(text)
  const tests: TestFacts[] = []
  const helperAssertions: AssertionFacts[] = []
  for (const [index, row] of rows.entries()) {
    const match = opens.exec(row.text)
    if (match === null) continue
    const end = rows.findIndex((other, place) => place > index && other.indent <= row.indent)
    const body = rows.slice(index + 1, end === -1 ? undefined : end)
    const method = match.groups?.['method']
    if (method !== undefined && !method.startsWith('test_'))
      helperAssertions.push(...body.flatMap(assertionIn))
    else tests.push(testOf(row, method ?? match.groups?.['rest'] ?? '', body, rows.slice(0, index)))
  }
  return {
    kind: 'facts',
    facts: {
      tests,
      helperAssertions,
      exits: rows.filter((row) =>
        /^(?:exit!?|abort|Process\.exit!?|Kernel\.exit!?)\b|\bat_exit\b/u.test(row.text),
      ),
      fileSkips: [],
      mocks: [],
      overrides: rows.filter((row) =>
        /^(?:module|class)\s+(?:RSpec|Minitest)\b|\bRSpec::Expectations\b.*=|\bdefine_method\s*\(?:assert/u.test(
          row.text,
        ),
      ),
      limits: [],
      suppressions: silencesOf(text),
    },
  }
}

function rowsOf(text: string): readonly Row[] {
  return text.split(/\r?\n/u).flatMap((raw, index): readonly Row[] => {
    const content = raw.replace(/(?:^|\s)#(?!\{).*$/u, '').trim()
    if (content === '') return []
    const indent = /^[ \t]*/u.exec(raw)?.[0].replaceAll('\t', '  ').length ?? 0
    return [
      {
        line: index + 1,
        indent,
        text: content.replaceAll(/\s+/gu, ' ').replaceAll(/'([^'"\\]*)'/gu, '"$1"'),
      },
    ]
  })
}

function silencesOf(text: string) {
  return text.split(/\r?\n/u).flatMap((row, index) => {
    const found = /#\s*(?:rubocop:\s*disable.*|:nocov:)/u.exec(row)?.[0]
    return found === undefined ? [] : [{ line: index + 1, text: found.replaceAll(/\s+/gu, ' ').trim() }]
  })
}

function testOf(row: Row, title: string, body: readonly Row[], before: readonly Row[]): TestFacts {
  const around = before.filter(
    (other) => other.indent < row.indent && /\b(?:describe|context|feature)\b/u.test(other.text),
  )
  const isSkipped =
    /^(?:x|pending\b|skip\b)/u.test(row.text) ||
    /,\s*(?::skip|:pending|skip:|pending:)/u.test(title) ||
    body.some((line) => /^(?:skip|pending)\b/u.test(line.text) && !/\b(?:if|unless)\b/u.test(line.text)) ||
    around.some(
      (line) => /^x(?:describe|context)|:skip\b|skip:/u.test(line.text) && isOpen(line, row, before),
    )
  const assertions = body.flatMap(assertionIn)
  const end = body.find((line) => /^(?:return|next|exit)\b/u.test(line.text))
  const first = assertions[0]?.line ?? Infinity
  const swallow = body.find((line) =>
    /^rescue\b(?:\s*(?:Exception|StandardError|RSpec\S*|Minitest\S*|=>).*)?$/u.test(line.text),
  )
  return {
    name: title.replaceAll(/,\s*:(?:skip|pending|focus).*$/gu, '').trim(),
    line: row.line,
    skip: isSkipped
      ? 'always'
      : body.some((line) => /^(?:skip|pending)\b/u.test(line.text))
        ? 'conditional'
        : 'none',
    isFocused: /^f(?:it|specify|example)\b/u.test(row.text) || /:focus\b|focus:/u.test(title),
    endsEarlyAt: body.length === 0 ? row.line : end !== undefined && end.line < first ? end.line : null,
    swallowsAt: swallow?.line ?? null,
    assertions,
    timeoutMs: null,
    retries: null,
    body: body.map((line) => line.text).join(' ; '),
    cases: null,
  }
}

/** Whether the block that a line opens still holds where the test begins. */
function isOpen(block: Row, test: Row, rows: readonly Row[]): boolean {
  return rows.every((row) => row.line <= block.line || row.line >= test.line || row.indent > block.indent)
}

function assertionIn({ line, text }: Row): readonly AssertionFacts[] {
  const expectation = /\bexpect\s*(?:\((.*?)\)|\{(.*?)\})\s*\.\s*(to|not_to|to_not)\b\s*\(?(.*?)\)?$/u.exec(
    text,
  )
  if (expectation !== null) {
    const [, value, block, word = '', matcher = ''] = expectation
    const subject = (value ?? block ?? '').trim()
    return [
      factsOf({
        line,
        subject,
        matcher: /^\w+/u.exec(matcher)?.[0] ?? '',
        expected: matcher.trim(),
        isNegated: word !== 'to',
      }),
    ]
  }
  const assertion = /^(assert\w*|refute\w*)\s*\(?(.*?)\)?$/u.exec(text)
  if (assertion === null) return []
  const [, matcher = '', rest = ''] = assertion
  const args = rest.split(/,\s*/u)
  const isPair = /equal|same|in_delta|match|includes/u.test(matcher) && args.length > 1
  return [
    factsOf({
      line,
      subject: (isPair ? args.slice(1).join(', ') : rest).trim(),
      matcher,
      expected: isPair ? (args[0] ?? null) : null,
      isNegated: matcher.startsWith('refute'),
    }),
  ]
}

function factsOf(found: Omit<AssertionFacts, 'strength'>): AssertionFacts {
  return { ...found, strength: strengthOf(found) }
}

function strengthOf({ subject, matcher, expected }: Omit<AssertionFacts, 'strength'>): AssertionStrength {
  const literal = /^(?:true|\d+|"[^"]*"|:\w+)$/u
  if (
    literal.test(subject) &&
    (expected === null || literal.test(expected) || /^(?:eq|be|eql)\b/u.test(expected))
  )
    return 'trivial'
  if (subject === expected || expected === `eq(${subject}` || expected === `eq ${subject}`) return 'trivial'
  if (
    /^(?:eq|eql|equal|be|assert_equal|assert_same|match_array|contain_exactly|assert_nil|be_nil)$/u.test(
      matcher,
    )
  ) {
    return expected === 'be' || /^be_(?:truthy|present)/u.test(expected ?? '') ? 'presence' : 'exact'
  }
  if (
    /^(?:be_truthy|be_present|assert|refute|not_nil|assert_not_nil|be_a|be_an|be_kind_of|assert_kind_of)$/u.test(
      matcher,
    )
  )
    return 'presence'
  return 'partial'
}
