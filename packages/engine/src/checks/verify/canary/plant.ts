import { randomBytes, randomInt } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { conventionOf } from '../../../analysis/protect/index.ts'
import { makeScratchFolder, removeScratchFolder } from '../../../system/process/index.ts'
import { javascriptTests, type PlantedText } from './javascript.ts'
import { falsifyFile } from './falsify/file.ts'
import type { Shift } from './falsify/words.ts'
import type { FalsifiedTest } from './judge-falsified.ts'
import { goTests, phpTests, rubyTests, rustTests } from './other-languages.ts'
import { withPythonTests } from './python.ts'
import { breakGoPackage, breakScript } from './broken-script.ts'

export interface PlantedFile {
  /** The test file of the project, relative to the folder. */
  readonly path: string
  readonly mark: string
}

export interface Planted {
  /** Stands in the name of every planted test of this run. */
  readonly mark: string
  readonly files: readonly PlantedFile[]
  /** Tests that run a false comparison, if they are run. */
  readonly certain: readonly FalsifiedTest[]
  /** What the planted tests wrote so far. Empty where they wrote nothing. */
  readTrace(): Promise<string>
  /** Puts every file back as it was, with its times. @returns those that the run has written over */
  remove(): Promise<readonly string[]>
}

/** More test files than these are not planted in: the first ones stand for all. */
const maxFiles = 2_000
const maxFileBytes = 1024 * 1024
const maxFolders = 20_000

const shift: Shift = () => randomInt(1, 10)

/**
 * Plants tests of ours in the test files of a laid tree, named at random.
 * @param started files that the check's line starts itself, relative to the folder
 * @param isFalsified whether the comparisons of a test file are given other values as well. Default: none are
 */
export async function plantTests(
  folder: string,
  started: ReadonlySet<string>,
  isFalsified: (path: string) => boolean = () => false,
): Promise<Planted> {
  const mark = `w${randomBytes(5).toString('hex')}`
  const home = makeScratchFolder('run')
  const trace = join(home, mark)
  const files: PlantedFile[] = []
  const certain: FalsifiedTest[] = []
  const changes = new Changes(folder)
  for (const [index, path] of (await testFilesIn(folder, started)).entries()) {
    const text = await textIn(folder, path)
    const changed = text !== undefined && isFalsified(path) ? falsifyFile(path, text, shift) : undefined
    // Where no test must turn red, copies of the comparisons say more.
    const other = changed !== undefined && changed.certain.length > 0 ? changed : undefined
    const planted = { mark: `${mark}x${index}`, trace, shift, compares: other === undefined }
    const place = text === undefined ? undefined : placeOf(path, other?.text ?? text, planted)
    if (place === undefined) continue
    await changes.write(place.path, place.text)
    if (other !== undefined && place.path !== path) await changes.write(path, other.text)
    files.push({ path, mark: planted.mark })
    certain.push(...(other?.certain ?? []).map(({ title }) => ({ title, path })))
  }
  return {
    mark,
    files,
    certain,
    readTrace: () => readFile(trace, 'utf8').catch(() => ''),
    async remove() {
      const writtenOver = await changes.undo()
      removeScratchFolder(home)
      return writtenOver
    },
  }
}

interface Broken {
  /** Empty: none could be broken. */
  readonly paths: readonly string[]
  undo(): Promise<unknown>
}

/** Breaks these check files: each ends with an error right after what it imports. */
export async function endFiles(folder: string, paths: readonly string[]): Promise<Broken> {
  return breakFiles(folder, paths, endedPlace)
}

interface Falsified extends Broken {
  /** Tests that must be red now. */
  readonly certain: readonly FalsifiedTest[]
}

/** Gives the comparisons of these check files other values. */
export async function falsifyFiles(folder: string, paths: readonly string[]): Promise<Falsified> {
  const certain: FalsifiedTest[] = []
  const broken = await breakFiles(folder, paths, (path, text) => {
    const other = falsifyFile(path, text, shift)
    certain.push(...(other?.certain ?? []).map(({ title }) => ({ title, path })))
    return other === undefined ? undefined : { path, text: other.text }
  })
  return { ...broken, certain }
}

async function breakFiles(
  folder: string,
  paths: readonly string[],
  breakText: (path: string, text: string) => Place | undefined,
): Promise<Broken> {
  const changes = new Changes(folder)
  const broken: string[] = []
  for (const path of paths.slice(0, maxFiles)) {
    const text = await textIn(folder, path)
    const place = text === undefined ? undefined : breakText(path, text)
    if (place === undefined) continue
    await changes.write(place.path, place.text)
    broken.push(path)
  }
  return { paths: broken, undo: () => changes.undo() }
}

