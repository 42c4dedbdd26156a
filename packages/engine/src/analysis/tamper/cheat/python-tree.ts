/** Statements of a Python file as a tree, by indentation. */
import { depthChange, textOf, tokensOf, pythonLexis, type Token } from '../../source/index.ts'

export interface Statement {
  readonly line: number
  /** Without the body of a compound statement. */
  readonly tokens: readonly Token[]
  /** Normalised source of `tokens`. */
  readonly text: string
  readonly children: Statement[]
}

interface LogicalLine {
  readonly indent: number
  readonly tokens: readonly Token[]
}

/** Never throws. */
export function pythonTree(text: string): readonly Statement[] {
  const tokens = tokensOf(text, pythonLexis)
  const indents = text
    .split('\n')
    .map((row) => /^[ \t\f]*/u.exec(row)?.[0].replaceAll('\t', '        ').length ?? 0)
  return nest(logicalLines(tokens, indents))
}

function logicalLines(tokens: readonly Token[], indents: readonly number[]): readonly LogicalLine[] {
  const lines: LogicalLine[] = []
  let current: Token[] = []
  let depth = 0
  const finish = () => {
    const first = current[0]
    if (first !== undefined) lines.push({ indent: indents[first.line - 1] ?? 0, tokens: current })
    current = []
  }
  for (const token of tokens) {
    if (token.kind === 'comment') continue
    depth += depthChange(token)
    if (token.kind === 'newline') {
      if (depth <= 0) finish()
    } else if (token.text === ';' && depth <= 0) {
      const indent = indents[(current[0] ?? token).line - 1] ?? 0
      if (current.length > 0) lines.push({ indent, tokens: current })
      current = []
    } else current.push(token)
  }
  finish()
  return lines
}

function nest(lines: readonly LogicalLine[]): readonly Statement[] {
  const root: Statement[] = []
  const open: { readonly indent: number; readonly statement: Statement }[] = []
  for (const { indent, tokens } of lines) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const statement = statementOf(tokens)
    const siblings = open.at(-1)?.statement.children ?? root
    siblings.push(statement)
    open.push({ indent, statement })
  }
  return root
}

const compound = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match|case)$/u

/** A body on the line of its header becomes a child. */
function statementOf(tokens: readonly Token[]): Statement {
  const colon = compound.test(tokens[0]?.text ?? '') ? headerEnd(tokens) : -1
  const header = colon === -1 ? tokens : tokens.slice(0, colon)
  const rest = colon === -1 ? [] : tokens.slice(colon + 1)
  const line = tokens[0]?.line ?? 1
  return { line, tokens: header, text: textOf(header), children: rest.length > 0 ? [statementOf(rest)] : [] }
}

function headerEnd(tokens: readonly Token[]): number {
  let depth = 0
  let lambdas = 0
  return tokens.findIndex((token) => {
    depth += depthChange(token)
    if (token.text === 'lambda' && depth === 0) lambdas += 1
    if (token.text !== ':' || depth !== 0) return false
    lambdas -= 1
    return lambdas < 0
  })
}

/** Normalised source of a block, its nesting included. Docstrings do not count. */
export function blockText(statements: readonly Statement[]): string {
  return statements
    .filter((statement) => statement.tokens.length !== 1 || statement.tokens[0]?.kind !== 'string')
    .map(({ text, children }) => (children.length === 0 ? text : `${text} { ${blockText(children)} }`))
    .join(' ; ')
}

/** The statement and all below it, in order. */
export function everyStatement(statements: readonly Statement[]): readonly Statement[] {
  return statements.flatMap((statement) => [statement, ...everyStatement(statement.children)])
}
