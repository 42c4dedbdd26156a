import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VerifierContext } from '../../../ports/checks.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { command, type CommandOptions } from './command.ts'
import { findSpellings, withFolder } from './line-in-copy.ts'

let base = ''
let project = ''
let copy = ''

/** The work folder is bad and the copy of it is good. */
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-in-copy-')))
  project = join(base, 'work tree')
  copy = join(base, 'copy')
  for (const [folder, state] of [
    [project, 'bad'],
    [copy, 'good'],
  ] as const) {
    await mkdir(join(folder, 'sub'), { recursive: true })
    await write(folder, { state, 'check.sh': 'grep -q good state\n', 'sub/state': state })
    await write(folder, { 'package.json': '{"scripts":{"test":"grep -q good state"}}' })
  }
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

async function write(folder: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
}

function check(line: string, options: CommandOptions = {}, changes: Partial<VerifierContext> = {}) {
  const context = contextOf({ workFolder: copy, projectFolder: project, ...changes })
  return command(line, { name: 'check', ...options }).verify(context, new AbortController().signal)
}

describe('given a line that names the work folder by its absolute path', () => {
  it.each([
    ['a folder that is entered', () => `cd "${project}" && sh check.sh`],
    ['an option of npm', () => `npm --prefix '${project}' test`],
    ['an option of another program', () => `env --chdir="${project}/sub" grep -q good state`],
    ['a file', () => `grep -q good '${project}/state'`],
    ['escaped spaces', () => `grep -q good ${project.replaceAll(' ', '\\ ')}/state`],
    ['another shell', () => `sh -c 'grep -q good "${project}/state"'`],
  ])('checks the copy, and says so: %s', async (_, line) => {
    const report = await check(line())
    expect(report).toMatchObject({ status: 'passed' })
    const notes = report.evidence.flatMap((one) => (one.kind === 'note' ? [one.text] : []))
    expect(notes.join()).toContain('the copy that is checked stands for it')
    expect(await check(line(), {}, { workFolder: project })).toMatchObject({ status: 'failed' })
  })

  it('knows its real path, and the path by which the run was given it', async () => {
    const link = join(base, 'link')
    await symlink(project, link)
    for (const path of [project, link])
      expect(await check(`grep -q good '${path}/state'`, {}, { projectFolder: link })).toMatchObject({
        status: 'passed',
      })
  })

  it('knows it in the variables of the check', async () => {
    const options = { environment: { PLACE: `${project}/state` } }
    expect(await check('grep -q good "$PLACE"', options)).toMatchObject({ status: 'passed' })
  })
})

describe('given a script that names the work folder by its absolute path', () => {
  it.each([
    [
      'package.json',
      'npm test',
      () => JSON.stringify({ scripts: { test: `grep -q bad '${project}/state'` } }),
    ],
    ['Makefile', 'make check', () => `check:\n\tgrep -q bad '${project}/state'\n`],
    ['check.sh', 'sh check.sh', () => `cd '${project}'\ngrep -q bad state\n`],
  ])('proves nothing, and says where: %s', async (file, line, text) => {
    await write(copy, { [file]: text() })
    const report = await check(line)
    expect(report).toMatchObject({ status: 'error', qualifiers: ['unverifiable'] })
    expect(report.reason).toContain(file)
    expect(report.reason).toContain('relative to the project')
  })

  it('does not mind it where the work folder itself is checked', async () => {
    await write(project, { 'check.sh': `grep -q bad '${project}/state'\n` })
    expect(await check('sh check.sh', {}, { workFolder: project })).toMatchObject({ status: 'passed' })
    const link = join(base, 'link')
    await symlink(project, link)
    const linked = { workFolder: project, projectFolder: link }
    expect(await check('sh check.sh', {}, linked)).toMatchObject({ status: 'passed' })
  })
})

describe('given words that are no such path', () => {
  it.each([
    '/srv/app2/x',
    '/srv/app-old',
    '/srv/app.bak/x',
    '/mnt/srv/app',
    'x/srv/app',
    'cat srv/app',
    '$ROOT/srv/app',
  ])('leaves %s alone', async (text) => {
    expect(withFolder(text, await findSpellings('/srv/app', '/copy', '/srv'))).toBe(text)
  })

  it.each([
    ['cd /srv/app; x', 'cd /copy; x'],
    ['make -C/srv/app', 'make -C/copy'],
    ['A=/srv/app/x:/srv/app', 'A=/copy/x:/copy'],
    ['file:///srv/app/a.js', 'file:///copy/a.js'],
    ['(cd ~/app && x) $HOME/app/a "${HOME}/app"', '(cd /copy && x) /copy/a "/copy"'],
  ])('replaces it in %s', async (text, replaced) => {
    expect(withFolder(text, await findSpellings('/srv/app', '/copy', '/srv'))).toBe(replaced)
  })
})
