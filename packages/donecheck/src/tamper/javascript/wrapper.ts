/** Functions of the file that declare tests for their caller, such as `const maybe = (name, body) => it.skip(name, body)`. */
import {
  asCall,
  bare,
  childrenOf,
  lineOf,
  type AnyCall,
  type FunctionNode,
  type SyntaxNode,
} from './syntax.ts'
import { runnerWords, unmarked, worseSkip, type Declarator } from './words.ts'

type Resolve = (callee: SyntaxNode) => Declarator | undefined

function parameterNames(wrapper: FunctionNode): ReadonlySet<string> {
  const names = wrapper.params.flatMap((parameter) => {
    if (parameter.type === 'AssignmentPattern' && parameter.left.type === 'Identifier')
      return [parameter.left.name]
    if (parameter.type === 'RestElement' && parameter.argument.type === 'Identifier')
      return [parameter.argument.name]
    return parameter.type === 'Identifier' ? [parameter.name] : []
  })
  return new Set(names)
}

function mentions(node: SyntaxNode, names: ReadonlySet<string>): boolean {
  if (node.type === 'Identifier') return names.has(node.name)
  return childrenOf(node).some((child) => mentions(child, names))
}

function callsWithin(node: SyntaxNode): AnyCall[] {
  const call = asCall(node)
  return [...(call ? [call] : []), ...childrenOf(node).flatMap(callsWithin)]
}

/** Line of an empty `catch` around what the wrapper calls. */
function emptyCatchIn(node: SyntaxNode): number | undefined {
  if (node.type === 'TryStatement' && node.handler?.body.body.length === 0) return lineOf(node.handler)
  for (const child of childrenOf(node)) {
    const line = emptyCatchIn(child)
    if (line !== undefined) return line
  }
  return undefined
}

function declaredBy(
  calls: readonly AnyCall[],
  names: ReadonlySet<string>,
  resolve: Resolve,
): Declarator | undefined {
  let found: Declarator | undefined
  for (const call of calls) {
    const [title, ...rest] = call.arguments
    if (title === undefined || !mentions(title, names)) continue
    const target = resolve(call.callee)
    if (target === undefined || target.kind === 'hook') continue
    const isSpread = title.type === 'SpreadElement'
    // The body that the caller hands in is never run.
    const own: Declarator =
      isSpread || rest.some((argument) => mentions(argument, names)) ? target : { ...target, skip: 'always' }
    if (found === undefined) found = own
    else if (found.skip !== own.skip) found = { ...found, skip: worseSkip('conditional', 'none') }
  }
  return found
}

export function wrappedDeclarator(
  name: string,
  wrapper: FunctionNode,
  resolve: Resolve,
): Declarator | undefined {
  const names = parameterNames(wrapper)
  if (names.size === 0) return undefined
  const calls = callsWithin(wrapper.body)
  const declared = declaredBy(calls, names, resolve)
  const swallowsAt = emptyCatchIn(wrapper.body)
  const swallowing = swallowsAt === undefined ? {} : { swallowsAt }
  if (declared !== undefined) return { ...declared, ...swallowing }
  const word = runnerWords.get(name)
  const runsItself = calls.some(({ callee }) => {
    const called = bare(callee)
    return called.type === 'Identifier' && names.has(called.name)
  })
  return word !== undefined && word.kind !== 'hook' && runsItself
    ? { kind: word.kind, ...unmarked, ...swallowing }
    : undefined
}
