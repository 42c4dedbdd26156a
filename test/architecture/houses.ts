/** What keeps the house one that can be seen: few entries on a level, narrow doors, and no house that grows unnoticed. */
import ts from 'typescript'
import { isSource, pathsOf, type Gate, type Problem, type Project } from './project.ts'
import { budgetLines, houseOf, isDoor } from './rooms.ts'
import { linesIn } from './sizes.ts'
import { exportedStatements } from './table.ts'

export const maxEntries = 12

/** Folders and files that stand beside each other in a package and in a house, the index apart. */
export const entries: Gate<'entries'> = {
  name: 'entries',
  find(project) {
    const below = new Map<string, Set<string>>()
    for (const path of pathsOf(project, isSource)) {
      const [, folder, entry] = /^(packages\/[^/]+\/src)\/([^/]+)/.exec(path) ?? []
      if (folder === undefined || entry === undefined) continue
      note(below, folder, entry)
      const [, inner] = /^packages\/[^/]+\/src\/[^/]+\/([^/]+)\/./.exec(path) ?? []
      if (inner !== undefined && houseOf(path) === `${folder}/${entry}`)
        note(below, `${folder}/${entry}`, inner)
    }
    return [...below].flatMap(([where, names]): readonly Problem[] =>
      names.size > maxEntries
        ? [{ where, message: `${names.size} entries stand here, ${maxEntries} are allowed` }]
        : [],
    )
  },
}

function note(below: Map<string, Set<string>>, folder: string, entry: string): void {
  if (entry === 'index.ts') return
  below.set(folder, (below.get(folder) ?? new Set()).add(entry))
}

export const maxDoorNames = 40

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
