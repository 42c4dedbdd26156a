/** Imports go down, enter rooms by the door, and never run in a circle. */
import { arrowsOf, importsOf, packageOf, type Arrow } from './imports.ts'
import { isCode, isSource, isTest, pathsOf, type Gate, type Problem } from './project.ts'
import { contractFolders, doorOf, entryOf, isContract, isDoor, roomOf, testingRooms } from './rooms.ts'

/** Down only; rooms on one level do not import each other, unless the table says so. */
export const direction: Gate<'direction'> = {
  name: 'direction',
  find: (project) => [
    ...pathsOf(project, isSource).flatMap(strangerProblem),
    ...arrowsOf(project).flatMap((arrow) => {
      const message = directionComplaint(arrow)
      return message === undefined ? [] : [{ where: arrow.from, line: arrow.line, message }]
    }),
  ],
}

function strangerProblem(where: string): readonly Problem[] {
  const room = roomOf(where)
  if (room === undefined || entryOf(room) !== undefined) return []
  return [{ where, message: `${room} is not in the table of rooms: give it a level` }]
}

function directionComplaint({ from, to }: Arrow): string | undefined {
  const [importer, imported] = [roomOf(from), roomOf(to)]
  if (importer === undefined || importer === imported) return undefined
  if (imported === undefined) return `${to} stands outside the package`
  const [here, there] = [entryOf(importer), entryOf(imported)]
  if (here === undefined || there === undefined) return undefined
  if (there.level < here.level) return undefined
  if (here.neighbours?.includes(imported) === true) return undefined
  const way = there.level > here.level ? 'up' : 'sideways'
  return `${importer} (level ${here.level}) imports ${way} from ${imported} (level ${there.level})`
}

/** Another room is imported through its index alone, by tests too; a room's own files do not go through it. */
export const doors: Gate<'doors'> = {
  name: 'doors',
  find: (project) =>
    arrowsOf(project, isCode).flatMap(({ from, to, line }) => {
      const [importer, imported] = [roomOf(from), roomOf(to)]
      if (imported === undefined) return []
      if (importer !== imported && !isDoor(to) && !isContract(to))
        return [{ where: from, line, message: `${to} is reached past the door of ${imported}` }]
      if (importer === imported && to === doorOf(imported) && !isTest(from))
        return [
          { where: from, line, message: `${imported} goes through its own door; import the file itself` },
        ]
      return []
    }),
}

function isTestKit(path: string): boolean {
  return testingRooms.includes(roomOf(path) ?? '')
}

const testLibraries = ['vitest', 'fast-check', '@fast-check/vitest']

/** The test kit is for tests: no source imports it, and only contract suites and tests import test libraries. */
export const testing: Gate<'testing'> = {
  name: 'testing',
  find: (project) => [
    ...arrowsOf(project)
      .filter(({ from, to }) => isTestKit(to) && !isTestKit(from))
      .map(({ from, line }) => ({ where: from, line, message: 'only tests and examples import testing/' })),
    ...pathsOf(
      project,
      (path) => isSource(path) && !contractFolders.some((it) => path.startsWith(it)),
    ).flatMap((where) =>
      importsOf(project.treeOf(where))
        .filter(({ specifier }) => testLibraries.includes(packageOf(specifier) ?? ''))
        .map(({ specifier, line }) => ({
          where,
          line,
          message: `${specifier} is for tests and testing/contracts`,
        })),
    ),
  ],
}
