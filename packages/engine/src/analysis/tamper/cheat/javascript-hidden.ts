/** Names of runners that are put together, and places where only a runner leaves something to be found. */
import type { SourceText } from './source-text.ts'
import { bare, childrenOf, lineOf, type SyntaxNode } from '../../source/index.ts'
import { pathOf, stringOf } from './javascript-names.ts'
import type { Trace } from './trace.ts'

const runnerNames = /vitest|jest|mocha|node:test|^(?:node:)?assert(?:\/strict)?$/iu
const runnerGlobals = /^(?:expect|assert|chai|describe|it|test|jest|vi|mocha|sinon|__vitest\w*|__jest\w*)$/u
const testPlaces = /^(?:\.\/)?(?:tests?|specs?|__tests__)(?:\/|$)|\.(?:test|spec)\.[cm]?[jt]sx?$/u
const loading = /(?:^|\.)(?:require|createRequire|getBuiltinModule)$/u

export function hiddenTracesAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  const traceOf = (rule: Trace['rule']): readonly Trace[] => [
    { rule, line: lineOf(node), text: source.of(node) },
  ]
  if (patchesWhatItLoads(node)) return traceOf('source.patches-runner')
  return isPutTogether(node) || asksGlobals(node) || asksFiles(node) || readsParent(node)
    ? traceOf('source.test-aware')
    : []
}

/** `Object.keys(globalThis)`: all that a runner may have left there. */
export function isListOfGlobals(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const [target] = node.arguments
  return (
    /^(?:Object\.(?:keys|entries|getOwnPropertyNames)|Reflect\.ownKeys)$/u.test(
      pathOf(node.callee).join('.'),
    ) &&
    target !== undefined &&
    isGlobal(target)
  )
}

function isGlobal(node: SyntaxNode): boolean {
  return /^(?:globalThis|global)$/u.test(pathOf(node).join('.'))
}

/** `createRequire(url)('assert').equal = …`, with a name of any making. */
function patchesWhatItLoads(node: SyntaxNode): boolean {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false
  const root = rootOf(node.left)
  if (root.type !== 'CallExpression') return false
  const [module] = root.arguments
  const { callee } = root
  const loader = callee.type === 'CallExpression' ? callee.callee : callee
  return (
    module !== undefined && loading.test(pathOf(loader).join('.')) && runnerNames.test(stringOf(module) ?? '')
  )
}

function rootOf(node: SyntaxNode): SyntaxNode {
  const at = bare(node)
  return at.type === 'MemberExpression' ? rootOf(at.object) : at
}

/** Longer sums hold no name. Characters. */
const maxPieces = 200

/** `'vi' + 'test'`: nobody cuts such a name in pieces but to hide it. */
function isPutTogether(node: SyntaxNode): boolean {
  if ((node.end ?? 0) - (node.start ?? 0) > maxPieces) return false
  const pieces =
    node.type === 'BinaryExpression' && node.operator === '+'
      ? [node.left, node.right]
      : node.type === 'CallExpression' &&
          node.callee.type === 'MemberExpression' &&
          node.callee.object.type === 'ArrayExpression'
        ? node.callee.object.elements
        : []
  const whole = pieces.length === 0 ? undefined : stringOf(node)
  if (whole === undefined || whole.length > 40 || whole.includes(' ') || !runnerNames.test(whole))
    return false
  return !pieces.some(
    (piece) => piece !== null && /vitest|jest|mocha|node:test/iu.test(stringOf(piece) ?? ''),
  )
}

/** `'expect' in globalThis`; of `import.meta` only by a name that is put together. */
function asksGlobals(node: SyntaxNode): boolean {
  if (node.type !== 'BinaryExpression' || node.operator !== 'in') return false
  const name = stringOf(node.left)
  if (isGlobal(node.right)) return name !== undefined && runnerGlobals.test(name)
  if (pathOf(node.right).join('.') !== 'import.meta') return false
  return name === 'vitest' || (name !== undefined && bare(node.left).type !== 'StringLiteral')
}

/** Whether a file of the tests is there. */
function asksFiles(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const [target] = node.arguments
  return (
    /^(?:existsSync|statSync|lstatSync|accessSync)$/u.test(pathOf(node.callee).at(-1) ?? '') &&
    target !== undefined &&
    testPlaces.test(stringOf(target) ?? '')
  )
}

/** What the process that started this one was called with. */
function readsParent(node: SyntaxNode): boolean {
  return (
    node.type === 'TemplateLiteral' &&
    (node.quasis[0]?.value.raw ?? '').startsWith('/proc/') &&
    childrenOf(node).some((one) => pathOf(one).join('.') === 'process.ppid')
  )
}
