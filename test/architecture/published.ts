/** What the package shows: its subpaths, its front door, its adapters. */
import ts from 'typescript'
import { z } from 'zod'
import {
  isSource,
  isTest,
  lineOf,
  pathsOf,
  sourceRoot,
  type Gate,
  type Problem,
  type Project,
} from './project.ts'
import { isDoor, privateRooms, roomOf } from './rooms.ts'

export const manifestPath = 'packages/donecheck/package.json'

const targets = z.strictObject({ types: z.string(), default: z.string() })
const manifest = z.object({ exports: z.record(z.string(), z.union([z.string(), targets])) })

/** Every subpath is a room with the same name; every room with an index is a subpath, or listed as private. */
export const exportsMap: Gate<'exports-map'> = {
  name: 'exports-map',
  find(project) {
    const parsed = manifest.safeParse(JSON.parse(project.files.get(manifestPath) ?? '{}'))
    if (!parsed.success) return [{ where: manifestPath, message: 'exports is not a map of {types, default}' }]
    const subpaths = Object.keys(parsed.data.exports).filter((subpath) => subpath !== './package.json')
    return [
      ...subpaths.flatMap((subpath) => subpathProblems(project, subpath, parsed.data.exports[subpath])),
      ...roomProblems(project, subpaths),
    ]
  },
}

function subpathProblems(project: Project, subpath: string, target: unknown): readonly Problem[] {
  const room = subpath === '.' ? 'index' : subpath.slice(2)
  const name = project.files.has(`${sourceRoot}${room}.ts`) ? room : `${room}/index`
  const expected = { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` }
  const problems: Problem[] = []
  const actual = targets.safeParse(target).data
  if (actual?.types !== expected.types || actual.default !== expected.default)
    problems.push({
      where: manifestPath,
      message: `${subpath} does not lead to ${expected.default} and its types`,
    })
  if (!project.files.has(`${sourceRoot}${name}.ts`))
    problems.push({ where: manifestPath, message: `${subpath} has no source ${sourceRoot}${name}.ts` })
  return problems
}

function roomProblems(project: Project, subpaths: readonly string[]): readonly Problem[] {
  const withIndex = pathsOf(project, (path) => isSource(path) && isDoor(path) && path.endsWith('/index.ts'))
  const indexed = new Set(withIndex.map(roomOf).filter((room) => room !== undefined && room !== 'index'))
  return [...indexed].flatMap((room) => {
    const isPublic = subpaths.includes(`./${room}`)
    const isPrivate = privateRooms.some((entry) => entry.room === room)
    if (isPublic === isPrivate) {
      const message = isPublic
        ? 'is a subpath and listed as private'
        : 'is neither a subpath nor listed as private'
      return [{ where: `${sourceRoot}${room}`, message: `the room ${room} ${message}` }]
    }
    return []
  })
}

export const frontDoorPath = `${sourceRoot}index.ts`
export const maxFrontDoorNames = 60

/** Named exports from other files, in groups, each with a caption above it. */
export const frontDoor: Gate<'front-door'> = {
  name: 'front-door',
  find(project) {
    if (!project.files.has(frontDoorPath)) return []
    const tree = project.treeOf(frontDoorPath)
    const names = tree.statements.flatMap(namesOf)
    const tooMany: Problem[] =
      names.length > maxFrontDoorNames
        ? [{ where: frontDoorPath, message: `${names.length} names, ${maxFrontDoorNames} are allowed` }]
        : []
    return [...tooMany, ...tree.statements.flatMap((statement) => statementProblems(statement, tree))]
  },
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (!ts.isExportDeclaration(statement)) return []
  const clause = statement.exportClause
  return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
}

function statementProblems(statement: ts.Statement, tree: ts.SourceFile): readonly Problem[] {
  const place = { where: frontDoorPath, line: lineOf(statement) }
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined)
    return [{ ...place, message: 'the front door only exports what other files declare' }]
  const lead = tree.text.slice(statement.pos, statement.getStart(tree))
  const beginsGroup = statement === tree.statements[0] || /\n[ \t]*\n/.test(lead)
  const hasCaption = /\/\/ \S|\/\*\* \S/.test(lead.split(/\n[ \t]*\n/).at(-1) ?? '')
  return beginsGroup && !hasCaption ? [{ ...place, message: 'this group of exports has no caption' }] : []
}

const adaptersRoot = `${sourceRoot}adapters/`

/**
 * Every adapter is built from the same parts: `index.ts`, its translation (`translate.ts`, or several `translate-….ts`), the way
 * in (`drive.ts`, `hooks.ts`, `ride.ts`: at least one), and `fixtures/`.
 */
export const adapters: Gate<'adapters'> = {
  name: 'adapters',
  find(project) {
    const files = [...project.paths].filter((path) => path.startsWith(adaptersRoot))
    const folders = new Set(
      files.map((path) => path.slice(adaptersRoot.length).split('/')).flatMap(folderName),
    )
    return [...folders]
      .filter((folder) => !ownFaces.includes(folder))
      .toSorted()
      .flatMap((folder) => {
        const where = `${adaptersRoot}${folder}`
        const names = files
          .filter((path) => path.startsWith(`${where}/`))
          .map((path) => path.slice(where.length + 1))
        return missingParts(names).map((part) => ({ where, message: `${part} is missing` }))
      })
  },
}

const waysIn = ['drive.ts', 'hooks.ts', 'ride.ts']

/** What stands among the adapters and translates nothing. */
const ownFaces: readonly string[] = ['mcp']

function folderName([folder, ...rest]: readonly string[]): readonly string[] {
  return folder === undefined || rest.length === 0 ? [] : [folder]
}

function missingParts(names: readonly string[]): readonly string[] {
  const missing = names.includes('index.ts') ? [] : ['index.ts']
  if (!names.some((name) => /^translate(?:-[\w-]+)?\.ts$/.test(name) && !isTest(name)))
    missing.push('translate.ts')
  if (!waysIn.some((name) => names.includes(name))) missing.push(waysIn.join(' or '))
  if (!names.some((name) => name.startsWith('fixtures/') && !isTest(name))) missing.push('fixtures/')
  return missing
}
