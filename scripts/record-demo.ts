/**
 * `npm run record-demo [-- --check]`: records the run that README.md shows, offline, into docs/assets/demo-light.svg and
 * demo-dark.svg, and its last turn into README.md. A run that differs from the recorded one only in durations, ids and costs
 * leaves them as they are. With `--check` it writes nothing, and exits with 1 if the output has drifted from the recording.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawDemo, readDrawnText } from './demo/draw-demo.ts'
import { formatRows, runDemo } from './demo/run-demo.ts'
import { themes, type Theme } from './demo/theme.ts'

const folder = path.join(import.meta.dirname, '../docs/assets')

/** Replaces what differs from run to run, and the spaces before it, which depend on its width. */
function normalize(text: string): string {
  return text
    .replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{6,}\b/gu, 'ID')
    .replaceAll(/\$\d+(?:\.\d+)?/gu, 'COST')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b(?: \d+ s\b)?|\b(?:\d+m )?\d+s\b/gu, 'TIME')
    .replaceAll(/\s+/gu, ' ')
}

function readRecording(theme: Theme): string {
  const file = path.join(folder, `demo-${theme}.svg`)
  return existsSync(file) ? readDrawnText(readFileSync(file, 'utf8')) : ''
}

const lastTurnInReadme = /(?<=```console\n) *turn \d[^`]*(?=\n```)/u

/** @returns README.md with the last turn of the run in its block */
function updateReadme(readme: string, text: string): string {
  if (!lastTurnInReadme.test(readme))
    throw new Error('README.md has no console block that starts with a turn')
  const lastTurn = text.slice(text.search(/^ *turn \d(?![^]*\n *turn \d)/mu))
  return readme.replace(lastTurnInReadme, () => lastTurn)
}

const readmeFile = path.join(import.meta.dirname, '../README.md')
const readme = readFileSync(readmeFile, 'utf8')
const rows = await runDemo()
const text = formatRows(rows)
const outdated = themes.filter((theme) => normalize(readRecording(theme)) !== normalize(text))
const updated = updateReadme(readme, text)
const isOutdated = outdated.length > 0 || normalize(updated) !== normalize(readme)

if (process.argv.includes('--check')) {
  if (isOutdated) {
    console.error(`The output of the demo differs from the recording. Recorded:\n${readRecording('light')}\n`)
    console.error(`Now:\n${text}\n\nRecord it again: npm run record-demo`)
    process.exitCode = 1
  }
} else if (isOutdated) {
  mkdirSync(folder, { recursive: true })
  for (const theme of themes) writeFileSync(path.join(folder, `demo-${theme}.svg`), drawDemo(rows, theme))
  writeFileSync(readmeFile, updated)
  console.log(
    'Recorded docs/assets/demo-light.svg, docs/assets/demo-dark.svg and the last turn in README.md.',
  )
} else console.log('The recording is up to date.')
