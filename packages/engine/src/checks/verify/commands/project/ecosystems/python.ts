import {
  findFirst,
  nothingDetected,
  tool,
  type Candidate,
  type Detection,
  type ProjectFiles,
} from '../detected.ts'
import { readPython, type PythonProject } from './python-project.ts'

/** Python: the runner, linter and type checker that its files name, run in its own environment. */
export async function detectPython(files: ProjectFiles): Promise<Detection> {
  const project = await readPython(files)
  if (project === undefined) return nothingDetected
  const candidates = [
    ...(await tests(files, project)),
    ...(await candidatesNamed(files, project, 'lint', linters)),
    ...(await candidatesNamed(files, project, 'typecheck', typeCheckers)),
    ...build(project),
  ]
  return { candidates, problems: project.problems }
}

interface PythonTool {
  readonly name: string
  readonly args: string
  /** Files that only this tool reads. */
  readonly configs: readonly string[]
  /** A section of a shared file. */
  readonly section: RegExp
}

const linters: readonly PythonTool[] = [
  { name: 'ruff', args: ' check .', configs: ['ruff.toml', '.ruff.toml'], section: /^\[tool\.ruff\b/m },
  { name: 'flake8', args: '', configs: ['.flake8'], section: /^\[flake8\]/m },
  {
    name: 'pylint',
    args: ' --recursive=y .',
    configs: ['.pylintrc', 'pylintrc'],
    section: /^\[(?:tool\.)?pylint\b/m,
  },
]

const typeCheckers: readonly PythonTool[] = [
  { name: 'mypy', args: ' .', configs: ['mypy.ini', '.mypy.ini'], section: /^\[(?:tool\.)?mypy\b/m },
  { name: 'pyright', args: '', configs: ['pyrightconfig.json'], section: /^\[tool\.pyright\b/m },
]

async function candidatesNamed(
  files: ProjectFiles,
  project: PythonProject,
  check: Candidate['check'],
  tools: readonly PythonTool[],
): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    tools.map(async ({ name, args, configs, section }) => {
      const config = await findFirst(files, configs)
      const why =
        config !== undefined
          ? `there is ${config}`
          : section.test(project.text)
            ? `a section of the project’s files configures ${name}`
            : project.mentions(name)
              ? `the project depends on ${name}`
              : undefined
      if (why === undefined) return []
      return [tool(check, `${await project.run(name)}${args}`, `${why} (${project.environment})`)]
    }),
  )
  return found.flat()
}

async function tests(files: ProjectFiles, project: PythonProject): Promise<readonly Candidate[]> {
  const config = await findFirst(files, [
    'pytest.ini',
    '.pytest.ini',
    'conftest.py',
    'tests/conftest.py',
    'test/conftest.py',
  ])
  const isPytest =
    config !== undefined || /^\[(?:tool[.:])?pytest\b/m.test(project.text) || project.mentions('pytest')
  const pytest = await project.run('pytest')
  const why = config === undefined ? 'the project names pytest' : `there is ${config}`
  if (isPytest) return [tool('tests', pytest, `${why} (${project.environment})`)]
  if (await files.has('manage.py'))
    return [
      tool(
        'tests',
        `${await project.run('python')} manage.py test`,
        `there is manage.py (${project.environment})`,
      ),
    ]
  if ((await files.has('tox.ini')) || /^\[tool\.tox\]/m.test(project.text))
    return [tool('tests', await project.run('tox'), `tox is configured (${project.environment})`)]
  if (await files.has('noxfile.py'))
    return [tool('tests', await project.run('nox'), `there is noxfile.py (${project.environment})`)]
  const file = await firstTestFile(files)
  if (file === undefined) return []
  const text = (await files.text(file)) ?? ''
  return /^\s*(?:import|from) unittest\b/m.test(text)
    ? [
        tool(
          'tests',
          `${await project.run('python')} -m unittest discover`,
          `${file} uses unittest (${project.environment})`,
        ),
      ]
    : [tool('tests', pytest, `${file} is written for pytest (${project.environment})`)]
}

async function firstTestFile(files: ProjectFiles): Promise<string | undefined> {
  for (const folder of ['.', 'tests', 'test']) {
    const name = (await files.names(folder)).find((candidate) => /^test_.*\.py$|_test\.py$/.test(candidate))
    if (name !== undefined) return folder === '.' ? name : `${folder}/${name}`
  }
  return undefined
}

const builders = { uv: 'uv build', poetry: 'poetry build', hatch: 'hatch build', pdm: 'pdm build' }

function build({ manager, text }: PythonProject): readonly Candidate[] {
  if (manager === undefined || manager === 'pipenv' || !/^\[build-system\]/m.test(text)) return []
  return [
    tool('build', builders[manager], `pyproject.toml has a build system, and it is a project of ${manager}`),
  ]
}
