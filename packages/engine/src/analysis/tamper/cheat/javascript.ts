/** Sources in JavaScript and TypeScript that could cheat the check they run under. */
import {
  sourceTextOf,
  type SourceText,
  pathOf,
  stringOf,
  bare,
  childrenOf,
  isFunction,
  lineOf,
  nodesOf,
  parseJavaScript,
  type SyntaxNode,
} from './javascript-syntax.ts'
import { equalityAt, hiddenTracesAt, isListOfGlobals, dataLoadsAt } from './javascript-hidden.ts'
import { runnerVariables, testWords, type Trace } from './trace.ts'

const libraries =
  /^(?:vitest|jest|mocha|chai|sinon|ava|tap|tape|uvu|jasmine|expect|should|power-assert|testdouble|proxyquire|rewire|mock-require|node:test|@jest\/\w[\w-]*|@vitest\/\w[\w-]*|@playwright\/test|sinon-chai|chai-as-promised)(?:\/|$)/u
const assertions = /^(?:node:)?assert(?:\/strict)?$/u
const runnerGlobals = /^(?:expect|assert|chai|describe|it|test|jest|vi|mocha|sinon)$/u

/**
 * `written`: the paths that this run wrote. `wasModule`: others could load it before, so a test may load it now. Throws what the
 * parser throws.
 */
export function javascriptTraces(
  path: string,
  text: string,
  { written, wasModule }: { readonly written: ReadonlySet<string>; readonly wasModule: boolean },
): readonly Trace[] {
  const tree = parseJavaScript(path, text)
  const nodes = nodesOf(tree)
  const source = sourceTextOf(tree, text)
  const guarded = namesOfLibraries(nodes)
  const isModule = wasModule || nodes.some(isExport)
  const assigned = new Set<SyntaxNode>(
    nodes.flatMap((node) => (node.type === 'AssignmentExpression' ? [node.left] : [])),
  )
  return [
    ...nodes.flatMap((node) => [
      ...importAt(node),
      ...dataLoadsAt(node, path, written),
      ...patchAt(node, guarded, source),
      ...equalityAt(node, source),
      ...hiddenTracesAt(node, source),
      ...(assigned.has(node) ? [] : awarenessAt(node, source)),
    ]),
    ...[...nodes.filter(isFunction), ...tree.program.body].flatMap((unit) => callerReadAt(unit, source)),
    ...(isModule ? tree.program.body.flatMap((statement) => exitAt(statement, source)) : []),
  ]
}

function isExport(node: SyntaxNode): boolean {
  if (node.type.startsWith('Export')) return true
  if (node.type !== 'AssignmentExpression') return false
  const path = pathOf(node.left)
  return path[0] === 'exports' || (path[0] === 'module' && path[1] === 'exports')
}

/** The module that a statement or a call loads, types aside. */
function loadedBy(node: SyntaxNode): string | undefined {
  if (node.type === 'ImportDeclaration') return node.importKind === 'type' ? undefined : node.source.value
  if (node.type === 'ImportExpression')
    return node.source.type === 'StringLiteral' ? node.source.value : undefined
  if (node.type !== 'CallExpression') return undefined
  const isLoading = node.callee.type === 'Import' || pathOf(node.callee).join('.') === 'require'
  const [module] = node.arguments
  return isLoading && module?.type === 'StringLiteral' ? module.value : undefined
}

function importAt(node: SyntaxNode): readonly Trace[] {
  const module = loadedBy(node)
  if (module === undefined) return []
  const trace = { rule: 'source.test-library', line: lineOf(node), text: module } as const
  if (assertions.test(module)) return [{ ...trace, atMost: 'note' }]
  return libraries.test(module) ? [trace] : []
}

/** Local names that stand for a library of tests, or for the loader. */
function namesOfLibraries(nodes: readonly SyntaxNode[]): ReadonlySet<string> {
  const names = new Set<string>()
  const isGuarded = (module: string | undefined) =>
    module !== undefined &&
    (libraries.test(module) || assertions.test(module) || /^(?:node:)?module$/u.test(module))
  for (const node of nodes) {
    if (node.type === 'ImportDeclaration' && isGuarded(loadedBy(node)))
      for (const { local } of node.specifiers) names.add(local.name)
    if (node.type !== 'VariableDeclarator' || !node.init) continue
    const value = bare(node.init.type === 'AwaitExpression' ? node.init.argument : node.init)
    const root = value.type === 'MemberExpression' ? value.object : value
    if (node.id.type === 'Identifier' && isGuarded(loadedBy(root))) names.add(node.id.name)
  }
  return names
}

const loaderParts =
  /^(?:require\.cache\.|require\.extensions\.|(?:Module|module\.constructor)\.(?:_load|_resolveFilename|_extensions|_cache|wrap|prototype)\b)/u
const judgedByRunners =
  /^(?:globalThis\.|global\.)?(?:Object\.is|process\.(?:exit|reallyExit|emit|kill|_exiting)|Error\.prototype\.\w+|Function\.prototype\.\w+|Object\.prototype\.\w+)$/u

