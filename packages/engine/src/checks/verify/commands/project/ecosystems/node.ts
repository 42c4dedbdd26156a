import { z } from 'zod'
import {
  findFirst,
  nothingDetected,
  script,
  tool,
  type Candidate,
  type Detection,
  type ProjectFiles,
} from '../detected.ts'
import { namedChecks } from '../script-names.ts'
import { packageManager, type PackageManager } from './package-manager.ts'

const manifest = z.looseObject({
  scripts: z.record(z.string(), z.string().catch('')).optional(),
  packageManager: z.string().optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
})

type Manifest = z.infer<typeof manifest>

/** Scripts of package.json, and the tools that are installed. */
export async function detectNode(files: ProjectFiles): Promise<Detection> {
  const text = await files.text('package.json')
  if (text === undefined) return nothingDetected
  const read = readManifest(text)
  const manager = await packageManager(files, read?.packageManager)
  const problems = read === undefined ? ['package.json cannot be read: it is no JSON with scripts'] : []
  const scripts = new Map(Object.entries(read?.scripts ?? {}).filter(([, body]) => isReal(body)))
  const own = namedChecks(scripts).map(([check, name]) =>
    script(check, manager.script(name), `package.json has the script "${name}" (${manager.why})`),
  )
  const tools = await installedTools(files, read ?? {}, manager)
  return { candidates: [...own, ...tools], problems }
}

function readManifest(text: string): Manifest | undefined {
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** npm writes a script into new projects that says that there is none. */
function isReal(body: string): boolean {
  return body.trim() !== '' && !body.includes('no test specified')
}

interface NodeTool {
  readonly check: Candidate['check']
  readonly name: string
  readonly packages: readonly string[]
  readonly configs: readonly string[]
  readonly args: string
}

const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json']
const configsOf = (name: string) => endings.map((ending) => `${name}.${ending}`)

const nodeTools: readonly NodeTool[] = [
  { check: 'tests', name: 'vitest', packages: ['vitest'], configs: configsOf('vitest.config'), args: ' run' },
  { check: 'tests', name: 'jest', packages: ['jest'], configs: configsOf('jest.config'), args: '' },
  {
    check: 'tests',
    name: 'mocha',
    packages: ['mocha'],
    configs: ['.mocharc.json', '.mocharc.yml', ...configsOf('.mocharc')],
    args: '',
  },
  { check: 'tests', name: 'ava', packages: ['ava'], configs: configsOf('ava.config'), args: '' },
  {
    check: 'lint',
    name: 'eslint',
    packages: ['eslint'],
    configs: [...configsOf('eslint.config'), ...configsOf('.eslintrc'), '.eslintrc', '.eslintrc.yml'],
    args: ' .',
  },
  {
    check: 'lint',
    name: 'biome',
    packages: ['@biomejs/biome'],
    configs: ['biome.json', 'biome.jsonc'],
    args: ' lint .',
  },
  { check: 'lint', name: 'oxlint', packages: ['oxlint'], configs: ['.oxlintrc.json'], args: '' },
  { check: 'typecheck', name: 'vue-tsc', packages: ['vue-tsc'], configs: [], args: ' --noEmit' },
  { check: 'typecheck', name: 'svelte-check', packages: ['svelte-check'], configs: [], args: '' },
]

async function installedTools(
  files: ProjectFiles,
  read: Manifest,
  manager: PackageManager,
): Promise<readonly Candidate[]> {
  const installed = { ...read.dependencies, ...read.devDependencies }
  const found = await Promise.all(
    nodeTools.map(async ({ check, name, packages, configs, args }) => {
      const named = packages.find((candidate) => candidate in installed)
      const config = await findFirst(files, configs)
      if (named === undefined && config === undefined) return []
      const why = config === undefined ? `package.json depends on ${name}` : `there is ${config}`
      return [tool(check, manager.run(`${name}${args}`), `${why}, and no script for it is needed`)]
    }),
  )
  return [...found.flat(), ...(await typescript(files, manager)), ...(await nodeTest(files))]
}

async function typescript(files: ProjectFiles, manager: PackageManager): Promise<readonly Candidate[]> {
  const config = await files.text('tsconfig.json')
  if (config === undefined) return []
  const hasReferences = /"references"\s*:/.test(config)
  return hasReferences
    ? [tool('typecheck', manager.run('tsc --build'), 'tsconfig.json has references')]
    : [tool('typecheck', manager.run('tsc --noEmit -p tsconfig.json'), 'there is tsconfig.json')]
}

/** Tests for Node's own runner, where no other one is named. */
async function nodeTest(files: ProjectFiles): Promise<readonly Candidate[]> {
  for (const folder of ['.', 'test', 'tests', 'src', 'lib'])
    for (const name of await files.names(folder)) {
      if (!/[.\-_]test\.(?:[cm]?[jt]s)$/.test(name)) continue
      const path = folder === '.' ? name : `${folder}/${name}`
      const text = await files.text(path)
      if (text !== undefined && /["']node:test["']/.test(text))
        return [tool('tests', 'node --test', `${path} uses node:test`)]
    }
  return []
}
