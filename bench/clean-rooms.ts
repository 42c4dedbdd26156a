/**
 * Where checks of real projects say the same in a clean room as in the work folder: each is calibrated by one run whose agent does nothing.
 * `node bench/clean-rooms.ts FOLDER::CHECK…`: each folder is a clone with its dependencies installed.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { rounded } from './table.ts'

const program = join(import.meta.dirname, '../packages/donecheck/bin/donecheck.js')
const calibrations = z.record(z.string(), z.object({ difference: z.string().nullable() }))

/** @returns null: it says the same; undefined: nothing was compared, because the run ended before */
function differenceOf(folder: string, check: string): string | null | undefined {
  const home = mkdtempSync(join(tmpdir(), 'clean-rooms-'))
  try {
    const words = ['run', '--yes', '--max-turns', '1', '--verify-timeout', '900', '--agent', 'true {prompt}']
    spawnSync(process.execPath, [program, ...words, '--until', check, 'Do nothing.'], {
      cwd: folder,
      env: { ...process.env, HOME: home },
    })
    const [file] = globSync(join(home, '.*/**/calibration.json'))
    if (file === undefined) return undefined
    const found = Object.values(calibrations.parse(JSON.parse(readFileSync(file, 'utf8'))))
    return found.map(({ difference }) => difference).find((difference) => difference !== null) ?? null
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

let same = 0
const pairs = process.argv.slice(2)
for (const pair of pairs) {
  const [folder = '', check = ''] = pair.split('::')
  const difference = differenceOf(folder, check)
  if (difference === null) same += 1
  console.log(
    `${basename(folder)}, ${check}: ${difference === null ? 'the same' : (difference ?? 'not compared')}`,
  )
}
console.log(`${same} of ${pairs.length} the same (${rounded((100 * same) / pairs.length, 0)} %)`)
