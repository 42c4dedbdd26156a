/** Which files of a project a repair may touch: its sources, never its tests, its settings or what it has installed. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly name: string
  /** As it was before anything was tried. */
  readonly bytes: Buffer
  readonly text: string
}

const sourceName = /\.[cm]?[jt]sx?$/
const otherName = /((^|[._-])(tests?|specs?)|\.(config|setup|bench|d))\.[cm]?[jt]sx?$|^test-/i
const otherFolders = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'dist', 'build', 'out', 'coverage'],
  ...['test', 'tests', '__tests__', '__mocks__', 'spec', 'specs', 'e2e', 'fixtures', 'bench', 'benchmarks'],
])

/** Sources below a folder, in the order of their names. Links are not followed, so nothing outside is ever written. */
export async function sourceNames(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = path.posix.join(below, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && !otherFolders.has(entry.name)) found.push(...(await sourceNames(folder, name)))
    if (entry.isFile() && isSource(entry.name)) found.push(name)
  }
  return found
}

export function isSource(fileName: string): boolean {
  return sourceName.test(fileName) && !otherName.test(fileName)
}

/** Undefined for a file that is not UTF-8: it could not be written back as it was. */
export async function readSource(folder: string, name: string): Promise<SourceFile | undefined> {
  const bytes = await readFile(path.join(folder, name))
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? { name, bytes, text } : undefined
}
