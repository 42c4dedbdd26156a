/** Python: the runner, linter and type checker that a project's files name, run in its own environment. */
import { basename, dirname } from 'node:path'
import { parse } from 'smol-toml'
import { messageOf } from '../../../../../base/index.ts'
import {
  findFirst,
  nothingDetected,
  tool,
  toolsIn,
  type Candidate,
  type Detection,
  type ProjectFiles,
  type ToolRow,
} from '../detected.ts'

export async function detectPython(files: ProjectFiles): Promise<Detection> {
  const project = await readPython(files)
  if (project === undefined) return nothingDetected
  const tools = await toolsIn(
    files,
    pythonTools,
    (name) => {
      if (sections[name]?.test(project.text) === true)
        return `a section of the project’s files configures ${name}`
      return project.mentions(name) ? `the project depends on ${name}` : undefined
    },
    async (check, name, args, why) =>
      tool(check, `${await project.run(name)}${args}`, `${why} (${project.environment})`),
  )
  return {
    candidates: [...(await tests(files, project)), ...tools, ...build(project)],
    problems: project.problems,
  }
}

const pythonTools: readonly ToolRow[] = [
  ['lint', 'ruff', ' check .', ['ruff.toml', '.ruff.toml']],
  ['lint', 'flake8', '', ['.flake8']],
  ['lint', 'pylint', ' --recursive=y .', ['.pylintrc', 'pylintrc']],
  ['typecheck', 'mypy', ' .', ['mypy.ini', '.mypy.ini']],
  ['typecheck', 'pyright', '', ['pyrightconfig.json']],
]

/** How these tools are configured in a file that they share with others. */
const sections: Readonly<Record<string, RegExp>> = {
  ruff: /^\[tool\.ruff\b/m,
  flake8: /^\[flake8\]/m,
  pylint: /^\[(?:tool\.)?pylint\b/m,
  mypy: /^\[(?:tool\.)?mypy\b/m,
  pyright: /^\[tool\.pyright\b/m,
}

const pytestFiles = ['pytest.ini', '.pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py']

async function tests(files: ProjectFiles, project: PythonProject): Promise<readonly Candidate[]> {
  const { text, mentions, run, environment } = project
  const by = async (name: string, args: string, why: string) => [
    tool('tests', `${await run(name)}${args}`, `${why} (${environment})`),
  ]
  const config = await findFirst(files, pytestFiles)
  if (config !== undefined) return by('pytest', '', `there is ${config}`)
  if (/^\[(?:tool[.:])?pytest\b/m.test(text) || mentions('pytest'))
    return by('pytest', '', 'the project names pytest')
  if (await files.has('manage.py')) return by('python', ' manage.py test', 'there is manage.py')
  const hasTox = (await files.has('tox.ini')) || /^\[tool\.tox\]/m.test(text)
  const hasNox = await files.has('noxfile.py')
  const tox = () => by('tox', '', 'tox is configured')
  const nox = () => by('nox', '', 'there is noxfile.py')
  if (hasTox && (await project.isInstalled('tox'))) return tox()
  if (hasNox && (await project.isInstalled('nox'))) return nox()
  const file = await firstTestFile(files)
  if (file === undefined) return hasTox ? tox() : hasNox ? nox() : []
  if (/^\s*(?:import|from) unittest\b/m.test((await files.text(file)) ?? ''))
    return by('python', ` -m unittest discover${await discoveryArgs(files, file)}`, `${file} uses unittest`)
  return by('pytest', '', `${file} is written for pytest`)
}

/** From the top, unittest finds the tests of a folder only if that is a package, and by itself only `test*.py`. */
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

function build({ manager, text }: PythonProject): readonly Candidate[] {
  if (manager === undefined || manager === 'pipenv' || !/^\[build-system\]/m.test(text)) return []
  const why = `pyproject.toml has a build system, and it is a project of ${manager}`
  return [tool('build', `${manager} build`, why)]
}

interface PythonProject {
  readonly manager: string | undefined
  /** In which environment its tools run, for people. */
  readonly environment: string
  /** All of its manifests, one after the other. */
  readonly text: string
  readonly problems: readonly string[]
  /** Whether it depends on a package of this name. */
  readonly mentions: (name: string) => boolean
  /** The line that begins with this tool. */
  readonly run: (name: string) => Promise<string>
  /** Whether the line can be started: a manager is taken to have it. */
  readonly isInstalled: (name: string) => Promise<boolean>
}

const manifests = [
  ...['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'pytest.ini', 'noxfile.py', 'Pipfile'],
  ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'],
  ...['requirements/dev.txt', 'requirements/test.txt'],
]
/** They are programs: a word in them is no dependency. */
const programs = ['manage.py', 'conftest.py']

const managers: readonly (readonly [name: string, locks: readonly string[], section: RegExp])[] = [
  ['uv', ['uv.lock'], /^\[tool\.uv\b/m],
  ['poetry', ['poetry.lock'], /^\[tool\.poetry\b/m],
  ['pdm', ['pdm.lock'], /^\[tool\.pdm\b/m],
  ['pipenv', ['Pipfile.lock', 'Pipfile'], /^(?!)/],
  ['hatch', ['hatch.toml'], /^\[tool\.hatch\.envs\b/m],
]

/** Undefined: nothing says that it is a Python project. */
async function readPython(files: ProjectFiles): Promise<PythonProject | undefined> {
  const textOf = (path: string) => files.text(path)
  const texts = await Promise.all(manifests.map(textOf))
  const all = [...texts, ...(await Promise.all(programs.map(textOf)))].filter((part) => part !== undefined)
  if (all.length === 0 && (await firstTestFile(files)) === undefined) return undefined
  const [pyproject = ''] = texts
  const dependencies = texts.join('\n')
  const bin = await findFirst(files, ['.venv/bin', 'venv/bin'])
  const wanted = await detectManager(files, pyproject)
  const manager = wanted === undefined || files.hasProgram(wanted) ? wanted : undefined
  const outside = manager === undefined ? 'in the machine’s own Python' : `through ${manager}`
  return {
    manager,
    environment: bin === undefined ? outside : `in ${bin}`,
    text: all.join('\n'),
    problems: problemsOf(pyproject),
    mentions: (name) =>
      new RegExp(`(?:^|["'\\s,])${name}(?:$|[\\s"'\\[\\]=<>~!,;@])`, 'm').test(dependencies),
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

async function detectManager(files: ProjectFiles, pyproject: string): Promise<string | undefined> {
  for (const [name, locks] of managers) if ((await findFirst(files, locks)) !== undefined) return name
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
