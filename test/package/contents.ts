/** What the published package must hold, what it may hold, and what it may need. */
import { isBuiltin } from 'node:module'
import { z } from 'zod'
import { addresses } from '../architecture/addresses.ts'
import { importsOf, packageOf } from '../architecture/imports.ts'
import { projectOf, type FileMap, type Problem, type Project } from '../architecture/project.ts'

export const manifestPath = 'package.json'

const manifest = z.object({
  name: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string(), default: z.string() })])),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
})
type Manifest = z.infer<typeof manifest>

/** @param files the packed files, as npm lists them, with their texts */
export function packageProblems(files: FileMap): readonly Problem[] {
  const project = projectOf(files)
  const described = manifest.parse(JSON.parse(files.get(manifestPath) ?? '{}'))
  return [
    ...missingFiles(described, files),
    ...strangeFiles(files),
    ...missingDependencies(described, project),
    ...unusedDependencies(described, project),
    ...addresses.find(project),
  ]
}

function missingFiles(described: Manifest, files: FileMap): readonly Problem[] {
  const targets = Object.values(described.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : [target.types, target.default],
  )
  const promised = [...Object.values(described.bin), ...targets].map((target) => target.replace(/^\.\//, ''))
  const bundled = described.name === 'donecheck' ? bundles : []
  return [...new Set(['README.md', 'LICENSE', ...bundled, ...promised])]
    .filter((where) => !isThere(where, files))
    .map((where) => ({ where, message: 'is promised and not there; was the package built?' }))
}

/** @param where a path, or a pattern of them with one star */
function isThere(where: string, files: FileMap): boolean {
  const [start = '', end] = where.split('*')
  if (end === undefined) return files.has(where)
  return [...files.keys()].some((path) => path.startsWith(start) && path.endsWith(end))
}

/** What the command runs where it is there: without them it would still run, and as slowly as its single files. */
const bundles = ['dist/hook/main.cjs', 'dist/program/cli/main.js', 'dist/program/cli/help.json']

const expected =
  /^(?:README\.md|LICENSE|(?:bin\/)?package\.json|bin\/[\w-]+\.js|dist\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts)|dist\/hook\/[\w-]+\.cjs|dist\/(?:hook|program\/cli)\/LICENSES\.txt|dist\/program\/cli\/help\.json|dist\/config\.schema\.json|dist\/donecheck\.1|dist\/cli\/(?:reasons\/systems|commands\/check\/judge-cases)\.json|dist\/page\/(?:[\w.-]+\/)*[\w-][\w.-]*)$/

/** Neither tests nor fixtures, sources nor notes of the compiler. */
function strangeFiles(files: FileMap): readonly Problem[] {
  return [...files.keys()]
    .filter((where) => !expected.test(where))
    .map((where) => ({ where, message: 'has no business in the package' }))
}

interface Need {
  readonly where: string
  readonly line: number
  readonly name: string
}

/** Packages that the packed code imports, types counted; itself and Node apart. */
function needsOf(described: Manifest, project: Project): readonly Need[] {
  return [...project.files.keys()]
    .filter((where) => /\.(?:js|d\.ts)$/.test(where))
    .flatMap((where) =>
      importsOf(project.treeOf(where)).flatMap(({ specifier, line }) => {
        const name = packageOf(specifier)
        const isOwn = name === undefined || isBuiltin(name) || name === described.name
        return isOwn ? [] : [{ where, line, name }]
      }),
    )
}

function missingDependencies(described: Manifest, project: Project): readonly Problem[] {
  const known = new Set([...Object.keys(described.dependencies), ...Object.keys(described.peerDependencies)])
  return needsOf(described, project)
    .filter(({ name }) => !known.has(name))
    .map(({ where, line, name }) => ({ where, line, message: `${name} is imported and not a dependency` }))
}

/** Peers are left out: which of them is loaded is chosen at run time. */
function unusedDependencies(described: Manifest, project: Project): readonly Problem[] {
  const needed = new Set(needsOf(described, project).map(({ name }) => name))
  return Object.keys(described.dependencies)
    .filter((name) => !needed.has(name))
    .map((name) => ({ where: manifestPath, message: `${name} is a dependency and never imported` }))
}
