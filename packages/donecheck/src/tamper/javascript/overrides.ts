/** What overwrites the runner or the assertions: then nothing that they say can be believed. */
import type { PlacedText } from '../facts.ts'
import { readAssertion } from './assertion.ts'
import { chainOf } from './chain.ts'
import { constantOf } from './constant.ts'
import type { DeclaratorContext } from './declarator.ts'
import { asCall, bare, childrenOf, isFunction, lineOf, type FunctionNode, type SyntaxNode } from './syntax.ts'

const runnerNames =
  /^(expect|assert|should|it|test|describe|suite|specify|beforeEach|afterEach|beforeAll|afterAll)$/
const guardedRoots = /^(expect|assert|chai|AssertionError|should|jasmine|QUnit)$/
const globalRoots = /^(globalThis|global|window|self)$/
const runnerModules =
  /^(node:)?(assert(\/strict)?|test)$|^(vitest|chai|jest|@jest\/globals|expect|mocha|ava|tap|tape|uvu|uvu\/assert|jasmine|bun:test|@playwright\/test|@std\/(assert|expect|testing)|power-assert|should|sinon-chai)$/
const builtInMatcher =
  /^to(Be|Equal|StrictEqual|Match|MatchObject|MatchSnapshot|MatchInlineSnapshot|Contain|ContainEqual|Throw|ThrowError|Have(Length|Property|BeenCalled\w*|Returned\w*)|Be(CloseTo|Defined|Falsy|GreaterThan(OrEqual)?|LessThan(OrEqual)?|InstanceOf|NaN|Null|Truthy|Undefined|TypeOf|OneOf|Called\w*)|Satisfy)$/

/** Whether a value takes the place of another: a function, a class, an object; not what was imported under that name. */
function replaces(value: SyntaxNode | null | undefined, context: DeclaratorContext): boolean {
  if (!value) return false
  const node = bare(value)
  if (node.type === 'Identifier') {
    const { functions, values } = context.bindings
    return (
      functions.has(node.name) ||
      /^(Object|Array|New)Expression$|Literal$/.test(values.get(node.name)?.type ?? '')
    )
  }
  if (asCall(node) !== undefined)
    return /^new Proxy|^(vi|jest|sinon)\.(fn|stub)\b/.test(context.source.of(node))
  return (
    isFunction(node) || /^(Class|Object|New|Unary|Conditional|Logical)Expression$|Literal$/.test(node.type)
  )
}

/** A function of the file that stands in for a runner's word, and neither fails nor runs what it is given. */
function isSham(replacement: FunctionNode, context: DeclaratorContext): boolean {
  const names = new Set(
    replacement.params.flatMap((parameter) => {
      const named = parameter.type === 'RestElement' ? parameter.argument : parameter
      return named.type === 'Identifier' ? [named.name] : []
    }),
  )
  const does = (node: SyntaxNode): boolean => {
    if (node.type === 'ThrowStatement') return true
    const call = asCall(node)
    if (call !== undefined) {
      const { root } = chainOf(call, context)
      const runs = root.type === 'Identifier' && (names.has(root.name) || root.name !== 'console')
      if (runs && call.arguments.length + Number(names.size > 0) > 0) return true
      if (readAssertion(call, context) !== undefined) return true
    }
    return childrenOf(node).some(does)
  }
  return !does(replacement.body)
}

function ofDeclaration(node: SyntaxNode, context: DeclaratorContext): boolean {
  if (node.type === 'FunctionDeclaration')
    return node.id ? runnerNames.test(node.id.name) && isSham(node, context) : false
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return false
  if (!/^(expect|assert|it|describe)$/.test(node.id.name)) return false
  const value = bare(node.init)
  return isFunction(value) ? isSham(value, context) : /^(Object|New)Expression$/.test(value.type)
}

function isGuarded(target: SyntaxNode, context: DeclaratorContext): boolean {
  const node = bare(target)
  if (node.type === 'Identifier') {
    const isLocal = context.bindings.declared.has(node.name) && !context.bindings.imports.has(node.name)
    return runnerNames.test(node.name) && !isLocal
  }
  const { root, links } = chainOf(node, context)
  if (root.type !== 'Identifier' || links.some(({ args }) => args !== undefined)) return false
  const path = [root.name, ...links.map(({ name }) => name ?? '[]')]
  const imported = context.bindings.imports.get(root.name)
  if (guardedRoots.test(root.name) || (imported !== undefined && runnerModules.test(imported.from)))
    return links.length > 0
  if (globalRoots.test(root.name))
    return path.slice(1).some((name) => guardedRoots.test(name) || runnerNames.test(name))
  return /^(process\.(exit|reallyExit|on|emit)|Object\.is|util\.isDeepStrictEqual)$/.test(path.join('.'))
}

