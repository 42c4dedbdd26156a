import { sourceTextOf, type SourceText } from '../javascript/source-text.ts'
import {
  asCall,
  isFunction,
  parseJavaScript,
  type AnyCall,
  type FunctionNode,
  type SyntaxNode,
} from '../../source/index.ts'
import { commentParts, substituteNames, type FramePart, type Parts, type ProvenTest } from './parts.ts'

/** Of a JavaScript or TypeScript file. Throws what the parser throws. */
export function javascriptParts(path: string, text: string): Parts {
  const tree = parseJavaScript(path, text)
  const source = sourceTextOf(tree, text)
  const tests: ProvenTest[] = []
  const frame: FramePart[] = [...commentParts((tree.comments ?? []).map(({ value }) => value))]
  const visit = (nodes: readonly SyntaxNode[], scope: string): void => {
    for (const node of nodes) {
      const call = node.type === 'ExpressionStatement' ? asCall(node.expression) : undefined
      const suite = call && suiteOf(call, source)
      const found = suite === undefined && call ? testsOf(call, scope, source) : undefined
      if (suite !== undefined) visit(suite.body, `${scope}${suite.head} > `)
      else if (found === undefined) frame.push(...framePartsOf(node, scope, source))
      else tests.push(...found)
    }
  }
  const { directives, interpreter } = tree.program
  frame.push({ text: source.of({ start: 0, end: interpreter?.end ?? 0 }), declares: null })
  for (const { value } of directives) frame.push({ text: `"${value.value}"`, declares: null })
  visit(tree.program.body, '')
  return { tests, frame }
}

function titledBody(call: AnyCall): readonly [FunctionNode, readonly SyntaxNode[]] | undefined {
  const [title, body, ...more] = call.arguments
  const isTitle =
    title?.type === 'StringLiteral' || (title?.type === 'TemplateLiteral' && title.expressions.length === 0)
  return isTitle && isFunction(body) ? [body, more] : undefined
}

function suiteOf(call: AnyCall, source: SourceText) {
  const callee = source.of(call.callee)
  const [body, more] = titledBody(call) ?? []
  if (!/^(?:describe|suite|context)$/u.test(callee) || body?.body.type !== 'BlockStatement') return undefined
  if (body.params.length > 0 || body.async === true || more === undefined || more.length > 0) return undefined
  return { head: `${callee} ${source.of(call.arguments[0] ?? call)}`, body: body.body.body }
}

/** One test, or one for each row of its table. */
function testsOf(call: AnyCall, scope: string, source: SourceText): readonly ProvenTest[] | undefined {
  const [body, more] = titledBody(call) ?? []
  if (body === undefined || more === undefined) return undefined
  const head = (callee: string, parameters: readonly string[]) =>
    [
      scope,
      callee,
      body.async ? 'async' : '',
      `(${parameters.join(',')})`,
      ...more.map((one) => source.of(one)),
    ].join(' ')
  const statements = statementsOf(body, source)
  const parameters = body.params.map((one) => source.of(one))
  const callee = source.of(call.callee)
  if (/^(?:it|test)$/u.test(callee)) return [{ head: head(callee, parameters), statements }]
  const rows = rowsOf(call, source)
  if (rows === undefined || !body.params.every(({ type }) => type === 'Identifier')) return undefined
  const tests = rows.values.map((row): ProvenTest | undefined => {
    const put = substituteNames(statements, parameters, row)
    return put === undefined ? undefined : { head: head(rows.callee, []), statements: put }
  })
  const known = tests.filter((test) => test !== undefined)
  return known.length === tests.length ? known : undefined
}

function statementsOf({ body }: FunctionNode, source: SourceText): readonly string[] {
  return body.type === 'BlockStatement' ? body.body.map((one) => source.of(one)) : [source.of(body)]
}

/** `it.each([[1, 2], [3, 4]])` */
function rowsOf({ callee }: AnyCall, source: SourceText) {
  const table = asCall(callee)
  const [name, word] = table === undefined ? [] : source.of(table.callee).split('.')
  const [values] = table?.arguments ?? []
  if (name === undefined || !/^(?:it|test)$/u.test(name) || word !== 'each') return undefined
  if (values?.type !== 'ArrayExpression' || table?.arguments.length !== 1) return undefined
  return {
    callee: name,
    values: values.elements.map((row) =>
      row?.type === 'ArrayExpression'
        ? row.elements.map((cell) => (cell === null ? '' : source.of(cell)))
        : [row === null ? '' : source.of(row)],
    ),
  }
}

function framePartsOf(node: SyntaxNode, scope: string, source: SourceText): readonly FramePart[] {
  if (node.type === 'ImportDeclaration' && node.specifiers.length > 0) {
    const from = JSON.stringify(node.source.value)
    const kind = node.importKind ?? 'value'
    return node.specifiers.map((specifier) => ({
      text: `import ${kind} ${specifier.type} ${source.of(specifier)} ${from}`,
      declares: [specifier.local.name],
    }))
  }
  const declares = node.type === 'FunctionDeclaration' && node.id && scope === '' ? [node.id.name] : null
  return [{ text: `${scope}${source.of(node)}`, declares }]
}
