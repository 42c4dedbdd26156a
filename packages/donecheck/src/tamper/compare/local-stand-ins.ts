/** A test that brings its own version of what it tests, in the place of what it imported. */
import type { TamperFinding } from '../finding.ts'
import type { ComparedFile } from './compared-file.ts'
import { calledIn, defines, namesOf } from './words.ts'

const imports =
  /^\s*(?:import\b[^;]*?\bfrom\s*['"][^'"]+['"]|from\s+[\w.]+\s+import\s+[^\n]+|(?:const|let|var)\s+[^=]+=\s*(?:await\s+)?(?:require|import)\([^)]*\))/gmu

export function localStandIns(file: ComparedFile): readonly TamperFinding[] {
  if (file.before === null || file.after === null || !file.isRun) return []
  const imported = importedBy(file.beforeText)
  const used = new Set(file.before.tests.flatMap(({ body }) => [...calledIn(body)]))
  const now = importedBy(file.afterText)
  return [...imported].flatMap((name): readonly TamperFinding[] => {
    if (!used.has(name) || defines(file.beforeText.replaceAll(imports, ''), name)) return []
    if (!defines(file.afterText.replaceAll(imports, ''), name) || now.has(name)) return []
    const message = `${name} was imported and is made by the test itself now`
    return [{ rule: 'test.self-mocked', path: file.path, line: lineOf(file.afterText, name), message }]
  })
}

/** The tests took a name from the code, and take it from what belongs to the tests now. */
export function movedImports(file: ComparedFile): readonly TamperFinding[] {
  if (file.before === null || file.after === null || !file.isRun) return []
  const then = modulesOf(file.path, file.beforeText)
  const used = new Set(file.before.tests.flatMap(({ body }) => [...calledIn(body)]))
  return [...modulesOf(file.path, file.afterText)].flatMap(([name, module]): readonly TamperFinding[] => {
    const earlier = then.get(name)
    if (earlier === undefined || earlier === module || !used.has(name)) return []
    if (ofTests.test(earlier) || !ofTests.test(module)) return []
    const message = `${name} came from ${earlier} and comes from ${module} now, which belongs to the tests`
    return [{ rule: 'test.self-mocked', path: file.path, line: lineOfText(file.afterText, name), message }]
  })
}

const ofTests =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|mocks?|stubs?|fakes?|fixtures|testing|testdata)(?:\/|$)/iu

/** Imported names, and the path of their module from the root of the tree. */
function modulesOf(path: string, text: string): ReadonlyMap<string, string> {
  const folder = path.split('/').slice(0, -1)
  return new Map(
    [...text.matchAll(imports)].flatMap(([all]) => {
      const quoted = /['"]([^'"]+)['"]/u.exec(all)?.[1]
      const dotted = /^\s*from\s+([\w.]+)\s+import/u.exec(all)?.[1]
      const module =
        quoted === undefined
          ? (dotted ?? '').replaceAll('.', '/')
          : quoted.startsWith('.')
            ? resolved(folder, quoted)
            : ''
      return module === ''
        ? []
        : [...namesOf(all.replaceAll(/['"][^'"]*['"]/gu, ''))].map((name) => [name, module] as const)
    }),
  )
}

function resolved(folder: readonly string[], relative: string): string {
  return relative
    .split('/')
    .reduce<readonly string[]>(
      (so, part) => (part === '.' ? so : part === '..' ? so.slice(0, -1) : [...so, part]),
      folder,
    )
    .join('/')
}

function lineOfText(text: string, name: string): number {
  return (
    Math.max(
      0,
      text.split('\n').findIndex((row) => namesOf(row).has(name)),
    ) + 1
  )
}

function importedBy(text: string): ReadonlySet<string> {
  const lines = [...text.matchAll(imports)].map(([all]) => all.replaceAll(/['"][^'"]*['"]/gu, ''))
  return new Set(lines.flatMap((line) => [...namesOf(line)]))
}

function lineOf(text: string, name: string): number {
  const rows = text.split('\n')
  return (
    Math.max(
      0,
      rows.findIndex((row) => defines(row, name)),
    ) + 1
  )
}