function endedPlace(path: string, text: string): Place | undefined {
  if (path.endsWith('_test.go')) {
    const broken = breakGoPackage(text)
    const name = `zz_w${randomBytes(5).toString('hex')}_test.go`
    return broken === undefined ? undefined : { path: posix.join(dirname(path), name), text: broken }
  }
  const other = breakScript(path, text)
  return other === undefined ? undefined : { path, text: other }
}

/** The test files of a tree, by name and by what they load, and scripts that the check's line starts. */
async function testFilesIn(folder: string, started: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = ['']
  let entered = 0
  for (let at = waiting.pop(); at !== undefined && entered < maxFolders; at = waiting.pop()) {
    entered++
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = posix.join(at, entry.name)
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !notEntered.has(entry.name)) waiting.push(path)
      } else if (entry.isFile() && (await isTestFile(folder, path, started))) found.push(path)
    }
  }
  return found.sort().slice(0, maxFiles)
}

const notEntered = new Set(['node_modules', 'venv', 'vendor', 'target', '__pycache__'])
const loadsRunner =
  /['"](?:node:test|vitest|ava|@jest\/globals|mocha)['"]|^\s*(?:describe|it|test)\s*\(|^\s*(?:import|from)\s+(?:unittest|pytest)\b|^def test_/mu

async function isTestFile(folder: string, path: string, started: ReadonlySet<string>): Promise<boolean> {
  if (started.has(path)) return true
  const convention = conventionOf(path)
  if (/\.test-d\.[cm]?tsx?$|\.d\.[cm]?ts$/u.test(path)) return false
  if (convention === 'test') return true
  const mayBe = convention === 'test-helper' || convention === 'check-script'
  if (!mayBe || !/\.(?:[cm]?[jt]sx?|py)$/u.test(path)) return false
  return loadsRunner.test((await textIn(folder, path)) ?? '')
}

async function textIn(folder: string, path: string): Promise<string | undefined> {
  try {
    const file = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await file.stat()
      const text = size > maxFileBytes ? undefined : await file.readFile('utf8')
      return text?.includes('\uFFFD') === true ? undefined : text
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

interface Place {
  readonly path: string
  readonly text: string
}

/** The file as it is with planted tests, or a file of their own beside it. Undefined: a language of which we know no runner. */
function placeOf(path: string, text: string, planted: PlantedText): Place | undefined {
  const added = (more: string): Place => ({
    path,
    text: text.endsWith('\n') ? text + more : `${text}\n${more}`,
  })
  if (/\.[cm]?[jt]sx?$/u.test(path)) return added(javascriptTests(path, text, planted))
  if (path.endsWith('.py')) return { path, text: withPythonTests(text, planted) }
  if (path.endsWith('_spec.rb')) return added(rubyTests(planted))
  if (/(?:^|\/)tests\/[^/]+\.rs$/u.test(path)) return added(rustTests(planted))
  if (path.endsWith('_test.go')) {
    const own = goTests(text, planted)
    return own === undefined
      ? undefined
      : { path: posix.join(dirname(path), `zz_${planted.mark}_test.go`), text: own }
  }
  if (path.endsWith('Test.php')) {
    const name = `Zz${planted.mark}Test`
    return { path: posix.join(dirname(path), `${name}.php`), text: phpTests(planted, name) }
  }
  return undefined
}

interface Earlier {
  readonly path: string
  readonly written: string
  /** Null: it was not there. */
  readonly content: Buffer | null
  readonly atime: Date
  readonly mtime: Date
}

/** Changes of files that are taken back, the last one first. */
class Changes {
  readonly #folder: string
  readonly #earlier: Earlier[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(path: string, text: string): Promise<void> {
    const place = join(this.#folder, path)
    this.#earlier.push({ ...(await this.#read(path, place)), written: text })
    await writeFile(place, text)
  }

  async #read(path: string, place: string): Promise<Omit<Earlier, 'written'>> {
    const file = await open(place, 'r').catch(() => undefined)
    if (file === undefined) return { path, content: null, atime: new Date(0), mtime: new Date(0) }
    try {
      const { atime, mtime } = await file.stat()
      return { path, content: await file.readFile(), atime, mtime }
    } finally {
      await file.close()
    }
  }

  /** @returns paths at which something else stands than was written */
  async undo(): Promise<readonly string[]> {
    const others: string[] = []
    for (const { path, written, content, atime, mtime } of this.#earlier.reverse()) {
      const place = join(this.#folder, path)
      if ((await readFile(place, 'utf8').catch(() => undefined)) !== written) others.push(path)
      if (content === null) await rm(place, { force: true })
      else {
        await writeFile(place, content)
        await utimes(place, atime, mtime)
      }
    }
    this.#earlier.length = 0
    return others
  }
}
