/**
 * `npm run bench:release [-- --rounds N] [-- --write]`: what an installation weighs, and how long a start takes, from the tarball on
 * several Nodes and from the single file, in turn in the same run. `--write` writes docs/measured/release.md. Asserts nothing about time.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownOf } from './gate-page.ts'
import { median, rounded, type Table } from './table.ts'

const words = process.argv.slice(2)
const rounds = Number(words[words.indexOf('--rounds') + 1]) || 15
const root = mkdtempSync(join(tmpdir(), 'donecheck-release-'))
const at = (...parts: string[]) => join(root, ...parts)

try {
  execFileSync(process.execPath, ['scripts/pack.ts', root], { stdio: 'pipe' })
  execFileSync(process.execPath, ['scripts/executable.ts', root], { stdio: 'pipe' })
  const tarball = readdirSync(root).find((name) => /^donecheck-\d.*\.tgz$/.test(name)) ?? ''
  installWithNpm('installed', at(tarball))
  const nodes = ['20', '22', '24'].map((major) => ({ major, node: nodeOf(major) }))
  const tables = [sizes(at(tarball)), startUps(nodes)]
  for (const { title, rows } of tables) {
    console.log(title)
    console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
  }
  const old = toldBy(nodes[0]?.node ?? '')
  console.log(old)
  if (words.includes('--write')) writeFileSync('docs/measured/release.md', page(tables, old))
} finally {
  rmSync(root, { recursive: true, force: true })
}

function installWithNpm(folder: string, what: string): void {
  const flags = ['--global', '--prefix', at(folder), '--prefer-offline', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...flags, what], { stdio: 'pipe' })
}

function nodeOf(major: string): string {
  const name = `node-${process.platform}-${process.arch}`
  installWithNpm(`node-${major}`, `${name}@^${major}`)
  return at(`node-${major}`, 'lib/node_modules', name, 'bin/node')
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

function packagesIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path))
    .length
}

function megabytes(bytes: number): number {
  return rounded(bytes / 1_000_000, 1)
}

function sizes(tarball: string): Table {
  const installed = at('installed')
  const [node, file] = [statSync(process.execPath).size, statSync(at('donecheck')).size]
  return {
    title: 'size',
    rows: [
      { name: 'the tarball', MB: megabytes(statSync(tarball).size), packages: 1 },
      { name: 'installed by npm', MB: megabytes(bytesIn(installed)), packages: packagesIn(installed) },
      { name: 'the single file', MB: megabytes(file), packages: 0 },
      { name: 'of it Node', MB: megabytes(node), packages: 0 },
    ],
  }
}

function startUps(nodes: readonly { readonly major: string; readonly node: string }[]): Table {
  const command = at('installed/bin/donecheck')
  const kinds = {
    '--version': ['--version'],
    'list --help': ['list', '--help'],
    verify: ['verify', '--until', 'test -d .'],
  }
  const places = [
    ...nodes
      .filter(({ major }) => major !== '20')
      .map(({ major, node }) => ({ name: `Node ${major}`, start: [node, command], bare: [node, '-e', '0'] })),
    {
      name: 'single file',
      start: [at('donecheck')],
      bare: [nodes.at(-1)?.node ?? process.execPath, '-e', '0'],
    },
  ]
  const subjects = places.flatMap(({ name, start, bare }) =>
    Object.entries(kinds).map(([kind, typed]) => ({
      name: `${name}: ${kind}`,
      line: [...start, ...typed],
      bare,
      times: [] as number[],
      ratios: [] as number[],
    })),
  )
  for (const { line } of subjects) processMs(line)
  for (let round = 0; round < rounds; round += 1)
    for (const { line, bare, times, ratios } of subjects) {
      const ms = processMs(line)
      times.push(ms)
      ratios.push(ms / processMs(bare))
    }
  return {
    title: `start-up, ${rounds} rounds`,
    rows: subjects.map(({ name, times, ratios }) => ({
      name,
      'median ms': rounded(median(times), 1),
      'median of the ratios to node -e 0': rounded(median(ratios), 2),
    })),
  }
}

function processMs([program = '', ...typed]: readonly string[]): number {
  const startedMs = performance.now()
  spawnSync(program, typed, { stdio: 'ignore', cwd: root, env: { PATH: process.env['PATH'], HOME: root } })
  return performance.now() - startedMs
}

function toldBy(node: string): string {
  if (!existsSync(node)) return 'no Node 20 could be installed here'
  const { status, stderr } = spawnSync(node, [at('installed/bin/donecheck'), 'verify'], { encoding: 'utf8' })
  return `${stderr.trim()} (exit ${status ?? 'none'})`
}

function page(tables: readonly Table[], old: string): string {
  const [cpu] = cpus()
  return `# What an installation weighs, and how long it takes to start

Made by \`npm run bench:release -- --write\` on ${cpus().length} × ${cpu?.model.trim() ?? 'an unknown processor'}. Each time is a whole process, from its start to
its end; all rows were taken in turn, each beside a bare \`node -e 0\` of the same Node, so that the ratios hold also where the machine was busy.

\`verify\` runs one check, \`test -d .\`, and records it. _Packages_ counts what npm lays down, what is bundled included. A Node that is too old is told so: \`${old}\`.

${tables.map(({ title, rows }) => `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${markdownOf(rows)}`).join('\n\n')}
`
}
