/** What the packages show: their subpaths and front doors. */
import ts from 'typescript'
import { z } from 'zod'
import { isSource, lineOf, pathsOf, type Gate, type Problem, type Project } from './project.ts'
import { doorOf, packageNames, roomOf, singleFiles, type PackageName } from './rooms.ts'

export const manifestOf = (name: PackageName) => `packages/${name}/package.json`

const targets = z.strictObject({ 'donecheck-source': z.string(), types: z.string(), default: z.string() })
const manifest = z.object({ exports: z.record(z.string(), z.union([z.string(), targets])) })

/** Every room of a library is a subpath with its name, and every subpath is one. The command has a front door alone. */
export const exportsMap: Gate<'exports-map'> = {
  name: 'exports-map',
  find: (project) => packageNames.flatMap((name) => manifestProblems(project, name)),
}

function manifestProblems(project: Project, name: PackageName): readonly Problem[] {
  const where = manifestOf(name)
  const text = project.files.get(where)
  const sources = sourcesOf(project, name)
  if (text === undefined) return sources.size === 0 ? [] : [{ where, message: 'is missing' }]
  const parsed = manifest.safeParse(JSON.parse(text))
  if (!parsed.success)
    return [{ where, message: 'exports is not a map of {donecheck-source, types, default}' }]
  const subpaths = Object.fromEntries(
    Object.entries(parsed.data.exports).filter(([subpath]) => !subpath.endsWith('.json')),
  )
  const wrong = [...new Set([...Object.keys(subpaths), ...sources.keys()])].filter(
    (subpath) => JSON.stringify(subpaths[subpath]) !== JSON.stringify(targetOf(name, sources.get(subpath))),
  )
  return wrong.map((subpath) => ({
    where,
    message: `${subpath} leads to ${JSON.stringify(subpaths[subpath])}, its room is ${sources.get(subpath) ?? 'not there'}`,
  }))
}

/** Subpath → source file. */
function sourcesOf(project: Project, name: PackageName): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of pathsOf(project, isSource)) {
    const room = roomOf(path)
    const isOwn =
      room !== undefined && (room === name || room.startsWith(`${name}/`)) && path === doorOf(room)
    if (isOwn && (room === name || name !== 'donecheck')) found.set(`.${room.slice(name.length)}`, path)
  }
  for (const [single, file] of Object.entries(singleFiles)) {
    const path = `packages/${name}/src/${file}.ts`
    if (single.startsWith(`${name}/`) && project.files.has(path))
      found.set(`.${single.slice(name.length)}`, path)
  }
  return found
}

function targetOf(name: PackageName, source: string | undefined): object | undefined {
  if (source === undefined) return undefined
  const file = source.slice(`packages/${name}/src/`.length).replace(/\.ts$/, '')
  return {
    'donecheck-source': `./src/${file}.ts`,
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  }
}

export const frontDoorPaths = ['packages/engine/src/index.ts', 'packages/donecheck/src/index.ts']
export const maxFrontDoorNames = 40

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
