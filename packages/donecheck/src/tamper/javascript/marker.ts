/** Calls within a body that mark what stands around them: `t.skip()`, `this.timeout(5000)`, `test.fail()`. */
import type { SkipKind } from '../facts.ts'
import { constantOf, type Constant } from './constant.ts'
import { declaratorOf, memberName, type DeclaratorContext } from './declarator.ts'
import { asMember, bare, type AnyCall, type SyntaxNode } from './syntax.ts'

export type Marker =
  | { readonly kind: 'skip'; readonly skip: SkipKind }
  /** `isWhole`: for the whole file, wherever it stands. */
  | {
      readonly kind: 'limit'
      readonly name: 'timeoutMs' | 'retries'
      readonly value: number
      readonly isWhole: boolean
    }

/** Whether `t`, `this` or `test` stands before the member. */
function isAroundTest(object: SyntaxNode, context: DeclaratorContext): boolean {
  if (object.type === 'ThisExpression') return true
  if (object.type === 'Identifier' && context.testContexts.has(object.name)) return true
  return declaratorOf(object, context) !== undefined
}

function skipOf(call: AnyCall, skip: SkipKind, context: DeclaratorContext): SkipKind {
  const [condition] = call.arguments
  if (condition === undefined) return skip
  const constant = constantOf(condition, context)
  // A text is the reason.
  if (typeof constant?.value === 'string' || bare(condition).type === 'TemplateLiteral') return skip
  if (constant !== undefined) return constant.value ? skip : 'none'
  return skip === 'always' ? 'conditional' : skip
}

function numberIn(call: AnyCall, context: DeclaratorContext): number | undefined {
  const [argument] = call.arguments
  const constant: Constant | undefined = argument && constantOf(argument, context)
  return typeof constant?.value === 'number' ? constant.value : undefined
}

function limit(
  name: 'timeoutMs' | 'retries',
  value: number | undefined,
  isWhole: boolean,
): Marker | undefined {
  return value === undefined ? undefined : { kind: 'limit', name, value, isWhole }
}

function ofMember(
  name: string,
  object: SyntaxNode,
  call: AnyCall,
  context: DeclaratorContext,
): Marker | undefined {
  const owner = object.type === 'Identifier' ? object.name : ''
  if (/^(jest|vi|jasmine)$/.test(owner)) {
    if (name === 'setTimeout') return limit('timeoutMs', numberIn(call, context), true)
    return name === 'retryTimes' ? limit('retries', numberIn(call, context), true) : undefined
  }
  if (!isAroundTest(object, context)) return undefined
  const isDeclarator = declaratorOf(object, context) !== undefined
  if (/^(skip|todo|fixme)$/.test(name)) return { kind: 'skip', skip: skipOf(call, 'always', context) }
  // `t.fail()` fails, `test.fail()` of Playwright turns a failure into a pass.
  if (name === 'fail' && isDeclarator)
    return { kind: 'skip', skip: skipOf(call, 'expected-to-fail', context) }
  if (name === 'failing' && !isDeclarator) return { kind: 'skip', skip: 'expected-to-fail' }
  if (name === 'timeout' || name === 'setTimeout') return limit('timeoutMs', numberIn(call, context), false)
  return name === 'retries' ? limit('retries', numberIn(call, context), false) : undefined
}

/** Undefined: it marks nothing. Asked only of calls that declare nothing. */
export function markerOf(call: AnyCall, context: DeclaratorContext): Marker | undefined {
  const callee = bare(call.callee)
  if (callee.type === 'Identifier') {
    const isSkip = /^(skip|pending)$/.test(callee.name) && !context.bindings.functions.has(callee.name)
    return isSkip ? { kind: 'skip', skip: skipOf(call, 'always', context) } : undefined
  }
  const member = asMember(callee)
  const name = member && memberName(member, context)
  return name === undefined || member === undefined
    ? undefined
    : ofMember(name, bare(member.object), call, context)
}
