/** A repository of our own over the objects of the project's, which converts contents as the project's would. */
import { mkdirSync, readFileSync, writeFileSync, appendFileSync, existsSync } from 'node:fs'
import { isAbsolute, join, resolve, relative, sep } from 'node:path'
import { given } from '../../../base/index.ts'
import { runGit, type GitOptions, type Place } from '../../process/index.ts'
import { SnapshotError, bytePathOfText, type BytePath } from '../paths.ts'

export interface ProjectRepository {
  readonly place: Place
  /** By lower-case name; of a setting that is given more than once, the last value. */
  readonly settings: ReadonlyMap<string, string>
  readonly objects: string
  readonly objectFormat: string
  readonly isShallow: boolean
  /** Reads a repository file such as `info/attributes`. */
  readonly file: (name: ProjectFile) => string
  /** Folders with content of LFS files. */
  readonly largeFiles: readonly string[]
}

const projectFiles = ['info/attributes', 'info/sparse-checkout', 'shallow', 'modules'] as const
type ProjectFile = (typeof projectFiles)[number]

const askedSettings =
  '^(core\\.(autocrlf|eol|attributesfile|sparsecheckout|sparsecheckoutcone)|filter\\..*\\.(smudge|process)|lfs\\.storage|remote\\..*\\.promisor)$'

/** None of these runs a program. */
const sharedSettings = ['autocrlf', 'eol', 'attributesfile', 'sparsecheckout', 'sparsecheckoutcone'] as const

/** @throws {SnapshotError} with git's message @throws the signal's reason */
export async function readProjectRepository(place: Place, signal: AbortSignal): Promise<ProjectRepository> {
  const paths = [...projectFiles, 'objects'].flatMap((name) => ['--git-path', name])
  const words = ['rev-parse', '--path-format=absolute', ...paths, '--git-common-dir', '--show-object-format']
  const [{ exitCode, stdout, problem }, listed] = await Promise.all([
    runGit(place, words, signal),
    runGit(place, ['config', '-z', '--get-regexp', askedSettings], signal),
  ])
  if (exitCode !== 0) throw new SnapshotError(`git does not read the repository ${place.root}: ${problem}`)
  const lines = stdout.toString().trimEnd().split('\n')
  const [objects = '', common = '', objectFormat = 'sha1'] = lines.slice(projectFiles.length)
  const settings = new Map(listed.stdout.toString().split('\0').map(parseSetting))
  const file = (name: ProjectFile) => lines[projectFiles.indexOf(name)] ?? ''
  const isShallow = existsSync(file('shallow'))
  const largeFiles = [
    resolve(common, settings.get('lfs.storage') ?? 'lfs'),
    ...readAlternates(objects).map((folder) => join(folder, '../lfs')),
  ]
  return { place, settings, objects, objectFormat, isShallow, file, largeFiles }
}

/** A setting without a value is on. */
function parseSetting(line: string): readonly [string, string] {
  const lineEnd = line.indexOf('\n')
  return lineEnd === -1 ? [line, 'true'] : [line.slice(0, lineEnd), line.slice(lineEnd + 1)]
}

function readAlternates(objects: string): readonly string[] {
  const file = join(objects, 'info/alternates')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line) => (isAbsolute(line) ? line : join(objects, line)))
}

export function isSparse({ settings }: ProjectRepository): boolean {
  return ['true', 'yes', 'on', '1'].includes(settings.get('core.sparsecheckout')?.toLowerCase() ?? '')
}

/** Ignores settings of user and machine. */
const bareSettings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

const core = '\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'
const configurations = {
  sha1: `[core]\n\trepositoryformatversion = 0\n${core}`,
  sha256: `[core]\n\trepositoryformatversion = 1\n${core}[extensions]\n\tobjectformat = sha256\n`,
} as const

export class OwnRepository {
  readonly project: ProjectRepository
  readonly root: string
  readonly #signal: AbortSignal

  private constructor(project: ProjectRepository, root: string, signal: AbortSignal) {
    this.project = project
    this.root = root
    this.#signal = signal
  }

  /** Creates a repository without commits, hooks, filters or remotes. */
  static create(project: ProjectRepository, root: string, signal: AbortSignal): OwnRepository {
    const own = new OwnRepository(project, root, signal)
    for (const folder of ['info', 'objects/info', 'refs'])
      mkdirSync(join(own.gitFolder, folder), { recursive: true })
    own.write('HEAD', 'ref: refs/heads/main\n')
    own.write('config', configurations[project.objectFormat === 'sha256' ? 'sha256' : 'sha1'])
    own.write('objects/info/alternates', `${project.objects}\n`)
    for (const name of ['info/attributes', 'info/sparse-checkout', 'shallow'] as const)
      if (existsSync(project.file(name))) own.write(name, readFileSync(project.file(name)))
    for (const name of sharedSettings) {
      const value = project.settings.get(`core.${name}`)
      if (value !== undefined)
        appendFileSync(join(own.gitFolder, 'config'), `[core]\n\t${name} = ${JSON.stringify(value)}\n`)
    }
    return own
  }