/** `Object.defineProperty(assert, 'equal', …)`, `Object.assign(expect, …)`, `Reflect.set(globalThis, 'it', …)` */
function ofReflection(node: SyntaxNode, context: DeclaratorContext): boolean {
  const call = asCall(node)
  if (call === undefined) return false
  const { root, links } = chainOf(call, context)
  const name = `${root.type === 'Identifier' ? root.name : ''}.${links[0]?.name ?? ''}`
  const [target, key] = call.arguments
  if (target === undefined) return false
  if (/^(vi|jest)\.stubGlobal$/.test(name))
    return runnerNames.test(String(constantOf(target, context)?.value))
  const isStub = /^(vi|jest)\.(spyOn|replaceProperty)$|^(sinon|sandbox)\.(stub|replace)$|^mock\.method$/.test(
    name,
  )
  const isSet =
    isStub ||
    /^(Object\.(definePropert(y|ies)|assign|setPrototypeOf)|Reflect\.(set|defineProperty))$/.test(name)
  if (!isSet) return false
  const text = context.source.of(target)
  if (guardedRoots.test(text.split(/[.[]/)[0] ?? '')) return true
  const member = key && constantOf(key, context)?.value
  return globalRoots.test(text) && typeof member === 'string' && runnerNames.test(member)
}

function alwaysPasses(node: SyntaxNode, context: DeclaratorContext): boolean {
  const results: boolean[] = []
  const visit = (part: SyntaxNode): void => {
    const isPass =
      part.type === 'ObjectProperty' && part.key.type === 'Identifier' && part.key.name === 'pass'
    if (isPass) results.push(constantOf(part.value, context)?.value === true)
    childrenOf(part).forEach(visit)
  }
  visit(node)
  return results.length > 0 && results.every(Boolean)
}

/** `expect.extend` that takes the name of a matcher of the runner, or whose matcher cannot fail. */
function ofExtension(node: SyntaxNode, context: DeclaratorContext): boolean {
  const call = asCall(node)
  if (call === undefined || context.source.of(call.callee) !== 'expect.extend') return false
  const [argument] = call.arguments
  const bound = argument?.type === 'Identifier' ? context.bindings.values.get(argument.name) : argument
  if (bound?.type !== 'ObjectExpression') return false
  return bound.properties.some((property) => {
    if (property.type === 'SpreadElement') return false
    const name =
      property.key.type === 'Identifier' ? property.key.name : constantOf(property.key, context)?.value
    return (typeof name === 'string' && builtInMatcher.test(name)) || alwaysPasses(property, context)
  })
}

/** `vi.mock('vitest')`: the runner itself is mocked. */
function ofModuleMock(node: SyntaxNode, context: DeclaratorContext): boolean {
  const call = asCall(node)
  const [module] = call?.arguments ?? []
  if (call === undefined || module === undefined) return false
  const name = constantOf(module, context)?.value
  return (
    typeof name === 'string' &&
    runnerModules.test(name) &&
    /^(vi|jest|mock|td|t\.mock)\.(mock|doMock|setMock|unstable_mockModule|module|replace)$/.test(
      context.source.of(call.callee),
    )
  )
}

function isOverride(node: SyntaxNode, context: DeclaratorContext): boolean {
  if (node.type === 'AssignmentExpression')
    return isGuarded(node.left, context) && replaces(node.right, context)
  return (
    ofDeclaration(node, context) ||
    ofReflection(node, context) ||
    ofExtension(node, context) ||
    ofModuleMock(node, context)
  )
}

/** Undefined: this node overwrites nothing that matters. */
export function overrideAt(node: SyntaxNode, context: DeclaratorContext): PlacedText | undefined {
  if (!isOverride(node, context)) return undefined
  const isDeclaration = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator'
  return { line: lineOf(node), text: context.source.of(node), ...(isDeclaration ? { isDeclaration } : {}) }
}
