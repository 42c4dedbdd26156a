import { argumentsAt, codeOf, splitAt, textOf } from '../../source/index.ts'
import { pythonTree, type Statement } from '../python/tree.ts'
import { commentParts, substituteNames, type FramePart, type Parts, type ProvenTest } from './parts.ts'

/** Of a Python file; undefined where that cannot be told for certain. */
export function pythonParts(text: string): Parts | undefined {
  const { statements, comments, isBroken } = pythonTree(text)
  // What a tab is worth is a question of its own.
  if (isBroken || /^ *\t/mu.test(text)) return undefined
  const tests: ProvenTest[] = []
  const names: string[] = []
  const frame: FramePart[] = [...commentParts(comments.map((comment) => comment.text))]
  const visit = (block: readonly Statement[], scope: string): void => {
    let decorators: Statement[] = []
    for (const statement of block) {
      if (statement.text.startsWith('@ ')) {
        decorators.push(statement)
        continue
      }
      const marks = decorators
      decorators = []
      const isSuite = /^class Test\w*\b/u.test(statement.text)
      const name = /^(?:async )?def (test\w*)/u.exec(statement.text)?.[1]
      const found = name === undefined ? undefined : testsOf(statement, name, marks, scope)
      if (isSuite)
        visit(
          statement.children,
          `${scope}${marks.map(({ text: mark }) => mark).join(' ')} ${statement.text} > `,
        )
      else if (found === undefined || name === undefined) frame.push(...framePartsOf(statement, marks, scope))
      else {
        tests.push(...found)
        names.push(`${scope}${name}`)
      }
    }
  }
  visit(statements, '')
  // A name that is bound twice, or spoken of elsewhere, may be no test in the end.
  const isCertain =
    new Set(names).size === names.length &&
    !frame.some(
      (part) =>
        /\btest\w*\b/u.test(part.text) &&
        names.some((name) => part.text.includes(name.split(' > ').at(-1) ?? name)),
    )
  return isCertain ? { tests, frame } : undefined
}

function sourceOf({ text, children }: Statement): string {
  return children.length === 0 ? text : `${text} { ${children.map(sourceOf).join(' ; ')} }`
}

function testsOf(
  statement: Statement,
  name: string,
  marks: readonly Statement[],
  scope: string,
): readonly ProvenTest[] | undefined {
  const head = statement.text.replace(name, '_')
  const statements = statement.children.map(sourceOf)
  const [table, ...more] = marks
  if (table === undefined || more.length > 0 || !table.text.startsWith('@ pytest . mark . parametrize ('))
    return [{ head: [scope, ...marks.map(({ text }) => text), head].join(' '), statements }]
  const parameters = argumentsAt(
    statement.tokens,
    statement.tokens.findIndex(({ text }) => text === '('),
  ).map(textOf)
  const own = parameters.filter((one) => one !== 'self')
  const rows = rowsOf(table, own)
  const rowHead = [
    scope,
    head.replace(parameters.join(' , '), parameters.filter((one) => one === 'self').join(' , ')),
  ].join(' ')
  const known = rows?.flatMap((row): readonly ProvenTest[] => {
    const put = substituteNames(statements, own, row)
    return put === undefined ? [] : [{ head: rowHead, statements: put }]
  })
  return known?.length === rows?.length ? known : undefined
}

/** Rows of `parametrize("a, b", [(1, 2), (3, 4)])` whose names are the parameters of the test. */
function rowsOf(
  { tokens }: Statement,
  parameters: readonly string[],
): readonly (readonly string[])[] | undefined {
  const [names, table, ...more] = argumentsAt(
    tokens,
    tokens.findIndex(({ text }) => text === '('),
  )
  const listed = names?.length === 1 ? (names[0]?.text ?? '').slice(1, -1).split(/\s*,\s*/u) : []
  if (table === undefined || more.length > 0 || listed.join() !== parameters.join() || table[0]?.text !== '[')
    return undefined
  return splitAt(table.slice(1, -1), ({ text }) => text === ',').map((row) => {
    const cells =
      parameters.length > 1 && row[0]?.text === '('
        ? splitAt(codeOf(row.slice(1, -1)), ({ text }) => text === ',')
        : [row]
    return cells.map(textOf)
  })
}

function framePartsOf(
  statement: Statement,
  marks: readonly Statement[],
  scope: string,
): readonly FramePart[] {
  const module = scope === '' ? /^import ([\w]+)$/u.exec(statement.text)?.[1] : undefined
  const text = [scope, ...marks.map((mark) => mark.text), sourceOf(statement)].join(' ')
  return [{ text, declares: module === undefined ? null : [module] }]
}
