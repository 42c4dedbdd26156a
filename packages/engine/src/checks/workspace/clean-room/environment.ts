/** Environment of a check in a clean room: its own HOME, and programs from before the first turn. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { namesIn } from '../../../system/trees/index.ts'
import { renameFolder } from './folders.ts'

type Environment = Readonly<Record<string, string>>

export const startOfHome = z.strictObject({
  /** Programs of each PATH folder that the user may write, by stamp. */
  programs: z.record(z.string(), z.record(z.string(), z.string())),
  /** Hidden plain files of HOME, such as `.gitconfig`: base64. */
  settings: z.record(z.string(), z.string()),
})
export type StartOfHome = z.output<typeof startOfHome>

const maxSettingBytes = 64 * 1024
/** Tool settings below the top of HOME. */
const deeperSettings = [
  '.config/git/config',
  '.config/git/ignore',
  '.config/pip/pip.conf',
  '.cargo/config.toml',
]

/** @param environment inherited by checks */
export function readStartOfHome(environment: Environment): StartOfHome {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  // The agent could create a missing one, so it is remembered as empty.
  const programs = folders.filter(isWritable).map((folder) => [folder, listPrograms(folder)] as const)
  const home = environment['HOME']
  return { programs: Object.fromEntries(programs), settings: home === undefined ? {} : readSettings(home) }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats === undefined || stats.uid === process.getuid?.()
  }
}

/** Detects that a program, or its link target, was written or replaced. */
function listPrograms(folder: string): Record<string, string> {
  return Object.fromEntries(namesIn(folder).map((name) => [name, describeProgram(join(folder, name))]))
}

function describeProgram(path: string): string {
  const looks = [lstatSync, statSync].map((look) => {
    try {
      const stats = look(path, { throwIfNoEntry: false })
      return stats === undefined
        ? 'gone'
        : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, stats.mode].join(' ')
    } catch {
      return 'unreadable'
    }
  })
  return looks.join(' → ')
}

