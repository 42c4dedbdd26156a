import { dirname, relative } from 'node:path'
import { findFirst, type ProjectFiles } from '../detected.ts'
import { projectFiles } from '../project-files.ts'

export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Why it is this one. */
  readonly why: string
  /** The line that runs a script of package.json. */
  script(name: string): string
  /** The line that runs an installed program; nothing is downloaded for it. */
  run(line: string): string
}

const locks: readonly (readonly [PackageManager['name'], string])[] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock'],
  ['bun', 'bun.lockb'],
  ['npm', 'package-lock.json'],
  ['npm', 'npm-shrinkwrap.json'],
]

/** By the field `packageManager`, else by the lock file, here or further up in the same repository, else npm. */
export async function packageManager(
  files: ProjectFiles,
  field: string | undefined,
): Promise<PackageManager> {
  const [, named] = /^(npm|pnpm|yarn|bun)(?:@|$)/.exec(field ?? '') ?? []
  const byField = locks.find(([name]) => name === named)?.[0]
  if (byField !== undefined) return managerOf(byField, `packageManager says ${byField}`)
  const lock = await nearestLock(files)
  return lock === undefined
    ? managerOf('npm', 'no lock file: npm')
    : managerOf(lock.name, `${lock.name} by ${lock.path}`)
}

interface Lock {
  readonly name: PackageManager['name']
  readonly path: string
}

const maxLevels = 6

async function nearestLock(files: ProjectFiles): Promise<Lock | undefined> {
  let { folder } = files
  for (let level = 0; level < maxLevels; level += 1) {
    const here = projectFiles(folder)
    const lock = await findFirst(
      here,
      locks.map(([, file]) => file),
    )
    const name = locks.find(([, file]) => file === lock)?.[0]
    if (lock !== undefined && name !== undefined)
      return { name, path: relative(files.folder, `${folder}/${lock}`) }
    // Beyond the repository it is another project's.
    if ((await here.has('.git')) || dirname(folder) === folder) return undefined
    folder = dirname(folder)
  }
  return undefined
}

function managerOf(name: PackageManager['name'], why: string): PackageManager {
  const runners = { npm: 'npx --no-install', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx --no-install' }
  return {
    name,
    why,
    script: (script) => (script === 'test' && name !== 'bun' ? `${name} test` : `${name} run ${script}`),
    run: (line) => `${runners[name]} ${line}`,
  }
}
