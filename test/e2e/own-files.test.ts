/** An agent that writes to the installation of donecheck while it runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, program } from './donecheck.ts'

const forged = 'process.stdout.write("FORGED");process.exit(0)'
const packageFolder = dirname(dirname(program))

/** As a development dependency of the project, where its agent may write. */
function installInto(folder: string): string {
  const own = join(folder, 'node_modules/donecheck')
  mkdirSync(own, { recursive: true })
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(packageFolder, name), join(own, name), { recursive: true })
  symlinkSync(join(packageFolder, '../../node_modules'), join(own, 'node_modules'))
  return join(own, 'bin/donecheck.js')
}

function runWith(folder: string, home: string, agent: string) {
  const own = installInto(folder)
  const words = ['run', '--until', 'test -e done.txt', '--agent', agent, '--max-turns', '1']
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  const command = [own, ...words, '--json', 'Work.']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { stdout, stderr, exitCode: status }
}

describe('given an agent that writes to the files of donecheck', () => {
  it.each([
    [
      'adds to every file',
      `for f in node_modules/donecheck/dist/program/cli/*.js; do echo '${forged}' >> $f; done`,
    ],
    ['removes every file, as an installation does', 'rm -r node_modules/donecheck/dist'],
  ])('that %s, the run goes by its own files as they were at the start', async (_, agent) => {
    await inPlace({ 'a.txt': '' }, (place) => {
      const ended = runWith(place.folder, place.home, agent)
      expect(ended.stdout).not.toContain('FORGED')
      expect(lastJson(ended)).toMatchObject({ outcome: 'exhausted', reason: 'hard_cap' })
      expect(ended.exitCode).toBe(3)
      return Promise.resolve()
    })
  })
})
