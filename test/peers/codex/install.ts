/**
 * `node test/peers/codex/install.ts [FOLDER]`: puts the real Codex into a folder that does not exist or is empty (about 300 MB;
 * default `.peers/codex` of this repository), for the comparison with the real thing. No install script of it runs. It ends
 * with the variable to set, which the default folder does not need.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The release that everything here is compared with. */
const version = '0.169.0'

const [, , given, ...rest] = process.argv
if (rest.length > 0 || given?.startsWith('-') === true) {
  console.error('usage: node test/peers/codex/install.ts [FOLDER]')
  process.exitCode = 2
} else {
  install(given ?? join(import.meta.dirname, '../../../.peers/codex'))
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`'${folder}' is not empty: name a new folder`)
  const root = realpathSync(folder)
  // A package of its own: npm would look for one in the folders above.
  writeFileSync(join(root, 'package.json'), '{ "private": true }\n')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // No `--prefix`: with it npm reads another global configuration, without the certificates of this machine.
  execFileSync('npm', ['install', `@openai/codex@${version}`, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(`export DONECHECK_CODEX_FOLDER=${root}`)
}
