/** Sources in Go, Rust and other languages with braces that could cheat the check they run under. */
import { lexisOf, codeOf, tokensOf, type Lexis, type Token, splitAt } from './tokens.ts'
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
  if (lexis === undefined) return undefined
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

type Kind = 'shell' | 'awk'

interface ScriptPattern {
  readonly kind: Kind
  /** On one line that is no comment. */
  readonly text: RegExp
}

/** Makefiles are left out: `ifeq ($(MAKELEVEL),0)` is the usual way to tell an inner make. */
const scriptPatterns: readonly ScriptPattern[] = [
  { kind: 'shell', text: /\/proc\/\$(?:PPID\b|\{PPID\}|\(ps\b[^)]*\))\/?(?:\w+)?/u },
  {
    kind: 'shell',
    // To find out which shell a person uses, `ps -p $PPID` is usual as well: it needs a word of tests.
    text: /\bps\b[^|;&]{0,80}\$\{?PPID\b.{0,120}(?:\btests?\b|[_.-]tests?\b|\btests?[_./-]|\bbats\b|\bmake\b|\bcheck\b)/u,
  },
  { kind: 'shell', text: /\$\{?(?:MAKELEVEL|BATS_\w+)\b/u },
  { kind: 'awk', text: /\bENVIRON\s*\[\s*"MAKELEVEL"\s*\]|"MAKELEVEL"\s*\)?\s*in\s+ENVIRON\b/u },
  {
    kind: 'awk',
    text: /\bFILENAME\s*(?:!?~|[!=]=)\s*(?:\/(?:\\.|[^/\\])*|"[^"]*)(?:tests?|cases?|spec|fixtures?|expected)\b|\b(?:index|match)\s*\(\s*FILENAME\s*,\s*["/][^"]*(?:tests?|cases?|spec|fixtures?|expected)\b/u,
  },
]

/** A function or an alias with the name of a command by which tests compare and end. */
const redefinition =
  /(?:^|[;&|{]|\bthen\b|\bdo\b)\s*(?:(?:function\s+)?(?:test|\[|diff|cmp|e?grep|expr|false|true|exit|return)\s*\(\s*\)|function\s+(?:test|\[|diff|cmp|e?grep|expr|false|true|exit|return)(?=[\s{]|$)|alias\s+(?:test|\[|diff|cmp|expr|false|true|exit|return)=)/u
/** A script whose functions are its own commands (`./run test`) ends with a call of what it was asked for. */
const dispatches = /^(?:"\$\{?[@1*][^"]*"|\$\{?[@1*]|case\s+"?\$\{?1\b)/mu

export function scriptTraces(path: string, text: string): readonly Trace[] {
  const kind = kindOf(path, text)
  if (kind === undefined) return []
  const fitting = scriptPatterns.filter((pattern) => pattern.kind === kind)
  const redefines = kind === 'shell' && !dispatches.test(text)
  return text.split('\n').flatMap((whole, index): readonly Trace[] => {
    const line = /^\s*#/u.test(whole) ? '' : whole.slice(0, maxLine)
    const redefined = redefines ? redefinition.exec(line)?.[0].trim() : undefined
    return [
      ...fitting.flatMap((pattern): readonly Trace[] => {
        const found = pattern.text.exec(line)
        return found === null ? [] : [{ rule: 'source.test-aware', line: index + 1, text: found[0] }]
      }),
      ...(redefined === undefined
        ? []
        : [{ rule: 'source.patches-runner', line: index + 1, text: redefined } as const]),
    ]
  })
}

/** Longer lines were written by no person. Characters. */
const maxLine = 4096

function kindOf(path: string, text: string): Kind | undefined {
  if (path.endsWith('.awk')) return 'awk'
  if (/\.(?:sh|bash|zsh|ksh|dash)$/u.test(path)) return 'shell'
  const first = /^#!.*/u.exec(text)?.[0] ?? ''
  if (/\b[gmn]?awk\b/u.test(first)) return 'awk'
  return /\b(?:ba|z|k|da)?sh\b/u.test(first) ? 'shell' : undefined
}
