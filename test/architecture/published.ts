/** What the packages show: their subpaths and front doors. */
import ts from 'typescript'
import { z } from 'zod'
import { isSource, lineOf, pathsOf, type Gate, type Problem, type Project } from './project.ts'
import { doorOf, packageNames, publicSubpaths, roomOf, singleFiles, type PackageName } from './rooms.ts'

export const manifestOf = (name: PackageName) => `packages/${name}/package.json`

const targets = z.strictObject({ 'donecheck-source': z.string(), types: z.string(), default: z.string() })
const manifest = z.object({ exports: z.record(z.string(), z.union([z.string(), targets])) })

/** Users get a few subpaths; every other door stands behind `internal/`. The command has a front door alone. */
export const exportsMap: Gate<'exports-map'> = {
  name: 'exports-map',
  find: (project) => packageNames.flatMap((name) => manifestProblems(project, name)),
}

function manifestProblems(project: Project, name: PackageName): readonly Problem[] {
  const where = manifestOf(name)
  const text = project.files.get(where)
  const hasSources = pathsOf(project, isSource).some((path) => path.startsWith(`packages/${name}/src/`))
  if (text === undefined) return hasSources ? [{ where, message: 'is missing' }] : []
  const parsed = manifest.safeParse(JSON.parse(text))
  if (!parsed.success)
    return [{ where, message: 'exports is not a map of {donecheck-source, types, default}' }]
  const subpaths = Object.fromEntries(
    Object.entries(parsed.data.exports).filter(([subpath]) => !subpath.endsWith('.json')),
  )
  const wanted = new Map(doorsOf(project, name))
  const wrong = [...new Set([...Object.keys(subpaths), ...wanted.keys()])].filter(
    (subpath) => JSON.stringify(subpaths[subpath]) !== JSON.stringify(targetOf(wanted.get(subpath))),
  )
  return wrong.map((subpath) => ({
    where,
    message: `${subpath} leads to ${JSON.stringify(subpaths[subpath])}, its door is ${wanted.get(subpath) ?? 'not there'}`,
  }))
}

/** Subpath → source file below `src`, without the ending. */
function doorsOf(project: Project, name: PackageName): readonly (readonly [string, string])[] {
  const source = `packages/${name}/src/`
  const ofUsers = publicSubpaths[name].flatMap((subpath) => {
    const door = doorOf(subpath === '.' ? name : `${name}${subpath.slice(1)}`)
    const file = door.slice(source.length).replace(/\.ts$/, '')
    return project.files.has(door) ? [[subpath, file] as const] : []
  })
  const isOfUsers = (path: string) => ofUsers.some(([, file]) => path === `${source}${file}.ts`)
  const hasMore = pathsOf(project, isSource).some(
    (path) => path.startsWith(source) && path === doorOf(roomOf(path) ?? '') && !isOfUsers(path),
  )
  if (name === 'donecheck' || !hasMore) return ofUsers
  const singles = (singleFiles[name] ?? [])
    .filter((file) => !file.endsWith('/index') && project.files.has(`${source}${file}.ts`))
    .map((file) => file.replace(/^ports\/.*/, 'ports/*'))
  return [
    ...ofUsers,
    ...singles.map((file) => [`./internal/${file}`, file] as const),
    ['./internal/*', '*/index'],
  ]
}

function targetOf(file: string | undefined): object | undefined {
  if (file === undefined) return undefined
  return {
    'donecheck-source': `./src/${file}.ts`,
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  }
}

export const frontDoorPaths = [
  'packages/core/src/index.ts',
  'packages/engine/src/index.ts',
  'packages/donecheck/src/index.ts',
]
export const maxFrontDoorNames = 46

/** Named exports from other files, in groups, each with a caption above it. */
export const frontDoor: Gate<'front-door'> = {
  name: 'front-door',
  find: (project) =>
    frontDoorPaths.filter((path) => project.files.has(path)).flatMap((path) => doorProblems(project, path)),
}

function doorProblems(project: Project, where: string): readonly Problem[] {
  const tree = project.treeOf(where)
  const names = tree.statements.flatMap(namesOf)
  const tooMany: Problem[] =
    names.length > maxFrontDoorNames
      ? [{ where, message: `${names.length} names, ${maxFrontDoorNames} are allowed` }]
      : []
  return [...tooMany, ...tree.statements.flatMap((statement) => statementProblems(statement, tree, where))]
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (!ts.isExportDeclaration(statement)) return []
  const clause = statement.exportClause
  return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
}

function statementProblems(statement: ts.Statement, tree: ts.SourceFile, where: string): readonly Problem[] {
  const place = { where, line: lineOf(statement) }
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined)
    return [{ ...place, message: 'the front door only exports what other files declare' }]
  const lead = tree.text.slice(statement.pos, statement.getStart(tree))
  const beginsGroup = statement === tree.statements[0] || /\n[ \t]*\n/.test(lead)
  const hasCaption = /\/\/ \S|\/\*\* \S/.test(lead.split(/\n[ \t]*\n/).at(-1) ?? '')
  return beginsGroup && !hasCaption ? [{ ...place, message: 'this group of exports has no caption' }] : []
}