  get gitFolder(): string {
    return join(this.root, '.git')
  }

  write(name: string, content: string | Buffer): void {
    writeFileSync(join(this.gitFolder, name), content)
  }

  /** @throws {SnapshotError} with git's message */
  async ask(words: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    const place = { folder: this.root, root: this.root, gitFolder: this.gitFolder }
    const environment = { ...bareSettings, ...options.environment }
    const within = { ...given({ stdin: options.stdin }), environment }
    const { exitCode, stdout, problem } = await runGit(place, words, this.#signal, within)
    if (exitCode === 0) return stdout
    throw new SnapshotError(`git ${words[0] ?? ''} failed in the copy of the work tree: ${problem}`)
  }

  /** Paths with one character for each byte. */
  async list(words: readonly string[], options: GitOptions = {}): Promise<readonly string[]> {
    return (await this.ask(words, options)).toString('latin1').split('\0').filter(Boolean)
  }

  /** Marks missing index files as neither changed nor deleted. */
  async skip(paths: readonly string[]): Promise<void> {
    if (paths.length > 0)
      await this.ask(['update-index', '-z', '--skip-worktree', '--stdin'], { stdin: joinPaths(paths) })
  }
}

export function joinPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}

/** Copies commits, branches and tags, at the given or current commit. Empty if git cannot read them. */
export async function makeRepository(
  place: Place,
  root: string,
  commit: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const [project, references] = await Promise.all([
    readProjectRepository(place, signal).catch(undefinedIfRefused),
    listReferences(place, signal),
  ])
  if (project === undefined) {
    const own = { folder: root, root, gitFolder: join(root, '.git') }
    await runGit(own, ['init', '--quiet', '--template='], signal)
    return
  }
  const repository = OwnRepository.create(project, root, signal)
  const ofWorkFolder = async () => references.branch ?? (await findDetachedHead(place, signal))
  const head = commit === undefined ? await ofWorkFolder() : { commit, text: `${commit}\n` }
  if (head === undefined) return
  repository.write('packed-refs', references.packed)
  repository.write('HEAD', head.text)
  await repository.ask(['read-tree', head.commit])
  await leaveOutside(repository, signal)
}

interface Head {
  readonly commit: string
  readonly text: string
}

/** @returns undefined without a commit */
async function findDetachedHead(place: Place, signal: AbortSignal): Promise<Head | undefined> {
  const { exitCode, stdout } = await runGit(
    place,
    ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'],
    signal,
  )
  const commit = stdout.toString().trim()
  return exitCode === 0 ? { commit, text: `${commit}\n` } : undefined
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof SnapshotError)) throw error
}

interface References {
  /** Branches and tags, as the file `packed-refs` has them. */
  readonly packed: string
  /** Checked-out branch; undefined if none, or without commits. */
  readonly branch: Head | undefined
}

export async function listReferences(place: Place, signal: AbortSignal): Promise<References> {
  const { stdout } = await runGit(place, ['for-each-ref', '--format=%(HEAD)%(objectname) %(refname)'], signal)
  const lines = stdout.toString().split('\n').filter(Boolean)
  const packed = ['# pack-refs with:', ...lines.map((line) => line.slice(1)), ''].join('\n')
  const [commit = '', name = ''] =
    lines
      .find((line) => line.startsWith('*'))
      ?.slice(1)
      .split(' ') ?? []
  return { packed, branch: commit === '' ? undefined : { commit, text: `ref: ${name}\n` } }
}

/** Files outside the folder or sparse checkout must not look deleted. */
async function leaveOutside(repository: OwnRepository, signal: AbortSignal): Promise<void> {
  const { project } = repository
  const prefix = prefixOf(project.place)
  const sparse = isSparse(project) ? await listSkipped(project.place, signal) : new Set()
  if (prefix === '' && sparse.size === 0) return
  const paths = await repository.list(['ls-files', '-z'])
  await repository.skip(paths.filter((path) => !path.startsWith(prefix) || sparse.has(path)))
}

/** Files outside the sparse checkout, relative to the root. */
async function listSkipped(place: Place, signal: AbortSignal): Promise<ReadonlySet<BytePath>> {
  const { stdout } = await runGit(place, ['ls-files', '-z', '-t', '--full-name'], signal)
  const lines = stdout.toString('latin1').split('\0')
  return new Set(lines.flatMap((line) => (line.startsWith('S ') ? line.slice(2) : [])))
}

/** Path of the folder in its repository, with a trailing `/`; empty for the root. */
export function prefixOf({ root, folder }: Place): BytePath {
  const prefix = relative(root, folder).split(sep).join('/')
  return prefix === '' ? '' : bytePathOfText(`${prefix}/`)
}
