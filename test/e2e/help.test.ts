/** Every flag that a text names is one that can be typed, and every flag that can be typed stands in the reference. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace } from './donecheck.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const texts = [
  'README.md',
  ...['agents', 'conformance', 'core', 'donecheck', 'engine', 'fleet', 'server'].map(
    (name) => `packages/${name}/README.md`,
  ),
  ...inFolder('docs/guide'),
  ...inFolder('docs/reference'),
]

/** Of every command, by the words that ask for its help, as JSON. The entry of hooks answers for itself. */
const pages = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(`${root}packages/donecheck/dist/program/cli/help.json`, 'utf8')))
const commands = Object.keys(pages)
  .map((words) => z.array(z.string()).parse(JSON.parse(words)).slice(0, -1).join(' '))
  .filter((name) => name !== '')
  .concat('hook')

function inFolder(folder: string): readonly string[] {
  return (
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      // What docstrings say of flags of other programs is no promise of ours.
      .filter((file) => file.endsWith('.md') && file !== 'api.md')
      .map((file) => `${folder}/${file}`)
  )
}

/** Of agents, npm, Git, tar and pytest, which the texts name. */
const foreign = [
  '--global',
  '--package',
  '--check',
  '--setting-sources',
  '--no-inline-config',
  '--ignore-noqa',
  '--settings',
  '--acp',
  '--go',
  '--allow-all',
  '--approval-mode',
  '--yolo',
  '--skip-trust',
  '--auto',
  '--permission-mode',
  '--allowed',
  '--bare',
  '--write',
  '--output-file',
  '--provenance',
  '--sign',
  '--force',
  '--no-pager',
  '--to-command',
  '--junitxml',
  '--collect-only',
]

function flagsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]/g)].map(([flag]) => flag))]
}

/** Flags after `npm run` are those of a script of the checkout, not of a command. */
function readText(file: string): string {
  return readFileSync(root + file, 'utf8').replace(/^npm run .*/gm, '')
}

function longHelp(name: string): readonly string[] {
  return ['help', ...name.split(' '), '--all']
}

/** The kit has a command of its own. */
const kitHelp = () =>
  execFileSync(process.execPath, [`${root}packages/conformance/bin/conformance.js`, '--help'], {
    encoding: 'utf8',
  })

async function typableFlags(): Promise<readonly string[]> {
  return inPlace({}, async (place) => {
    const helps = await Promise.all(
      // The entry of hooks answers for itself.
      [['--help'], ['hook', '--help'], ...commands.filter((name) => name !== 'hook').map(longHelp)].map(
        (words) => place.run(words),
      ),
    )
    const all = [kitHelp(), ...helps.map(({ stdout }) => stdout)]
    return flagsIn(all.map((text) => text.replace(/Examples:[\s\S]*/, '')).join('\n'))
  })
}

describe('given the texts and the help', () => {
  it('then the help of every command has an example that begins with its name', async () => {
    await inPlace({}, async (place) => {
      for (const name of commands) {
        const { stdout, exitCode } = await place.run([...name.split(' '), '--help'])
        expect(stdout).toContain(`Examples:\n  $ donecheck ${name}`)
        expect(exitCode).toBe(0)
      }
    })
  })

  it('then every flag in a text can be typed, and every flag of run stands in the reference', async () => {
    const typable = await typableFlags()
    expect(typable).toContain('--until')
    for (const file of texts) {
      const unknown = flagsIn(readText(file)).filter(
        (flag) => !typable.includes(flag) && !foreign.includes(flag),
      )
      expect(unknown, file).toEqual([])
    }
    const reference = ['command', 'configuration'].flatMap((page) =>
      flagsIn(readFileSync(`${root}docs/reference/${page}.md`, 'utf8')),
    )
    const internal = ['--help', '--version', '--json', '--output', ...flagsIn(kitHelp())]
    expect(typable.filter((flag) => !reference.includes(flag) && !internal.includes(flag))).toEqual([])
  })
})
