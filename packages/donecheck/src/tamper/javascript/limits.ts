/** Limits that a file sets for all of its tests by other ways than a call of their own. */
import type { FileFacts } from '../facts.ts'
import { chainOf } from './chain.ts'
import { constantOf, type Known } from './constant.ts'
import { asCall, lineOf, type ObjectExpression, type SyntaxNode } from './syntax.ts'

type Limit = FileFacts['limits'][number]

const names: ReadonlyMap<string, string> = new Map([
  ['testTimeout', 'timeoutMs'],
  ['timeout', 'timeoutMs'],
  ['hookTimeout', 'hookTimeoutMs'],
  ['retry', 'retries'],
  ['retries', 'retries'],
  ['DEFAULT_TIMEOUT_INTERVAL', 'timeoutMs'],
])

function ofObject(object: ObjectExpression, known: Known): Limit[] {
  return object.properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return []
    const name = names.get(property.key.name)
    const value = constantOf(property.value, known)?.value
    return name !== undefined && typeof value === 'number' ? [{ name, value, line: lineOf(property) }] : []
  })
}

/** `vi.setConfig({…})`, `test.describe.configure({…})`, `test.use({…})`, `configure({…})` */
function ofCall(node: SyntaxNode, known: Known): Limit[] {
  const call = asCall(node)
  const [argument] = call?.arguments ?? []
  if (call === undefined || argument?.type !== 'ObjectExpression') return []
  const last = chainOf(call, known).links.at(-1)
  return last?.name !== undefined && /^(setConfig|configure|use|setup)$/.test(last.name)
    ? ofObject(argument, known)
    : []
}

/** `jasmine.DEFAULT_TIMEOUT_INTERVAL = 60_000` */
function ofAssignment(node: SyntaxNode, known: Known): Limit[] {
  if (node.type !== 'AssignmentExpression') return []
  const value = constantOf(node.right, known)?.value
  const isDefault = known.source.of(node.left) === 'jasmine.DEFAULT_TIMEOUT_INTERVAL'
  return isDefault && typeof value === 'number' ? [{ name: 'timeoutMs', value, line: lineOf(node) }] : []
}

export function limitsAt(node: SyntaxNode, known: Known): readonly Limit[] {
  return [...ofCall(node, known), ...ofAssignment(node, known)]
}
