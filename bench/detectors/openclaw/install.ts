/**
 * `node bench/detectors/openclaw/install.ts FOLDER`: puts a release of OpenClaw into a folder that does not exist or is empty
 * (about 800 MB), for the comparison with the real thing. No install script of theirs runs. It ends with the variable to set.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { currentVariable } from './real.ts'

const currentVersion = '2026.9.6'
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
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', `openclaw@${currentVersion}`, '--prefix', root, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(`export ${currentVariable}=${root}`)
}
