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

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()).optional() })

/** Scripts of composer.json, and PHP's common tools. */
export async function detectPhp(files: ProjectFiles): Promise<Detection> {
  const text = await files.text('composer.json')
  if (text === undefined) return nothingDetected
  const { scripts, problems } = readScripts(text)
  const own = namedChecks(scripts).map(([check, name]) =>
    script(check, `composer run-script ${name}`, `composer.json has the script "${name}"`),
  )
  return { candidates: [...own, ...(await tools(files, text))], problems }
}

function readScripts(text: string): {
  readonly scripts: ReadonlyMap<string, string>
  readonly problems: readonly string[]
} {
  try {
    const { scripts = {} } = manifest.parse(JSON.parse(text))
    return {
      scripts: new Map(Object.entries(scripts).map(([name, value]) => [name, JSON.stringify(value)])),
      problems: [],
    }
  } catch {
    return { scripts: new Map(), problems: ['composer.json cannot be read: it is no JSON with scripts'] }
  }
}

const phpTools = [
  { check: 'tests', name: 'pest', configs: ['tests/Pest.php'], args: '' },
  {
    check: 'tests',
    name: 'phpunit',
    configs: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'],
    args: '',
  },
  { check: 'lint', name: 'phpcs', configs: ['phpcs.xml', 'phpcs.xml.dist', '.phpcs.xml'], args: '' },
  { check: 'lint', name: 'pint', configs: ['pint.json'], args: ' --test' },
  { check: 'typecheck', name: 'phpstan', configs: ['phpstan.neon', 'phpstan.neon.dist'], args: ' analyse' },
  { check: 'typecheck', name: 'psalm', configs: ['psalm.xml'], args: '' },
] as const

async function tools(files: ProjectFiles, text: string): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    phpTools.map(async ({ check, name, configs, args }) => {
      const config = await findFirst(files, [...configs, `vendor/bin/${name}`])
      const isNamed = text.includes(`/${name}"`)
      if (config === undefined && !isNamed) return []
      return [
        tool(
          check,
          `vendor/bin/${name}${args}`,
          config === undefined ? `composer.json requires ${name}` : `there is ${config}`,
        ),
      ]
    }),
  )
  return found.flat()
}
