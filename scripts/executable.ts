/**
 * `npm run build:executable [-- FOLDER]`: donecheck and this Node as one file that needs neither, for this platform. All that the
 * command loads late is in it. What a configuration imports is not: it is looked for beside the configuration.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { build } from 'rolldown'

const root = join(import.meta.dirname, '..')
/** Node looks for this text in itself to see that it carries a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What of the packages stands beside the program for those who use them, and is no part of the command. */
const outside = [/^(?:@fast-check\/)?vitest/, /^fast-check/]

async function buildExecutable(target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-executable-'))
  const file = (name: string) => join(folder, name)
  try {
    await build({
      input: join(root, 'scripts/executable-entry.js'),
      platform: 'node',
      resolve: { mainFields: ['module', 'main'] },
      external: outside,
      logLevel: 'warn',
      output: { file: file('program.cjs'), format: 'cjs', minify: true, codeSplitting: false },
    })
    const settings = { disableExperimentalSEAWarning: true, useCodeCache: true }
    const paths = { main: file('program.cjs'), output: file('program.blob') }
    writeFileSync(file('settings.json'), JSON.stringify({ ...settings, ...paths, assets: pageFiles() }))
    execFileSync(process.execPath, ['--experimental-sea-config', file('settings.json')], { stdio: 'pipe' })
    mkdirSync(resolve(target, '..'), { recursive: true })
    copyFileSync(process.execPath, target)
    chmodSync(target, 0o755)
    const words = [target, 'NODE_SEA_BLOB', paths.output, '--sentinel-fuse', fuse]
    execFileSync(process.execPath, [join(root, 'node_modules/postject/dist/cli.js'), ...words], {
      stdio: 'pipe',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Address → file: `packages/server` asks for them by these names. */
function pageFiles(): Readonly<Record<string, string>> {
  const folder = join(root, 'packages/server/dist/page')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]))
}

const target = resolve(process.argv[2] ?? root, process.platform === 'win32' ? 'donecheck.exe' : 'donecheck')
await buildExecutable(target)
console.log(target)
