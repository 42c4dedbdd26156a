/** State cached with a record; a snapshot of another shape is never used. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import { snapshotOf, snapshotText, type Snapshot } from './session-context.ts'

/** Any text works, because a snapshot's fields are not validated. */
const snapshot = { state: { task: 'mend it' }, memory: { waits: 2 } } as unknown as Snapshot
const text = snapshotText(snapshot)
const versionOf = (snapshotted: string) => snapshotted.split('\n')[0] ?? ''

describe('given what was remembered', () => {
  it('reads it as it was', () => expect(snapshotOf(text)).toEqual(snapshot))

  it.each([
    ['of another version', text.replace(versionOf(text), `${versionOf(text)}0`)],
    ['changed', text.replace('mend it', 'lend it')],
    ['cut off', text.slice(0, -1)],
    ['empty', ''],
  ])('reads nothing where it is %s', (_, damaged) => expect(snapshotOf(damaged)).toBeUndefined())
})

/** The shape as the types have it: names, what may be missing, and kinds of values. Other words of a union are no other shape. */
function shapeOf(file: string, name: string): string {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const program = ts.createProgram([path], {
    ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, lib: ['lib.esnext.d.ts'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, types: [] },
    ...{ customConditions: ['donecheck-source'] },
  })
  const checker = program.getTypeChecker()
  const found = program
    .getSourceFile(path)
    ?.statements.find((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name)
  if (found === undefined) throw new TypeError(`${file} has no ${name}`)
  return shown(checker.getTypeAtLocation(found), checker, [])
}

function shown(type: ts.Type, checker: ts.TypeChecker, above: readonly ts.Type[]): string {
  const inner = (part: ts.Type) => shown(part, checker, [...above, type])
  const ring = above.indexOf(type)
  if (ring !== -1) return `^${above.length - ring}`
  if (type.isUnion()) return [...new Set(type.types.map(inner))].toSorted().join('|')
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return `[${checker
      .getTypeArguments(type as ts.TypeReference)
      .map(inner)
      .join()}]`
  const widened = checker.getBaseTypeOfLiteralType(type)
  if ((widened.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0)
    return checker.typeToString(widened)
  const properties = checker.getPropertiesOfType(type).map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    return `${property.name}${isOptional ? '?' : ''}:${inner(checker.getTypeOfSymbol(property))}`
  })
  const indexed = checker.getIndexInfosOfType(type).map((index) => `[]:${inner(index.type)}`)
  return `{${[...properties.toSorted(), ...indexed].join()}}`
}

describe('given the types of the state and of the memory', () => {
  it('has another version for another shape: where this fails, count it up in snapshot.ts, and write both down here', () => {
    const shape = `${shapeOf('../../../../core/src/state/state.ts', 'RunState')}${shapeOf('./session-context.ts', 'SessionMemory')}`
    expect(shape).toContain('blockedStops:number')
    expect(shape).not.toMatch(/:(?:any|unknown)\b/)
    const digest = createHash('sha256').update(shape).digest('hex').slice(0, 16)
    expect({ version: versionOf(text), digest }).toEqual({
      version: `${donecheckVersion} 29`,
      digest: 'ee4a8d5080a49fee',
    })
  })
})
