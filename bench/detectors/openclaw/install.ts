/**
 * `node bench/detectors/openclaw/install.ts FOLDER`: puts two releases of OpenClaw into a folder that does not exist or is empty
 * (about 800 MB), for the comparison with the real thing. No install script of theirs runs. It ends with the two variables to set.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { classicVariable, currentVariable } from './real.ts'

const currentVersion = '2026.9.6'
/** The last release before further detectors came. It does not install by itself, so it borrows the packages of the newer one. */
const classicVersion = '2026.4.12'

const [, , given] = process.argv
if (given === undefined) {
  console.error('usage: node bench/detectors/openclaw/install.ts FOLDER')
  process.exitCode = 2
} else {
  install(given)
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`'${folder}' is not empty: name a new folder`)
  const root = realpathSync(folder)
  const current = join(root, 'current')
  const classic = join(root, 'classic')
  mkdirSync(current)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', `openclaw@${currentVersion}`, '--prefix', current, ...quiet], current)
  const home = join(classic, 'node_modules', 'openclaw')
  mkdirSync(home, { recursive: true })
  run('npm', ['pack', `openclaw@${classicVersion}`, ...quiet], classic)
  const archive = `openclaw-${classicVersion}.tgz`
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', home], classic)
  rmSync(join(classic, archive))
  symlinkSync(join(current, 'node_modules'), join(home, 'node_modules'))
  console.log(`export ${currentVariable}=${current}\nexport ${classicVariable}=${classic}`)
}

function run(program: string, parameters: readonly string[], cwd: string): void {
  execFileSync(program, parameters, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