function readSettings(home: string): Record<string, string> {
  const hidden = namesIn(home).filter((name) => name.startsWith('.') && !name.includes('history'))
  const settings = [...hidden, ...deeperSettings].flatMap((name) => {
    try {
      const stats = statSync(join(home, name))
      if (!stats.isFile() || stats.size > maxSettingBytes) return []
      return [[name, readFileSync(join(home, name)).toString('base64')] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(settings)
}

/** Programs installed into HOME, by variable: without it they look in HOME. */
const installations: Readonly<Record<string, string>> = {
  ASDF_DATA_DIR: '.asdf',
  BUN_INSTALL: '.bun',
  COREPACK_HOME: '.cache/node/corepack',
  CYPRESS_CACHE_FOLDER: '.cache/Cypress',
  DOTNET_ROOT: '.dotnet',
  MISE_DATA_DIR: '.local/share/mise',
  NVM_DIR: '.nvm',
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
  PUPPETEER_CACHE_DIR: '.cache/puppeteer',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  RUSTUP_HOME: '.rustup',
  SDKMAN_DIR: '.sdkman',
  VOLTA_HOME: '.volta',
}

const ofCaches =
  /(?:^|_)CACHE(?:_|$)|^(?:XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME|XDG_RUNTIME_DIR|GOMODCACHE|GOPATH|CARGO_HOME|GRADLE_USER_HOME|PYTHONUSERBASE|PYTHONPYCACHEPREFIX|npm_config_userconfig)$/iu

interface RoomEnvironment {
  readonly start: StartOfHome
  /** Variables that checks inherit. */
  readonly environment: Environment
  readonly workFolder: string
  readonly roomFolder: string
  readonly root: string
}

/** Prepares HOME (caches only) and an empty TMPDIR; PATH omits programs changed since the start. */
export function prepareEnvironment({
  start,
  environment,
  workFolder,
  roomFolder,
  root,
}: RoomEnvironment): Record<string, string> {
  const [home, temporary] = [join(root, 'home'), join(root, 'tmp')]
  prepareHome(home, start)
  empty(temporary, keptInTemporary)
  const own = new Map<string, string>()
  for (const [name, value] of Object.entries(environment))
    if (!ofCaches.test(name) || name in installations)
      own.set(name, renameFolder(value, workFolder, roomFolder))
  const path = (environment['PATH'] ?? '')
    .split(delimiter)
    .map((folder, index) => folderOfPrograms(folder, join(root, 'programs', String(index)), start))
    .map((folder) => renameFolder(folder, workFolder, roomFolder))
  const usersHome = environment['HOME']
  if (usersHome !== undefined)
    for (const [name, value] of toolPlaces(usersHome, environment)) own.set(name, value)
  own.set('HOME', home)
  own.set('TMPDIR', temporary)
  own.set('PATH', path.join(delimiter))
  for (const name of ['TMP', 'TEMP', 'OLDPWD', 'INIT_CWD']) own.delete(name)
  if (own.has('PWD')) own.set('PWD', roomFolder)
  return Object.fromEntries(own)
}

/** HOME keeps downloads, but tools read settings and start programs from these. */
const settingsBesideDownloads = new Set(['bin', 'init.d'])

const keptInHome = [
  '.cache',
  '.npm',
  '.yarn',
  '.cargo',
  'go',
  '.m2',
  '.gradle',
  '.bundle',
  '.gem',
  '.nuget',
  '.ivy2',
]
/** Caches of Jest, and of Node, which npm and most runners keep their compiled modules in. */
const keptInTemporary = /^(?:jest_|node-compile-cache$)/u

function prepareHome(home: string, { settings }: StartOfHome): void {
  empty(
    home,
    new RegExp(`^(?:${keptInHome.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})$`, 'u'),
  )
  for (const kept of namesIn(home)) removeSettings(join(home, kept))
  for (const [name, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    rmSync(join(home, name), { force: true })
    writeFileSync(join(home, name), Buffer.from(content, 'base64'), { mode: 0o600 })
  }
}

/** Plain files at the top of a download folder, such as `.cargo/config.toml`, are settings. */
function removeSettings(folder: string): void {
  for (const name of namesIn(folder)) {
    const isFolder = lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true
    if (!isFolder || settingsBesideDownloads.has(name))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function empty(folder: string, kept: RegExp): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  for (const name of namesIn(folder))
    if (!kept.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Sets unset variables to places in the user's HOME that tools verify, or programs. */
function toolPlaces(home: string, environment: Environment): readonly (readonly [string, string])[] {
  const programs = Object.entries(installations)
    .filter(([name, folder]) => environment[name] === undefined && existsSync(join(home, folder)))
    .map(([name, folder]) => [name, join(home, folder)] as const)
  const modules = environment['GOMODCACHE'] ?? join(environment['GOPATH'] ?? join(home, 'go'), 'pkg', 'mod')
  const downloads = join(modules, 'cache', 'download')
  // Downloads from there are checked against the project's sums.
  const proxies = existsSync(downloads) ? [`file://${downloads}`] : []
  const goProxy = [...proxies, environment['GOPROXY'] ?? 'direct'].join(',')
  return proxies.length === 0 ? programs : [...programs, ['GOPROXY', goProxy]]
}

/** Returns the folder if unchanged, else links to its unchanged programs. */
function folderOfPrograms(folder: string, ofLinks: string, { programs }: StartOfHome): string {
  const before = programs[folder]
  rmSync(ofLinks, { recursive: true, force: true })
  if (before === undefined) return folder
  const now = listPrograms(folder)
  const names = Object.keys(now)
  const same = names.filter((name) => now[name] === before[name])
  if (same.length === names.length) return folder
  mkdirSync(ofLinks, { recursive: true })
  for (const name of same) symlinkSync(join(realPathOf(folder), name), join(ofLinks, name))
  return ofLinks
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
