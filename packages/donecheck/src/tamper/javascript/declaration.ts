/** A call that declares a test, a suite or a hook: its title, its body, its options. */
import { constantOf, type Constant } from './constant.ts'
import { declaratorOf, memberName, type DeclaratorContext } from './declarator.ts'
import {
  asCall,
  asMember,
  bare,
  isFunction,
  lineOf,
  type AnyCall,
  type FunctionNode,
  type ObjectExpression,
  type SyntaxNode,
} from './syntax.ts'
import { marksTogether, type Declarator, type Marks } from './words.ts'

export interface Declaration {
  readonly call: AnyCall
  readonly declarator: Declarator
  readonly title: string
  readonly line: number
  readonly body: FunctionNode | undefined
  /** It has a body, but one that is not in this file. */
  readonly isBodyElsewhere: boolean
  readonly timeoutMs: number | null
  readonly retries: number | null
}

interface Options {
  readonly marks: Marks
  readonly timeoutMs: number | null
  readonly retries: number | null
}

/** Of one literal option; undefined where it is not there, `{ value: true }` where its value is not known. */
function optionOf(
  object: ObjectExpression,
  names: readonly string[],
  context: DeclaratorContext,
): Constant | undefined {
  for (const property of object.properties) {
    if (property.type !== 'ObjectProperty') continue
    const { key } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : ''
    if (names.includes(name)) return constantOf(property.value, context) ?? { value: true }
  }
  return undefined
}

function isOn(option: Constant | undefined): boolean {
  // `skip: ''` and `skip: 'reason'`: a text is a reason.
  return option !== undefined && (Boolean(option.value) || option.value === '')
}

function isKnown(object: ObjectExpression, names: readonly string[], context: DeclaratorContext): boolean {
  return object.properties.every((property) => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return true
    return !names.includes(property.key.name) || constantOf(property.value, context) !== undefined
  })
}

function numberOf(option: Constant | undefined): number | null {
  return typeof option?.value === 'number' ? option.value : null
}

const skipping = ['skip', 'todo', 'ignore', 'fixme']

function readOptions(object: ObjectExpression, context: DeclaratorContext): Options {
  const isSkipped = isOn(optionOf(object, skipping, context))
  const failing = isOn(optionOf(object, ['fails', 'expectFailure'], context))
  const skip = isSkipped ? (isKnown(object, skipping, context) ? 'always' : 'conditional') : 'none'
  return {
    marks: {
      skip: skip === 'none' && failing ? 'expected-to-fail' : skip,
      isFocused: isOn(optionOf(object, ['only'], context)),
    },
    timeoutMs: numberOf(optionOf(object, ['timeout'], context)),
    retries: numberOf(optionOf(object, ['retry', 'retries'], context)),
  }
}

/** The title as it stands in the source, its white space made equal. */
function titleOf(node: SyntaxNode | undefined, context: DeclaratorContext): string {
  if (node === undefined) return ''
  const constant = constantOf(node, context)
  const text = constant === undefined ? context.source.of(node) : String(constant.value)
  return text.replace(/\s+/g, ' ').trim()
}

function memberOf(object: ObjectExpression, name: string): SyntaxNode | undefined {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement' || property.key.type !== 'Identifier') continue
    if (property.key.name === name) return property.type === 'ObjectMethod' ? property : property.value
  }
  return undefined
}

function functionIn(wrapped: SyntaxNode, context: DeclaratorContext, depth = 0): FunctionNode | undefined {
  const node = bare(wrapped)
  if (isFunction(node)) return node
  if (depth > 4) return undefined
  if (node.type === 'Identifier') return context.bindings.functions.get(node.name)
  const call = asCall(node)
  if (call === undefined) return undefined
  // `fakeAsync(() => …)`, `withServer(async () => …)`
  const within = call.arguments.map((argument) => functionIn(argument, context, depth + 1))
  return within.findLast((body) => body !== undefined)
}

function mayHoldBody(node: SyntaxNode): boolean {
  return /^(Identifier|(Optional)?(Call|Member)Expression|SpreadElement)$/.test(bare(node).type)
}

/** Whether it says nothing without a body: `setup()`, `pattern.test(text)`, `test.skip(isSlow, 'why')`. */
function needsBody(
  call: AnyCall,
  first: SyntaxNode,
  rest: readonly SyntaxNode[],
  declarator: Declarator,
  context: DeclaratorContext,
): boolean {
  if (declarator.kind === 'hook') return true
  const member = asMember(bare(call.callee))
  const object = member && bare(member.object)
  if (object?.type === 'Identifier' && context.testContexts.has(object.name)) return true
  if (rest.some(mayHoldBody) || bare(first).type === 'ObjectExpression') return false
  return typeof constantOf(first, context)?.value !== 'string' && bare(first).type !== 'TemplateLiteral'
}

function read(call: AnyCall, declarator: Declarator, context: DeclaratorContext): Declaration | undefined {
  const [first, ...rest] = call.arguments
  const object = call.arguments.map(bare).find((argument) => argument.type === 'ObjectExpression')
  const options = object && readOptions(object, context)
  const inOptions = object && memberOf(object, 'fn')
  const candidates = inOptions === undefined ? call.arguments : [inOptions]
  const isUntitled = first === undefined || isFunction(bare(first))
  const body = (isUntitled || inOptions ? candidates : rest)
    .map((argument) => functionIn(argument, context))
    .findLast((found) => found !== undefined)
  if (first === undefined || (body === undefined && needsBody(call, first, rest, declarator, context)))
    return undefined
  if (isUntitled && rest[0]?.type === 'StringLiteral') return undefined
  const named = object && memberOf(object, 'name')
  const ownName = body && 'id' in body && body.id ? body.id.name : ''
  const title = named !== undefined ? titleOf(named, context) : isUntitled ? ownName : titleOf(first, context)
  const lone = rest
    .map((argument) => constantOf(argument, context))
    .findLast((value) => numberOf(value) !== null)
  return {
    call,
    declarator: options ? { ...declarator, ...marksTogether(declarator, options.marks) } : declarator,
    title: declarator.suiteName === undefined ? title : `${declarator.suiteName} > ${title}`,
    line: lineOf(call),
    body,
    isBodyElsewhere: body === undefined && rest.some(mayHoldBody),
    timeoutMs: options?.timeoutMs ?? numberOf(lone),
    retries: options?.retries ?? null,
  }
}

/** `it('…', …).timeout(5000).retries(2)` */
function ofChained(call: AnyCall, context: DeclaratorContext): Declaration | undefined {
  const member = asMember(call.callee)
  const inner = member && asCall(bare(member.object))
  const name = member && memberName(member, context)
  if (inner === undefined || (name !== 'timeout' && name !== 'retries' && name !== 'slow')) return undefined
  const declaration = declarationOf(inner, context)
  const [argument] = call.arguments
  const value = argument && numberOf(constantOf(argument, context))
  if (declaration === undefined || value === undefined) return declaration
  return {
    ...declaration,
    ...(name === 'timeout' ? { timeoutMs: value } : name === 'retries' ? { retries: value } : {}),
  }
}

/**
 * Undefined: the call declares nothing. `test.skip()` and `test.skip(condition, 'why')` without a body mark what stands
 * around them, see `marker.ts`.
 */
export function declarationOf(call: AnyCall, context: DeclaratorContext): Declaration | undefined {
  const declarator = declaratorOf(call.callee, context)
  return declarator === undefined ? ofChained(call, context) : read(call, declarator, context)
}
