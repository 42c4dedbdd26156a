/** Go that gives another meaning to the words of the language, for its whole package and so for the tests in it. */
import { codeOf, splitAt, type Token } from '../source/tokens.ts'
import type { Trace } from './trace.ts'

/** `min`, `max`, `copy`, `close`, `print` and the like are usual names of functions, and `any` of types: they decide nothing. */
const predeclared =
  /^(?:true|false|nil|iota|len|cap|append|make|panic|recover|error|string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))$/u

/** Declared at the top level of the file, one by one or in a group; in a function it is a name of that function. */
export function redefinedInGo(tokens: readonly Token[]): readonly Trace[] {
  return topLevel(tokens).flatMap((statement) => {
    const [keyword, ...rest] = codeOf(statement)
    if (!/^(?:const|var|type|func)$/u.test(keyword?.text ?? '')) return []
    const isGroup = rest[0]?.text === '(' && keyword?.text !== 'func'
    const declarations = isGroup ? lines(statement.slice(statement.findIndex(isOpening) + 1)) : [rest]
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

function isOpening({ text }: Token): boolean {
  return text === '('
}

function topLevel(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return lines(tokens.filter(({ kind }) => kind !== 'comment'))
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
