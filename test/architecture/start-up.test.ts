/** What a small command does not wait for: no module of it is reached by imports that are followed at once. */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { packageOf, resolveImport } from './imports.ts'
import { projectOf, sourceRoot, type Project } from './project.ts'
import { readTree } from './read-tree.ts'
import { roomOf } from './rooms.ts'

/** Rooms and packages that are loaded with a file: what is imported late, or only as a type, is not. */
function loadedWith(project: Project, entry: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const found = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    found.add(roomOf(file) ?? file)
    for (const specifier of project.treeOf(file).statements.flatMap(loadedBy)) {
      const next = resolveImport(project, file, specifier)
      if (next === undefined) found.add(packageOf(specifier) ?? specifier)
      else open.push(next)
    }
  }
  return found
}

function loadedBy(statement: ts.Statement): readonly string[] {
  const isLoading =
    (ts.isImportDeclaration(statement) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) ||
    (ts.isExportDeclaration(statement) && !statement.isTypeOnly)
  const specifier = isLoading ? statement.moduleSpecifier : undefined
  return specifier !== undefined && ts.isStringLiteralLike(specifier) ? [specifier.text] : []
}

const tree = readTree()

describe('what is loaded at once', () => {
  it.each([
    ['gate/index.ts', ['core', 'events', 'tamper', 'zod', '@babel/parser']],
    ['cli/hook/start.ts', ['core', 'events', 'store', 'ride', 'gate', 'shell', 'agents', 'adapters']],
    ['cli/output/painted-lines.ts', ['core', 'events', 'report', 'zod']],
    ['cli/commands/policy.ts', ['core', 'events', 'report', 'tamper', 'config', 'zod']],
    ['cli/commands/patch.ts', ['core', 'events', 'report', 'gate', 'tamper']],
    ['cli/program.ts', ['core', 'events', 'report', 'gate', 'tamper', 'config', 'patch', 'zod']],
  ])('with %s is none of %j', (entry, heavy) => {
    const loaded = loadedWith(tree, `${sourceRoot}${entry}`)
    expect(heavy.filter((name) => loaded.has(name))).toEqual([])
  })

  it('is followed through files and doors, and not through types and what is loaded late', () => {
    const files = {
      [`${sourceRoot}gate/index.ts`]:
        "export { a } from './a.ts'\nexport type { T } from '../events/index.ts'\n",
      [`${sourceRoot}gate/a.ts`]:
        "import { z } from 'zod'\nimport type { B } from '../core/index.ts'\nimport '../patch/index.ts'\nexport const a = () => import('../tamper/index.ts')\n",
      ...Object.fromEntries(
        ['events', 'core', 'patch', 'tamper'].map((room) => [`${sourceRoot}${room}/index.ts`, 'void 0\n']),
      ),
    }
    const loaded = loadedWith(projectOf(new Map(Object.entries(files))), `${sourceRoot}gate/index.ts`)
    expect([...loaded].toSorted()).toEqual(['gate', 'patch', 'zod'])
  })
})
