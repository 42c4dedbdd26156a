/** Finds a Python project's runner, linter and type checker, run in its environment. */
import { basename, dirname } from 'node:path'
import { parse } from 'smol-toml'
import { messageOf } from '../../../../base/index.ts'
import { candidatesOf, type Check, type Detection, type ProjectFiles } from './project-files.ts'

export async function detectPython(files: ProjectFiles): Promise<Detection> {
  const project = await readPython(files)
  if (project === undefined) return { candidates: [] }
  const { manager, text, mentions, run } = project
  const tools: Check[] = await testsOf(files, project)
  for (const [check, name, args, config, section] of pythonTools) {
    const named = section.test(text) || mentions(name) ? name : undefined
    tools.push([check, `${await run(name)}${args}`, { config, named }])
  }
  const isBuilt = manager !== undefined && manager !== 'pipenv' && /^\[build-system\]/m.test(text)
  if (isBuilt) tools.push(['build', `${manager} build`, { named: `a build system, and ${manager}` }])
  const found = await candidatesOf(files, tools, 'the project', '')
  return {
    candidates: found.map((one) => ({ ...one, why: `${one.why} (${project.environment})` })),
    problems: problemsOf(project.pyproject),
  }
}

/** Last column: how it is configured in a shared file. */
const pythonTools: readonly (readonly [
  ...[Check[0], name: string, args: string, configs: readonly string[], section: RegExp],
])[] = [
  ['lint', 'ruff', ' check .', ['ruff.toml', '.ruff.toml'], /^\[tool\.ruff\b/m],
  ['lint', 'flake8', '', ['.flake8'], /^\[flake8\]/m],
  ['lint', 'pylint', ' --recursive=y .', ['.pylintrc', 'pylintrc'], /^\[(?:tool\.)?pylint\b/m],
  ['typecheck', 'mypy', ' .', ['mypy.ini', '.mypy.ini'], /^\[(?:tool\.)?mypy\b/m],
  ['typecheck', 'pyright', '', ['pyrightconfig.json'], /^\[tool\.pyright\b/m],
]

const pytestFiles = ['pytest.ini', '.pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py']

async function testsOf(files: ProjectFiles, project: PythonProject): Promise<Check[]> {
  const { text, mentions, run } = project
  const by = async (name: string, args: string, named: string): Promise<Check[]> => [
    ['tests', `${await run(name)}${args}`, { named }],
  ]
  const config = await files.first(pytestFiles)
  if (config !== undefined) return [['tests', await run('pytest'), { config: [config] }]]
  if (/^\[(?:tool[.:])?pytest\b/m.test(text) || mentions('pytest')) return by('pytest', '', 'pytest')
  if (await files.has('manage.py')) return by('python', ' manage.py test', 'Django')
  const hasTox = (await files.has('tox.ini')) || /^\[tool\.tox\]/m.test(text)
  if (hasTox && (await project.isInstalled('tox'))) return by('tox', '', 'tox')
  const file = await firstTestFile(files)
  if (file === undefined) return hasTox ? by('tox', '', 'tox') : []
  if (/^\s*(?:import|from) unittest\b/m.test((await files.text(file)) ?? ''))
    return by('python', ` -m unittest discover${await discoveryArgs(files, file)}`, `unittest in ${file}`)
  return by('pytest', '', `tests for pytest in ${file}`)
}

/** unittest only searches packages, for `test*.py`. */
async function discoveryArgs(files: ProjectFiles, file: string): Promise<string> {
  const folder = dirname(file)
  const start = folder === '.' || (await files.has(`${folder}/__init__.py`)) ? '' : ` -s ${folder}`
  return basename(file).startsWith('test') ? start : `${start} -p "*_test.py"`
}

async function firstTestFile(files: ProjectFiles): Promise<string | undefined> {
  for (const folder of ['.', 'tests', 'test']) {
    const name = (await files.names(folder)).find((candidate) => /^test_.*\.py$|_test\.py$/.test(candidate))
    if (name !== undefined) return folder === '.' ? name : `${folder}/${name}`
  }
  return undefined
}

interface PythonProject {
  readonly manager: string | undefined
  /** For people. */
  readonly environment: string
  readonly pyproject: string
  readonly text: string
  readonly mentions: (name: string) => boolean
  readonly run: (name: string) => Promise<string>
  /** Whether the line can start; a manager is assumed to have it. */
  readonly isInstalled: (name: string) => Promise<boolean>
}

const manifests = [
  ...['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'pytest.ini', 'Pipfile'],
  ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'],
  ...['requirements/dev.txt', 'requirements/test.txt'],
]

const managers: readonly (readonly [name: string, locks: readonly string[], section: RegExp])[] = [
  ['uv', ['uv.lock'], /^\[tool\.uv\b/m],
  ['poetry', ['poetry.lock'], /^\[tool\.poetry\b/m],
  ['pipenv', ['Pipfile.lock', 'Pipfile'], /^(?!)/],
]

async function readPython(files: ProjectFiles): Promise<PythonProject | undefined> {
  const texts = await Promise.all(manifests.map((path) => files.text(path)))
  const text = texts.filter((part) => part !== undefined).join('\n')
  const isPython =
    texts.some((part) => part !== undefined) ||
    (await files.first(['manage.py', 'conftest.py'])) !== undefined ||
    (await firstTestFile(files)) !== undefined
  if (!isPython) return undefined
  const [pyproject = ''] = texts
  const bin = await files.first(['.venv/bin', 'venv/bin'])
  const wanted = await findManager(files, pyproject)
  const manager = wanted === undefined || files.hasProgram(wanted) ? wanted : undefined
  const outside = manager === undefined ? 'in the machine’s own Python' : `through ${manager}`
  return {
    manager,
    environment: bin === undefined ? outside : `in ${bin}`,
    pyproject,
    text,
    mentions: (name) => new RegExp(`(?:^|["'\\s,])${name}(?:$|[\\s"'\\[\\]=<>~!,;@])`, 'm').test(text),
    run: async (name) => {
      if (bin !== undefined && (await files.has(`${bin}/${name}`))) return `${bin}/${name}`
      if (bin !== undefined && (await files.has(`${bin}/python`))) return `${bin}/python -m ${name}`
      if (manager !== undefined) return `${manager} run ${name}`
      return name === 'python' ? 'python3' : `python3 -m ${name}`
    },
    isInstalled: async (name) => {
      if (bin !== undefined) return files.has(`${bin}/${name}`)
      return manager !== undefined || files.hasProgram(name)
    },
  }
}

async function findManager(files: ProjectFiles, pyproject: string): Promise<string | undefined> {
  for (const [name, locks] of managers) if ((await files.first(locks)) !== undefined) return name
  return managers.find(([, , section]) => section.test(pyproject))?.[0]
}

function problemsOf(pyproject: string): readonly string[] {
  try {
    parse(pyproject)
    return []
  } catch (error) {
    return [`pyproject.toml cannot be read: ${messageOf(error).split('\n')[0] ?? ''}`]
  }
}