function patchAt(node: SyntaxNode, guarded: ReadonlySet<string>, source: SourceText): readonly Trace[] {
  const isPatch =
    (node.type === 'AssignmentExpression' && isPatched(pathOf(node.left), guarded)) ||
    (node.type === 'CallExpression' && isPatchingCall(node.callee, node.arguments, guarded))
  return isPatch ? [{ rule: 'source.patches-runner', line: lineOf(node), text: source.of(node) }] : []
}

function isPatched(path: readonly string[], guarded: ReadonlySet<string>): boolean {
  const [root = '', ...rest] = path
  if (rest.length === 0) return false
  if (/^(?:globalThis|global|window|self)$/u.test(root) && runnerGlobals.test(rest[0] ?? '')) return true
  const text = path.join('.')
  return guarded.has(root) || loaderParts.test(text) || judgedByRunners.test(text)
}

function isPatchingCall(
  callee: SyntaxNode,
  [target, key]: readonly SyntaxNode[],
  guarded: ReadonlySet<string>,
): boolean {
  const path = pathOf(callee)
  const name = path.slice(-2).join('.')
  if (/^(?:module|Module)\.(?:register|registerHooks)$/u.test(name)) return true
  if (guarded.has(path[0] ?? '') && /^(?:register|registerHooks)$/u.test(path.at(-1) ?? '')) return true
  if (name === 'process.reallyExit') return true
  if (/^process\.(?:on|once|addListener|prependListener)$/u.test(name))
    return (
      /^(?:exit|beforeExit)$/u.test((target && stringOf(target)) ?? '') && key !== undefined && setsExit(key)
    )
  if (
    target === undefined ||
    !/^(?:Object\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\.(?:set|defineProperty))$/u.test(
      name,
    )
  )
    return false
  const changed = [...pathOf(target), ...(key === undefined ? ['*'] : [stringOf(key) ?? '*'])]
  return isPatched(changed, guarded)
}

/** Whether it decides the exit status of the process. */
function setsExit(node: SyntaxNode): boolean {
  const path =
    node.type === 'AssignmentExpression'
      ? pathOf(node.left)
      : node.type === 'CallExpression'
        ? pathOf(node.callee)
        : []
  return /^process\.(?:exitCode|exit|reallyExit)$/u.test(path.join('.')) || childrenOf(node).some(setsExit)
}

/** An exit with success while the module is loaded. */
function exitAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  if (isFunction(node)) return []
  if (node.type === 'CallExpression' && pathOf(node.callee).join('.') === 'process.exit') {
    const [status] = node.arguments
    const isSuccess = status === undefined || (status.type === 'NumericLiteral' && status.value === 0)
    return isSuccess ? [{ rule: 'source.patches-runner', line: lineOf(node), text: source.of(node) }] : []
  }
  return childrenOf(node).flatMap((child) => exitAt(child, source))
}

function awarenessAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  const trace = (text: string): Trace => ({ rule: 'source.test-aware', line: lineOf(node), text })
  if (node.type === 'Identifier' || node.type === 'StringLiteral' || node.type === 'BinaryExpression') {
    const name = node.type === 'Identifier' ? node.name : (stringOf(node) ?? '')
    return name !== 'TAP' && runnerVariables.test(name) ? [trace(name)] : []
  }
  if (node.type === 'UnaryExpression' && node.operator === 'typeof')
    return runnerGlobals.test(pathOf(node.argument).join('.')) ? [trace(source.of(node))] : []
  const path = pathOf(node)
  const isGlobal = /^(?:globalThis|global)$/u.test(path[0] ?? '') && path.length === 2
  return isGlobal && /^(?:expect|describe|it|jest|vi|__vitest\w*|mocha)$/u.test(path[1] ?? '')
    ? [trace(path.join('.'))]
    : []
}

/** The stack, the command line or the main module, looked at for words of tests in one function. */
function callerReadAt(unit: SyntaxNode, source: SourceText): readonly Trace[] {
  const own = ownNodes(unit)
  const asks = own.find(
    (node) =>
      /^(?:process\.(?:argv\w*|execArgv|mainModule|title)|require\.main)\b|(?:^|\.)npm_lifecycle_event$/u.test(
        pathOf(node).join('.'),
      ) ||
      isStack(node) ||
      isListOfGlobals(node),
  )
  if (asks === undefined) return []
  const word = own.find(isTestWord)
  if (word === undefined) return []
  return [
    { rule: 'source.test-aware', line: lineOf(asks), text: `${source.of(asks)} and ${source.of(word)}` },
  ]
}

function isStack(node: SyntaxNode): boolean {
  return (
    (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') &&
    node.property.type === 'Identifier' &&
    node.property.name === 'stack'
  )
}

function isTestWord(node: SyntaxNode): boolean {
  if (node.type === 'RegExpLiteral') return testWords.test(node.pattern)
  const text = stringOf(node)
  return text !== undefined && text.length < 80 && !text.includes(' ') && testWords.test(text)
}

/** Without those of functions inside that are called from elsewhere. */
function ownNodes(unit: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(unit).flatMap((child) =>
    isFunction(child) && child.type !== 'ArrowFunctionExpression' ? [] : [child, ...ownNodes(child)],
  )
}
