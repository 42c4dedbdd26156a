import { dirname, relative } from 'node:path'
import { z } from 'zod'
import { jsonOf } from '../../../../base/index.ts'
import {
  candidatesOf,
  projectFiles,
  scriptsAmong,
  type Check,
  type Detection,
  type ProjectFiles,
} from './project-files.ts'

const manifest = z.looseObject({
  scripts: z.record(z.string(), z.string().catch('')).optional(),
  packageManager: z.string().optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
})

export async function detectNode(files: ProjectFiles): Promise<Detection> {
  const text = await files.text('package.json')
  if (text === undefined) return { candidates: [] }
  const read = manifest.safeParse(jsonOf(text)).data
  const manager = await findManager(files, read?.packageManager)
  // The placeholder of `npm init`.
  const isReal = (body: string) => body.trim() !== '' && !body.includes('no test specified')
  const scripts = new Map(Object.entries(read?.scripts ?? {}).filter(([, body]) => isReal(body)))
  const own = scriptsAmong(
    scripts,
    (name) => `${manager.name} ${name === 'test' && manager.name !== 'bun' ? name : `run ${name}`}`,
    (name) => `package.json has the script "${name}" (${manager.why})`,
  )
  const installed = { ...read?.dependencies, ...read?.devDependencies }
  const tools = nodeTools.map(([check, name, args, config]): Check => {
    const named = (name === 'biome' ? '@biomejs/biome' : name) in installed ? name : undefined
    return [check, `${runners[manager.name]} ${name}${args}`, { config, named }]
  })
  const tsconfig = await files.text('tsconfig.json')
  const args = /"references"\s*:/.test(tsconfig ?? '') ? '--build' : '--noEmit -p tsconfig.json'
  const tsc: Check = ['typecheck', `${runners[manager.name]} tsc ${args}`, { config: ['tsconfig.json'] }]
  const testFile = await findNodeTest(files)
  const nodeTest: Check = ['tests', 'node --test', { config: testFile === undefined ? [] : [testFile] }]
  return {
    candidates: [...own, ...(await candidatesOf(files, [...tools, tsc, nodeTest], 'package.json', ''))],
    problems: read === undefined ? ['package.json cannot be read: it is no JSON with scripts'] : [],
  }
}

const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json']
const configsOf = (name: string) => endings.map((ending) => `${name}.${ending}`)
const eslintConfigs = [...configsOf('eslint.config'), ...configsOf('.eslintrc'), '.eslintrc', '.eslintrc.yml']

const nodeTools: readonly (readonly [Check[0], name: string, args: string, configs: readonly string[]])[] = [
  ['tests', 'vitest', ' run', configsOf('vitest.config')],
  ['tests', 'jest', '', configsOf('jest.config')],
  ['tests', 'mocha', '', ['.mocharc.json', '.mocharc.yml', ...configsOf('.mocharc')]],
  ['tests', 'ava', '', configsOf('ava.config')],
  ['lint', 'eslint', ' .', eslintConfigs],
  ['lint', 'biome', ' lint .', ['biome.json', 'biome.jsonc']],
  ['lint', 'oxlint', '', ['.oxlintrc.json']],
  ['typecheck', 'vue-tsc', ' --noEmit', []],
  ['typecheck', 'svelte-check', '', []],
]

async function findNodeTest(files: ProjectFiles): Promise<string | undefined> {
  for (const folder of ['.', 'test', 'tests', 'src', 'lib'])
    for (const name of await files.names(folder)) {
      if (!/[.\-_]test\.(?:[cm]?[jt]s)$/.test(name)) continue
      const path = folder === '.' ? name : `${folder}/${name}`
      if (/["']node:test["']/.test((await files.text(path)) ?? '')) return path
    }
  return undefined
}

/** Starts an installed program without downloading it. */
const runners = { npm: 'npx --no-install', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx --no-install' }

interface Manager {
  readonly name: keyof typeof runners
  readonly why: string
}

const locks: readonly (readonly [Manager['name'], string])[] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock'],
  ['bun', 'bun.lockb'],
  ['npm', 'package-lock.json'],
  ['npm', 'npm-shrinkwrap.json'],
]

const maxLevels = 6

/** By `packageManager`, else by lock file here or above in the repository, else npm. */
async function findManager(files: ProjectFiles, field = ''): Promise<Manager> {
  const [, word] = /^(npm|pnpm|yarn|bun)(?:@|$)/.exec(field) ?? []
  const named = locks.find(([name]) => name === word)?.[0]
  if (named !== undefined) return orNpm(named, `packageManager says ${named}`, files)
  let { folder } = files
  for (let level = 0; level < maxLevels; level += 1) {
    const here = projectFiles(folder, files.hasProgram)
    for (const [name, lock] of locks)
      if (await here.has(lock))
        return orNpm(name, `${name} by ${relative(files.folder, `${folder}/${lock}`)}`, files)
    // Above the repository it is another project.
    if ((await here.has('.git')) || dirname(folder) === folder) break
    folder = dirname(folder)
  }
  return { name: 'npm', why: 'no lock file: npm' }
}

/** npm can run scripts of projects that another manager installed. Bun is a runtime of its own. */
function orNpm(name: Manager['name'], why: string, { hasProgram }: ProjectFiles): Manager {
  if (name === 'bun' || name === 'npm' || hasProgram(name)) return { name, why }
  return { name: 'npm', why: `${why}, which is not installed: npm` }
}
