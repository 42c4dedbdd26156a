import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { compareMarks, readMark, changeWords } from './marks.ts'

/** Files of a person's home that change how programs of a check behave. */
const homeFiles =
  '.npmrc .yarnrc .yarnrc.yml .gitconfig .config/git/config .config/git/attributes .config/git/ignore ' +
  '.bashrc .bash_profile .bash_env .profile .zshenv .zshrc ' +
  '.pythonrc .pydistutils.cfg .config/pip/pip.conf .pip/pip.conf .pytest.ini ' +
  '.mocharc.json .eslintrc .eslintrc.json .eslintrc.js ' +
  '.cargo/config .cargo/config.toml .config/go/env .m2/settings.xml .gradle/gradle.properties .gradle/init.gradle'

/** What tools look for in the folders above the one in which they run. */
const lookedUp = [
  /^package\.json$/,
  /^\.npmrc$/,
  /^(vitest|vite|jest|babel|eslint|ava|playwright|tsconfig)(\.[\w-]+)*\.(js|cjs|mjs|ts|cts|mts|json)$/,
  /^\.(mocharc|eslintrc|babelrc|taprc|nycrc|c8rc|swcrc)(\.\w+)?$/,
  /^(conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|sitecustomize\.py)$/,
  /^(go\.work|go\.mod|Cargo\.toml|\.cargo|pom\.xml|settings\.gradle(\.kts)?|Makefile|rust-toolchain(\.toml)?)$/,
]

/** Every watched file that is there now, by its absolute path. @param home undefined: no home is watched */
export function lookOutside(workFolder: string, home: string | undefined): Marks {
  const inHome =
    home === undefined
      ? []
      : [...homeFiles.split(' ').map((name) => join(home, name)), ...customizationsIn(home)]
  const above = foldersAbove(workFolder).flatMap((folder) =>
    namesIn(folder)
      .filter((name) => lookedUp.some((pattern) => pattern.test(name)))
      .map((name) => join(folder, name)),
  )
  const marks = [...inHome, ...above].map((path) => [path, readMark(path, true)] as const)
  return Object.fromEntries(marks.filter((mark): mark is [string, string] => mark[1] !== undefined))
}

/** Files of a person's own packages that Python runs whenever it starts. */
function customizationsIn(home: string): readonly string[] {
  const libraries = join(home, '.local', 'lib')
  return namesIn(libraries)
    .filter((name) => name.startsWith('python'))
    .map((name) => join(libraries, name, 'site-packages'))
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => /^(?:user|site)customize\.py$|\.pth$/u.test(name))
        .map((name) => join(folder, name)),
    )
}

/** What appeared, changed or went. */
export function outsideFindings(before: Marks, now: Marks): readonly TamperFinding[] {
  return compareMarks(before, now).map(({ name, kind }) => ({
    rule: 'outside.touched',
    path: name,
    message: `${name} ${kind === 'appeared' ? kind : changeWords[kind]} during the run; it lies outside of the work folder and changes how checks run`,
  }))
}

function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...foldersAbove(parent)]
}

/** A folder that may not be listed is one where the tools find nothing by listing; those that guess names are few. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
