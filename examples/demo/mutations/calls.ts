/** Mutators of calls: a method's twin, and arguments in the wrong order. */
import ts from 'typescript'
import { replaceNode, type Mutator } from './edit.ts'

const mathTwins: ReadonlyMap<string, readonly string[]> = new Map([
  ['min', ['max']],
  ['max', ['min']],
  ['floor', ['ceil', 'round']],
  ['ceil', ['floor', 'round']],
  ['round', ['floor', 'ceil']],
  ['trunc', ['round', 'ceil']],
])

const methodTwins: ReadonlyMap<string, readonly string[]> = new Map([
  ...bothWays('startsWith', 'endsWith'),
  ...bothWays('trimStart', 'trimEnd'),
  ...bothWays('padStart', 'padEnd'),
  ...bothWays('indexOf', 'lastIndexOf'),
  ...bothWays('toLowerCase', 'toUpperCase'),
  ...bothWays('push', 'unshift'),
  ...bothWays('pop', 'shift'),
  ...bothWays('some', 'every'),
  ...bothWays('find', 'findLast'),
  ...bothWays('findIndex', 'findLastIndex'),
  ...bothWays('reduce', 'reduceRight'),
  ...bothWays('replace', 'replaceAll'),
  ...bothWays('keys', 'values'),
  ...bothWays('getDate', 'getDay'),
  ...bothWays('getUTCDate', 'getUTCDay'),
])

function bothWays(one: string, other: string): readonly (readonly [string, readonly string[]])[] {
  return [
    [one, [other]],
    [other, [one]],
  ]
}

/** `Math.min` for `Math.max`, `startsWith` for `endsWith`, and their like. */
export const swapCallTwin: Mutator = (node, source) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  const isMath = ts.isIdentifier(expression) && expression.text === 'Math'
  const twins = (isMath ? mathTwins : methodTwins).get(name.text) ?? []
  return twins.map((after) => replaceNode('call twin', name, source, after))
}

/** Two neighbouring arguments in the other order. */
export const swapArguments: Mutator = (node, source) => {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return []
  const all = [...(node.arguments ?? [])]
  return all.flatMap((one, index) => {
    const other = all[index + 1]
    if (other === undefined || one.getText(source) === other.getText(source)) return []
    const start = one.getStart(source)
    const between = source.text.slice(one.getEnd(), other.getStart(source))
    const after = `${other.getText(source)}${between}${one.getText(source)}`
    return [{ kind: 'order' as const, start, end: other.getEnd(), after }]
  })
}
