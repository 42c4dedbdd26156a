/** Which callee declares a test, a suite or a hook, and how it is marked. */
import { constantOf, type Known } from './constant.ts'
import { rowsOfArray, rowsOfTemplate } from './table.ts'
import { asMember, bare, type AnyCall, type AnyMember, type SyntaxNode } from './syntax.ts'
import {
  markingMembers,
  marksTogether,
  plainMembers,
  runnerObjects,
  runnerWords,
  unmarked,
  type Declarator,
  type Marks,
} from './words.ts'
import { wrappedDeclarator } from './wrapper.ts'

export interface DeclaratorContext extends Known {
  /** Parameters that runners hand to tests: `t` in `t.test(…)`. */
  readonly testContexts: ReadonlySet<string>
}

const maxDepth = 12

/** Name of a member, also of a computed one where it is known. */
export function memberName(member: AnyMember, known: Known): string | undefined {
  const { property } = member
  if (!member.computed) return property.type === 'Identifier' ? property.name : undefined
  const constant = constantOf(property, known)
  return typeof constant?.value === 'string' ? constant.value : undefined
}

function marked(target: Declarator, marks: Marks): Declarator {
  return { ...target, ...marksTogether(target, marks) }
}

function ofImport(name: string, context: DeclaratorContext): Declarator | undefined {
  const imported = context.bindings.imports.get(name)
  if (imported === undefined) return runnerWords.get(name)
  if (imported.name === 'default' || imported.name === '*') {
    // `import test from 'ava'`, `const test = require('tape')`
    return runnerWords.get(name) ?? (/^(node:test|ava|tape|tap)$/.test(imported.from) ? testWord : undefined)
  }
  return runnerWords.get(imported.name) ?? runnerWords.get(name)
}

const testWord: Declarator = { kind: 'test', ...unmarked }

function ofName(name: string, context: DeclaratorContext, depth: number): Declarator | undefined {
  const wrapper = context.bindings.functions.get(name)
  if (wrapper !== undefined)
    return wrappedDeclarator(name, wrapper, (callee) => declaratorAt(callee, context, depth + 1))
  const value = context.bindings.values.get(name)
  if (value === undefined) return ofImport(name, context)
  const isData = /Literal$|^(Object|Array|New)Expression$/.test(value.type)
  return declaratorAt(value, context, depth + 1) ?? (isData ? undefined : runnerWords.get(name))
}

function isWhole(name: string, context: DeclaratorContext): boolean {
  const imported = context.bindings.imports.get(name)
  return (
    runnerObjects.has(name) ||
    imported?.name === '*' ||
    (imported?.name === 'default' && !runnerWords.has(name))
  )
}

function ofMember(member: AnyMember, context: DeclaratorContext, depth: number): Declarator | undefined {
  const name = memberName(member, context)
  if (name === undefined) return undefined
  const object = bare(member.object)
  if (object.type === 'Identifier' && context.testContexts.has(object.name)) return runnerWords.get(name)
  const target = declaratorAt(object, context, depth + 1)
  if (target === undefined) {
    if (object.type !== 'Identifier' || !isWhole(object.name, context)) return undefined
    if (object.name === 'QUnit') {
      if (name === 'module') return { kind: 'suite', ...unmarked }
      const marks = markingMembers.get(name)
      if (marks !== undefined) return { kind: 'test', ...marks }
    }
    return runnerWords.get(name)
  }
  const marks = markingMembers.get(name)
  if (marks !== undefined) return marked(target, marks)
  const other = runnerWords.get(name)
  if (other !== undefined) return marked({ ...target, kind: other.kind }, other)
  return plainMembers.has(name) ? target : undefined
}

/** Marks of `skipIf(condition)` and its like. */
function ofCondition(word: string, call: AnyCall, context: DeclaratorContext): Marks {
  const [condition] = call.arguments
  const constant = condition && constantOf(condition, context)
  if (constant === undefined) return { skip: 'conditional', isFocused: false }
  const runs = Boolean(constant.value) === (word === 'runIf' || word === 'if')
  return { skip: runs ? 'none' : 'always', isFocused: false }
}

function ofCall(call: AnyCall, context: DeclaratorContext, depth: number): Declarator | undefined {
  const member = asMember(bare(call.callee))
  if (member !== undefined) {
    const word = memberName(member, context)
    const target = declaratorAt(member.object, context, depth + 1)
    if (target === undefined || word === undefined) return undefined
    if (/^(skipIf|runIf|todoIf|if)$/.test(word)) return marked(target, ofCondition(word, call, context))
    if (word === 'each' || word === 'for') return { ...target, rows: rowsOfArray(call.arguments[0], context) }
    return /^(extend|override|scoped|bind|with)$/.test(word) ? target : undefined
  }
  // uvu: `const parser = suite('parser')`, then `parser('reads', …)`
  const target = declaratorAt(call.callee, context, depth + 1)
  const [title] = call.arguments
  if (target?.kind !== 'suite' || call.arguments.length > 2 || title?.type !== 'StringLiteral')
    return undefined
  const hasBody = call.arguments.slice(1).some(({ type }) => type !== 'ObjectExpression')
  return hasBody ? undefined : { ...target, kind: 'test', suiteName: title.value }
}

function ofChoice(
  test: SyntaxNode,
  consequent: SyntaxNode,
  alternate: SyntaxNode,
  context: DeclaratorContext,
  depth: number,
): Declarator | undefined {
  const constant = constantOf(test, context)
  if (constant !== undefined) return declaratorAt(constant.value ? consequent : alternate, context, depth)
  const yes = declaratorAt(consequent, context, depth)
  const no = declaratorAt(alternate, context, depth)
  const known = yes ?? no
  if (known === undefined) return undefined
  const isFocused = [yes, no].some((declarator) => declarator?.isFocused)
  // The other way may be a function that does nothing.
  return { ...known, skip: yes?.skip === no?.skip ? known.skip : 'conditional', isFocused }
}

export function declaratorAt(
  wrapped: SyntaxNode,
  context: DeclaratorContext,
  depth: number,
): Declarator | undefined {
  if (depth > maxDepth) return undefined
  const node = bare(wrapped)
  switch (node.type) {
    case 'Identifier':
      return ofName(node.name, context, depth + 1)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return ofMember(node, context, depth + 1)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return ofCall(node, context, depth + 1)
    case 'TaggedTemplateExpression': {
      const target = declaratorAt(node.tag, context, depth + 1)
      return target && { ...target, rows: rowsOfTemplate(node.quasi, context) }
    }
    case 'ConditionalExpression':
      return ofChoice(node.test, node.consequent, node.alternate, context, depth + 1)
    case 'LogicalExpression':
      return ofLogical(node.operator, node.left, node.right, context, depth + 1)
    default:
      return undefined
  }
}

function ofLogical(
  operator: string,
  left: SyntaxNode,
  right: SyntaxNode,
  context: DeclaratorContext,
  depth: number,
): Declarator | undefined {
  if (operator === '&&') return declaratorAt(right, context, depth)
  return declaratorAt(left, context, depth) ?? declaratorAt(right, context, depth)
}

/** Undefined: it declares nothing. */
export function declaratorOf(callee: SyntaxNode, context: DeclaratorContext): Declarator | undefined {
  return declaratorAt(callee, context, 0)
}

/** The same, of a name. */
export function declaratorNamed(name: string, context: DeclaratorContext): Declarator | undefined {
  return ofName(name, context, 0)
}
