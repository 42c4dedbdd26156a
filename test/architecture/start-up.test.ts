/** What a small command does not wait for: no module of it is reached by imports that are followed at once. */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageOf, resolveImport } from './imports.ts'
import { at } from './planted/planted.ts'
import { projectOf, type Project } from './project.ts'
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
const facts = ['core/decide', 'core/events']

describe('what is loaded at once', () => {
  it.each([
    ['engine/gate/index.ts', [...facts, 'engine/tamper']],
    ['donecheck/cli/output/wrap.ts', [...facts, 'engine/display', 'zod']],
    [
      'donecheck/cli/commands/policy/policy.ts',
      [...facts, 'engine/display', 'engine/tamper', 'donecheck/config'],
    ],
    ...(['record/show.ts', 'record/insights.ts', 'check/approvals.ts'] as const).map(
      (file): [string, readonly string[]] => [
        `donecheck/cli/commands/${file}`,
        ['engine/tamper', 'engine/compose', 'engine/workspace', '@earendil-works/pi-tui'],
      ],
    ),
    ['donecheck/terminal/index.ts', ['engine/tamper', 'engine/compose', '@earendil-works/pi-tui']],
    ['donecheck/cli/commands/patch.ts', [...facts, 'engine/display', 'engine/gate', 'engine/tamper']],
    [
      'donecheck/cli/program.ts',
      [...facts, 'engine/display', 'engine/gate', 'engine/tamper', 'donecheck/config', 'engine/patch', 'zod'],
    ],
  ])('with %s is none of %j', (entry, heavy) => {
    const loaded = loadedWith(tree, at(entry))
    expect(heavy.filter((name) => loaded.has(name))).toEqual([])
  })

  it('is followed through files and doors, and not through types and what is loaded late', () => {
    const files = {
      [at('engine/gate/index.ts')]:
        "export { a } from './a.ts'\nexport type { T } from '@donecheck/core/internal/events'\n",
      [at('engine/gate/a.ts')]:
        "import { z } from 'zod'\nimport type { B } from '@donecheck/core/internal/decide'\nimport '../../analysis/patch/index.ts'\nexport const a = () => import('../../analysis/tamper/index.ts')\n",
      ...Object.fromEntries(
        [...facts, 'engine/patch', 'engine/tamper'].map((room) => [at(`${room}/index.ts`), 'void 0\n']),
      ),
    }
    const loaded = loadedWith(projectOf(new Map(Object.entries(files))), at('engine/gate/index.ts'))
    expect([...loaded].toSorted()).toEqual(['engine/gate', 'engine/patch', 'zod'])
  })
})

describe('zod', () => {
  it('takes its settings from where the command lays them before it is loaded', () => {
    expect(z.config()).toBe(Reflect.get(globalThis, '__zod_globalConfig'))
  })
})
