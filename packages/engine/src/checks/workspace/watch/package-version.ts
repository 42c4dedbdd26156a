import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface InstalledPackage {
  readonly name: string
  readonly version: string
}

/**
 * The package that a folder of it or one of its programs belongs to. Undefined: it does not say what it is.
 * @param path relative to the work folder
 */
export function installedPackage(workFolder: string, path: string): InstalledPackage | undefined {
  const file = join(workFolder, path)
  try {
    if (path.includes('site-packages'))
      return packageNoted(file) ?? pythonPackage(dirname(file), basename(file))
    if (/\.?venv\/bin\//.test(path)) return ofPythonProgram(file)
    return nodePackage(/\/\.bin\/[^/]+$/.test(path) ? ofProgram(file) : file)
  } catch {
    // What cannot be read is no update.
    return undefined
  }
}

/** Where a program leads to: by a link, by a path in a starting script, or else by its own name. */
function ofProgram(file: string): string {
  const modules = dirname(dirname(file))
  const real = realpathSync(file)
  const inPackage = packageFolder.exec(real)?.[0]
  if (inPackage !== undefined && !inPackage.endsWith('.bin')) return inPackage
  const named = /node_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)\//.exec(readFileSync(real, 'utf8'))?.[1]
  return join(modules, named ?? basename(file))
}

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

function nodePackage(folder: string): InstalledPackage | undefined {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1]
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (name === undefined || typeof manifest !== 'object' || manifest === null) return undefined
  return 'version' in manifest && typeof manifest.version === 'string'
    ? { name, version: manifest.version }
    : undefined
}

function ofPythonProgram(file: string): InstalledPackage | undefined {
  const libraries = join(dirname(dirname(file)), 'lib')
  return readdirSync(libraries)
    .map((version) => pythonPackage(join(libraries, version, 'site-packages'), basename(file)))
    .find((found) => found !== undefined)
}

const notes = /^(.+)-([^-]+)\.dist-info$/

/** A file in the folder in which the installer says what it installed. */
function packageNoted(file: string): InstalledPackage | undefined {
  const [, name = '', version] = notes.exec(basename(dirname(file))) ?? []
  return version === undefined ? undefined : { name, version }
}

/** By the folder in which the installer says what it installed: its name, or the files that it lists. */
function pythonPackage(library: string, module: string): InstalledPackage | undefined {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[-_.]+/g, '_')
      .replaceAll(/^_|(?<=^pip)[\d_]+$/g, '')
  const all = readdirSync(library).flatMap((entry) => {
    const [, name = '', version] = notes.exec(entry) ?? []
    return version === undefined ? [] : [{ entry, name, version }]
  })
  const found =
    all.find(({ name }) => plain(name) === plain(module)) ??
    all.find(({ entry }) => listsModule(join(library, entry, 'RECORD'), module))
  return found && { name: found.name, version: found.version }
}

function listsModule(record: string, module: string): boolean {
  if (!existsSync(record)) return false
  const lines = readFileSync(record, 'utf8').split('\n')
  return lines.some((line) => line.startsWith(`${module}/`) || line.startsWith(`${module},`))
}
