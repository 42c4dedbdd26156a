import { parse } from 'smol-toml'
import { findFirst, type ProjectFiles } from '../detected.ts'

export type PythonManager = 'uv' | 'poetry' | 'pipenv' | 'pdm' | 'hatch'

export interface PythonProject {
  readonly manager: PythonManager | undefined
  /** In which environment its tools run, for people. */
  readonly environment: string
  /** All of its manifests, one after the other. */
  readonly text: string
  readonly problems: readonly string[]
  /** Whether it depends on a package of this name. */
  mentions(name: string): boolean
  /** The line that begins with this tool. */
  run(name: string): Promise<string>
}

const manifests = [
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'pytest.ini',
  'noxfile.py',
  'Pipfile',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'requirements/dev.txt',
  'requirements/test.txt',
  'manage.py',
  'conftest.py',
]

const managers: readonly (readonly [PythonManager, readonly string[], RegExp])[] = [
  ['uv', ['uv.lock'], /^\[tool\.uv\b/m],
  ['poetry', ['poetry.lock'], /^\[tool\.poetry\b/m],
  ['pdm', ['pdm.lock'], /^\[tool\.pdm\b/m],
  ['pipenv', ['Pipfile.lock', 'Pipfile'], /^(?!)/],
  ['hatch', ['hatch.toml'], /^\[tool\.hatch\.envs\b/m],
]

/** Undefined: nothing says that it is a Python project. */
export async function readPython(files: ProjectFiles): Promise<PythonProject | undefined> {
  const texts = await Promise.all(manifests.map((path) => files.text(path)))
  const hasTests = await hasTestFiles(files)
  if (texts.every((text) => text === undefined) && !hasTests) return undefined
  const [pyproject = ''] = texts
  const text = texts.filter((part) => part !== undefined).join('\n')
  const bin = await findFirst(files, ['.venv/bin', 'venv/bin'])
  const manager = await detectManager(files, pyproject)
  return {
    manager,
    environment:
      bin !== undefined
        ? `in ${bin}`
        : manager === undefined
          ? 'in the machine’s own Python'
          : `through ${manager}`,
    text,
    problems: problemsOf(pyproject),
    mentions: (name) =>
      new RegExp(`(?:^|["'\\s,])${name}(?:$|[\\s"'\\[\\]=<>~!,;@])`, 'm').test(dependenciesIn(texts)),
    run: async (name) => {
      if (bin !== undefined && (await files.has(`${bin}/${name}`))) return `${bin}/${name}`
      if (bin !== undefined && (await files.has(`${bin}/python`))) return `${bin}/python -m ${name}`
      if (manager !== undefined) return `${manager} run ${name}`
      return name === 'python' ? 'python3' : `python3 -m ${name}`
    },
  }
}

/** `manage.py` and `conftest.py` are programs: a word in them is no dependency. */
function dependenciesIn(texts: readonly (string | undefined)[]): string {
  return texts.slice(0, manifests.indexOf('manage.py')).join('\n')
}

async function hasTestFiles(files: ProjectFiles): Promise<boolean> {
  const names = [...(await files.names('.')), ...(await files.names('tests'))]
  return names.some((name) => /^test_.*\.py$/.test(name))
}

async function detectManager(files: ProjectFiles, pyproject: string): Promise<PythonManager | undefined> {
  for (const [name, locks] of managers) if ((await findFirst(files, locks)) !== undefined) return name
  return managers.find(([, , section]) => section.test(pyproject))?.[0]
}

function problemsOf(pyproject: string): readonly string[] {
  try {
    parse(pyproject)
    return []
  } catch (error) {
    const [problem = 'it is no TOML'] = error instanceof Error ? error.message.split('\n') : []
    return [`pyproject.toml cannot be read: ${problem}`]
  }
}
