/** Ends of the whole process that can hide a failure. */
import type { PlacedText } from '../facts.ts'
import { chainOf } from './chain.ts'
import { constantOf, type Known } from './constant.ts'
import { asCall, asMember, bare, lineOf, type AnyCall, type SyntaxNode } from './syntax.ts'

/** An exit status that is known to be a failure, or is reckoned while it runs, hides nothing. */
function mayHide(status: SyntaxNode | undefined, known: Known): boolean {
  if (status === undefined) return true
  const constant = constantOf(status, known)
  if (constant !== undefined) return !constant.value || typeof constant.value !== 'number'
  const node = bare(status)
  if (node.type === 'ConditionalExpression')
    return mayHide(node.consequent, known) && mayHide(node.alternate, known)
  return false
}

const exiting = /^((globalThis\.)?process|Deno|Bun)\.(exit|reallyExit|kill|abort)$/

/** `process.exit` of `process.exit(0)`, also where `exit` was imported or taken from `process`. */
function calledName(call: AnyCall, known: Known): string {
  const { root, links } = chainOf(call.callee, known)
  if (root.type !== 'Identifier') return ''
  const imported = known.bindings.imports.get(root.name)
  const isProcess = imported !== undefined && /^(node:)?process$/.test(imported.from)
  const first = !isProcess
    ? root.name
    : imported.name === '*' || imported.name === 'default'
      ? 'process'
      : `process.${imported.name}`
  return [first, ...links.map(({ name }) => name ?? '()')].join('.')
}

/** Whether the call ends the process, whatever its status. */
export function endsProcess(call: AnyCall, known: Known): boolean {
  return /\.(exit|reallyExit|abort)$/.test(calledName(call, known)) && exiting.test(calledName(call, known))
}

function isExitCode(target: SyntaxNode, known: Known): boolean {
  return (
    asMember(target) !== undefined && /^(process\.exitCode|Deno\.exitCode)$/.test(known.source.of(target))
  )
}

function isHidingExit(node: SyntaxNode, known: Known): boolean {
  if (node.type === 'AssignmentExpression') return isExitCode(node.left, known) && mayHide(node.right, known)
  const call = asCall(node)
  if (call === undefined) return false
  const name = calledName(call, known)
  if (!exiting.test(name)) return false
  return name.endsWith('kill') || (!name.endsWith('abort') && mayHide(call.arguments[0], known))
}

/** Undefined: this node ends nothing. */
export function exitAt(node: SyntaxNode, known: Known): PlacedText | undefined {
  return isHidingExit(node, known) ? { line: lineOf(node), text: known.source.of(node) } : undefined
}
