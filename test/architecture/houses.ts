/** What keeps the house one that can be seen: few entries on a level, narrow doors, and no house that grows unnoticed. */
import ts from 'typescript'
import { isCode, isPublished, isSource, pathsOf, type Gate, type Problem, type Project } from './project.ts'
import { budgetLines, houseOf, isDoor, longerLists } from './rooms.ts'
import { linesIn } from './sizes.ts'
import { exportedStatements } from './table.ts'

/** In a package and in a house. */
export const maxEntries = 12

/** On a level inside a room; lists of like things are in the table of rooms. */
export const maxInnerEntries = 16

/** Folders and files that stand beside each other; a test counts with its source, the index and fixtures do not. */
export const entries: Gate<'entries'> = {
  name: 'entries',
  find(project) {
    const below = new Map<string, Set<string>>()
    for (const path of pathsOf(project, (path) => isPublished(path) && isCode(path))) {
      const parts = path.replace(/(?:\.deep)?\.test\.ts$/, '.ts').split('/')
      for (let depth = levelOfSources; depth < parts.length; depth += 1)
        note(below, parts.slice(0, depth).join('/'), parts[depth] ?? '')
    }
    return [...below].flatMap(([where, names]): readonly Problem[] => {
      const allowed = longerLists[where] ?? (isHouse(where) ? maxEntries : maxInnerEntries)
      return names.size > allowed
        ? [{ where, message: `${names.size} entries stand here, ${allowed} are allowed` }]
        : []
    })
  },
}

/** `packages/core/src` has three parts. */
const levelOfSources = 3

function isHouse(folder: string): boolean {
  return folder.split('/').length === levelOfSources || Object.hasOwn(budgetLines, folder)
}

function note(below: Map<string, Set<string>>, folder: string, entry: string): void {
  if (['index.ts', 'fixtures'].includes(entry)) return
  below.set(folder, (below.get(folder) ?? new Set()).add(entry))
}

export const maxDoorNames = 46

/** Names that an index gives away, or a file that is a door by itself. */
export const doorWidth: Gate<'door-width'> = {
  name: 'door-width',
  find: (project) =>
    pathsOf(project, (path) => isSource(path) && isDoor(path)).flatMap((where) => {
      const count = namesGivenBy(project, where)
      return count > maxDoorNames ? [{ where, message: `${count} names, ${maxDoorNames} are allowed` }] : []
    }),
}

function namesGivenBy(project: Project, path: string): number {
  const tree = project.treeOf(path)
  const counts = tree.statements.filter(ts.isExportDeclaration).map(({ exportClause: clause }) => {
    return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.length : 0
  })
  return counts.reduce((total, count) => total + count, exportedStatements(tree).length)
}

/** Lines of source in a house, tests apart. */
export const budget: Gate<'budget'> = {
  name: 'budget',
  find(project) {
    const lines = new Map<string, number>()
    for (const path of pathsOf(project, isSource)) {
      const house = houseOf(path)
      lines.set(house, (lines.get(house) ?? 0) + linesIn(project.files.get(path) ?? ''))
    }
    return [...lines].flatMap(([where, count]): readonly Problem[] => {
      const allowed = budgetLines[where]
      return allowed !== undefined && count > allowed
        ? [{ where, message: `${count} lines, ${allowed} are allowed` }]
        : []
    })
  },
}
