/**
 * What is found of real check lines: `npm run bench:check-lines -- [--write] FOLDER…`, each a checked-out repository. Reads
 * scripts of package.json, targets of Makefiles, shell scripts and `run:` steps of CI that check something; runs nothing.
 * Every line that would be refused is printed, to be judged by a person.
 */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exitCodeOf, type ExitCode } from '@donecheck/engine/verify'

interface CheckLine {
  /** Where it would be run. */
  readonly folder: string
  readonly line: string
}

const checkName =
  /(^|[-_:.])(test|tests|lint|check|checks|build|typecheck|types|tsc|ci|verify|spec|vet|unit|e2e|format|fmt|coverage)([-_:.]|$)/i
const checkWord =
  /\b(test|tests|lint|check|vet|clippy|tsc|eslint|pytest|tox|mypy|ruff|cargo|go build|build)\b/
const largestBytes = 512 * 1024

function textOf(file: string): string {
  return statSync(file).isFile() && statSync(file).size < largestBytes ? readFileSync(file, 'utf8') : ''
}

function filesOf(folder: string, pattern: string): readonly string[] {
  const skipped = /(^|\/)(node_modules|vendor|fixtures?|\.git)(\/|$)/
  return globSync(pattern, { cwd: folder })
    .filter((path) => !skipped.test(path))
    .map((path) => join(folder, path))
}

function packageLines(folder: string): readonly CheckLine[] {
  return filesOf(folder, '**/package.json').flatMap((file) => {
    const names = Object.keys(scriptsIn(textOf(file))).filter((name) => checkName.test(name))
    return names.map((name) => ({ folder: dirname(file), line: `npm run ${name}` }))
  })
}

function scriptsIn(text: string): object {
  try {
    const manifest: unknown = JSON.parse(text)
    const isObject = typeof manifest === 'object' && manifest !== null && 'scripts' in manifest
    return isObject && typeof manifest.scripts === 'object' ? (manifest.scripts ?? {}) : {}
  } catch {
    return {}
  }
}

function makeLines(folder: string): readonly CheckLine[] {
  return filesOf(folder, '**/{Makefile,makefile,GNUmakefile}').flatMap((file) => {
    const targets = [...textOf(file).matchAll(/^([A-Za-z][\w./-]*)\s*::?(?!=)/gm)].map(
      ([, target = '']) => target,
    )
    return [...new Set(targets)]
      .filter((target) => checkName.test(target))
      .map((target) => ({ folder: dirname(file), line: `make -f ${basename(file)} ${target}` }))
  })
}

function shellLines(folder: string): readonly CheckLine[] {
  return filesOf(folder, '**/*.{sh,bash}')
    .filter((file) => checkName.test(basename(file)))
    .map((file) => ({ folder, line: `bash ${JSON.stringify(file)}` }))
}

/** One entry for every `run:` of a workflow, as the shell gets it there (`bash -e`). */
function workflowLines(folder: string): readonly CheckLine[] {
  return filesOf(folder, '.github/workflows/*.{yml,yaml}').flatMap((file) => {
    const steps = [...textOf(file).matchAll(/^( *)(?:- )?run: *([|>][-+]?)?(.*)\n((?:\1 {2,}.*\n|\s*\n)*)/gm)]
    return steps
      .map(([, , block, inline = '', body = '']) =>
        block === undefined ? unquoted(inline) : `set -e\n${body}`,
      )
      .filter((line) => checkWord.test(line) && !line.includes('${{'))
      .map((line) => ({ folder, line }))
  })
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2')
}

function linesOf(folder: string): readonly CheckLine[] {
  return [packageLines, makeLines, shellLines, workflowLines].flatMap((read) => read(folder))
}

type Counts = Record<ExitCode['kind'], number>
const none: Counts = { certain: 0, suspicious: 0, sound: 0, unreadable: 0 }

const words = process.argv.slice(2)
const folders = words.filter((word) => word !== '--write')
const rows: string[] = []
const total = { ...none }
let slowestMs = 0
for (const folder of folders) {
  const counts = { ...none }
  const seen = new Set<string>()
  for (const { folder: place, line } of linesOf(folder)) {
    const key = `${place}\0${line}`
    if (seen.has(key)) continue
    seen.add(key)
    const startedMs = performance.now()
    const found = exitCodeOf(line, place)
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    counts[found.kind] += 1
    total[found.kind] += 1
    if (found.kind === 'sound') continue
    const where = found.kind === 'certain' ? ` (${found.where ?? 'the line itself'})` : ''
    console.log(
      `${found.kind} ${basename(folder)}: ${JSON.stringify(line.slice(0, 300))}: ${found.reason}${where}`,
    )
  }
  rows.push(rowOf(basename(folder).replace('+', '/'), counts))
}

function rowOf(name: string, { certain, suspicious, sound, unreadable }: Counts): string {
  const read = certain + suspicious + sound + unreadable
  return `| ${name} | ${read} | ${certain} | ${suspicious} | ${sound} | ${unreadable} |`
}

const table = [
  '| repository | read | certain to pass | suspicious | sound | not followed |',
  '| --- | ---: | ---: | ---: | ---: | ---: |',
  ...rows,
  rowOf('**all**', total),
].join('\n')
console.log(table)
console.log(`slowest: ${slowestMs.toFixed(0)} ms`)
if (words.includes('--write')) {
  const file = new URL('../docs/measured/check-lines.md', import.meta.url)
  const [before = ''] = readFileSync(file, 'utf8').split('<!-- table -->')
  writeFileSync(file, `${before}<!-- table -->\n\n${table}\n`)
}
