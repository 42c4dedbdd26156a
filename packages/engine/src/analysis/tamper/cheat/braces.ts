/** Sources in Go, Rust and other languages with braces that could cheat the check they run under. */
import { lexisOf, codeOf, tokensOf, type Lexis, type Token, splitAt } from '../../source/index.ts'
import type { Trace } from './trace.ts'

interface Pattern {
  readonly rule: Trace['rule']
  readonly languages: RegExp
  /** On the words of the source, joined by single spaces. */
  readonly text: RegExp
}

const patterns: readonly Pattern[] = [
  {
    rule: 'source.test-library',
    languages: /^go$/u,
    text: /"(?:testing|testing\/\w+|github\.com\/(?:stretchr\/testify|onsi\/gomega|onsi\/ginkgo|golang\/mock)[\w./-]*|go\.uber\.org\/mock[\w./-]*)"/gu,
  },
  {
    rule: 'source.test-aware',
    languages: /^go$/u,
    text: /\bflag \. Lookup \( "test\.[^"]*"|\btesting \. Testing \( \)|\bos \. Args\b[^;{}]{0,80}"[^"]*test[^"]*"|"[^" ]*_test(?:\.go)?"|"\.test"|"(?:testing\.)?tRunner"|\bos \. (?:Stat|Lstat|Open|ReadDir) \( "(?:\.\/)?(?:tests?|testdata)(?:\/[^"]*)?"/gu,
  },
  {
    rule: 'source.patches-runner',
    languages: /^go$/u,
    text: /\bfunc init \( \) \{[^{}]{0,200}\bos \. Exit \( 0 \)|\bgo:linkname \w+ testing\.|\bflag \. Set \( "test\.[^"]*"/gu,
  },
  {
    rule: 'source.test-aware',
    languages: /^rs$/u,
    // The name of the thread, compared; an answer that is computed in one way with debug assertions and in another without.
    text: /\bcurrent \( \) \. name \( \)[^;{}]{0,60}(?:==|!=|= =|! =|\. (?:contains|starts_with|ends_with|is_some_and|is_none_or|map_or)\b)|\bif !? ?cfg ! \( debug_assertions \) \{ [^{}"]{0,200}(?:\b[a-z_]\w* [-+*/] |[-+*/] [a-z_])[^{}"]{0,200}\} else \{ [^{}"]{0,200}(?:\b[a-z_]\w* [-+*/] |[-+*/] [a-z_])[^{}"]{0,200}\}/gu,
  },
  {
    rule: 'source.test-aware',
    languages: /^rs$/u,
    text: /\benv :: var(?:_os)? \( "PROFILE" \)[^]{0,300}?"cargo::?rustc-cfg=[^"]*"/gu,
  },
  {
    rule: 'source.test-aware',
    languages: /^rs$/u,
    text: /\bcfg ! \( test \)|# \[ cfg \( not \( test \) \) \] (?:pub (?:\( \w+ \) )?)?(?:fn (?!main\b)|const |static |impl |mod )\w*|"(?:NEXTEST\w*|RUST_TEST_\w+)"/gu,
  },
  {
    rule: 'source.patches-runner',
    languages: /^rs$/u,
    // Macros of the language, by their exact names: `assert_approx_eq` is a word of one's own.
    text: /\bmacro_rules ! (?:(?:debug_)?assert(?:_eq|_ne)?|panic|matches|unreachable|todo|unimplemented|vec|format)\b|\bas (?:debug_)?assert(?:_eq|_ne)?(?= [;,}])/gu,
  },
  {
    rule: 'source.equality-blind',
    languages: /./u,
    text: /\b(?:equals?|Equals?|isEqual|isEqualTo|eq|Is|operator ==) \( [^(){}]{0,120}\) ?[^(){};]{0,40}\{ (?:return )?true ;? ?\}/gu,
  },
]

/** Undefined: no language with braces that is known here. */
export function braceTraces(path: string, text: string): readonly Trace[] | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  const lexis = lexisOf(path)
  if (lexis?.isFreeForm !== true) return undefined
  const { code, lineAt } = joinTokens(text, lexis)
  const redefined = extension === 'go' ? redefinedInGo(tokensOf(text, lexis)) : []
  const found = patterns
    .filter(({ languages }) => languages.test(extension))
    .flatMap((pattern) =>
      [...code.matchAll(pattern.text)].map((match): Trace => ({
        rule: pattern.rule,
        line: lineAt(match.index),
        text: match[0],
      })),
    )
  return [...redefined, ...found]
}

/** All words joined by spaces, and the line of each place in that text. */
function joinTokens(text: string, lexis: Lexis) {
  const tokens = [...tokensOf(text, lexis).filter(isLinkname), ...codeOf(tokensOf(text, lexis))]
  const starts: number[] = []
  let length = 0
  for (const token of tokens) {
    starts.push(length)
    length += token.text.length + 1
  }
  const lineAt = (place: number) =>
    tokens[
      Math.max(
        0,
        starts.findLastIndex((start) => start <= place),
      )
    ]?.line ?? 1
  return { code: tokens.map((token) => token.text).join(' '), lineAt }
}

/** The one comment of Go that changes what is linked. */
function isLinkname({ kind, text }: Token): boolean {
  return kind === 'comment' && text.startsWith('//go:linkname')
}

/** `min`, `max`, `copy`, `close`, `print` and the like are usual names of functions, and `any` of types: they decide nothing. */
const predeclared =
  /^(?:true|false|nil|iota|len|cap|append|make|panic|recover|error|string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))$/u

/** Declared at the top level of the file, one by one or in a group; in a function it is a name of that function. */
function redefinedInGo(tokens: readonly Token[]): readonly Trace[] {
  return lines(tokens.filter(({ kind }) => kind !== 'comment')).flatMap((statement) => {
    const [keyword, ...rest] = codeOf(statement)
    if (!/^(?:const|var|type|func)$/u.test(keyword?.text ?? '')) return []
    const isGroup = rest[0]?.text === '(' && keyword?.text !== 'func'
    const declarations = isGroup
      ? lines(statement.slice(statement.findIndex(({ text }) => text === '(') + 1))
      : [rest]
    return declarations.flatMap((declaration) =>
      namesOf(declaration)
        .filter(({ text }) => predeclared.test(text))
        .map(({ line, text }): Trace => ({
          rule: 'source.patches-runner',
          line,
          text: `${keyword?.text ?? ''} ${text}`,
        })),
    )
  })
}

/** Pieces between newlines and semicolons that stand outside of brackets. */
function lines(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return splitAt(tokens, ({ kind, text }) => kind === 'newline' || text === ';')
}

/** `a, b` of `a, b = 1, 2`; the name of a function; none for a method. */
function namesOf(declaration: readonly Token[]): readonly Token[] {
  const names: Token[] = []
  for (const [index, token] of codeOf(declaration).entries()) {
    if (index % 2 === 1 ? token.text !== ',' : token.kind !== 'word') break
    if (index % 2 === 0) names.push(token)
  }
  return names
}
