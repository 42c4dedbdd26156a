/** An agent gains nothing by breaking or removing the record of its hooks. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installed, removeFolders } from './fixtures/installed.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '@donecheck/engine/store'
import { noteFolders, readAllowedStops } from './notes.ts'

afterEach(removeFolders)

const refusal = expect.stringContaining('"permissionDecision":"deny"') as unknown
const held = expect.stringContaining('"decision":"block"') as unknown

type Installed = ReturnType<typeof installed>

function replacedBy(make: (file: string) => void) {
  return ({ storeFolder }: Installed): void => {
    for (const name of readdirSync(storeFolder).filter((each) => each.startsWith('store.sqlite')))
      rmSync(join(storeFolder, name))
    make(join(storeFolder, 'store.sqlite'))
  }
}

function fifo(file: string): void {
  execFileSync('mkfifo', [file])
}

const breakings = [
  ['no database', replacedBy((file) => writeFileSync(file, 'x'.repeat(8192)))],
  ['cut off', ({ storeFolder }: Installed) => truncateSync(join(storeFolder, 'store.sqlite'), 5000)],
  ['a folder', replacedBy((file) => mkdirSync(file))],
  ['a pipe', replacedBy(fifo)],
  ['a link to nowhere', replacedBy((file) => symlinkSync('/nowhere/at-all', file))],
  ['gone', replacedBy(() => undefined)],
  ['empty', replacedBy((file) => writeFileSync(file, ''))],
  ['a new one', replacedBy((file) => void openSqliteStore({ folder: join(file, '..') }).close())],
] as const

describe.each(breakings)('given a store that is %s in the middle of a session', (_, spoil) => {
  it('still judges calls, holds the claim a few times, and never verifies', async () => {
    const hooks = installed()
    await hooks.begin()
    spoil(hooks)
    expect(await hooks.call('Write', { file_path: '.claude/settings.json', content: '{}' })).toEqual(refusal)
    expect(await hooks.bash('rm -rf .claude')).toEqual(refusal)
    expect(await hooks.bash('donecheck uninstall claude-code')).toEqual(refusal)
    const usual = await hooks.bash('ls')
    expect(usual).not.toEqual(refusal)
    expect(usual).toContain('not on record')
    writeFileSync(join(hooks.workFolder, 'done'), '')
    for (let count = 0; count < 3; count += 1) expect(await hooks.claim()).toEqual(held)
    expect(readAllowedStops(hooks.around)).toEqual([])
    expect(await hooks.claim()).toContain('nothing is verified')
    expect(readAllowedStops(hooks.around)).toMatchObject([
      { session: 'claude-code/s', folder: hooks.workFolder },
    ])
  })
})

describe('given a record that was taken away', () => {
  it('is not begun anew by another prompt or another session, until a person installs again', async () => {
    const hooks = installed()
    await hooks.begin()
    replacedBy(() => undefined)(hooks)
    await hooks.begin('once more')
    writeFileSync(join(hooks.workFolder, 'done'), '')
    expect(await hooks.claim({ session_id: 'another' })).toEqual(held)
    hooks.pin()
    await hooks.begin()
    expect(await hooks.claim()).toContain('verified')
  })
})

describe('given a session that begins after another was broken off', () => {
  it('is compared with the tree before that one, until a person installs again', async () => {
    const hooks = installed({ config: { until: [{ command: 'sh check.sh' }] } })
    const script = join(hooks.workFolder, 'check.sh')
    writeFileSync(script, 'test -f done\n')
    await hooks.begin()
    writeFileSync(script, 'exit 0\n')
    const [second, third] = [{ session_id: 'second' }, { session_id: 'third' }]
    const reported = await hooks.tell('UserPromptSubmit', { prompt: 'go on', ...second })
    expect(reported).toContain('did not end as verified')
    expect(await hooks.claim(second)).toEqual(held)
    hooks.pin()
    writeFileSync(script, 'test -d .\n')
    const later = new Date(Date.now() + 1000)
    utimesSync(hooks.sessionFile, later, later)
    await hooks.tell('UserPromptSubmit', { prompt: 'go on', ...third })
    expect(await hooks.claim(third)).toContain('verified: sh check.sh')
  })
})

describe.each([
  ['gone', () => undefined],
  ['no JSON', (file: string) => writeFileSync(file, '{')],
  ['a folder', (file: string) => mkdirSync(file)],
  ['a pipe', fifo],
  [
    'a link',
    (file: string) => {
      writeFileSync(`${file}.other`, '{"version":1,"config":{"until":[{"command":"test -d ."}]}}')
      symlinkSync(`${file}.other`, file)
    },
  ],
] as const)('given what was pinned is %s in the middle of a session', (_, make) => {
  it('lets only what reads go on, and holds the claim', async () => {
    const hooks = installed()
    await hooks.begin()
    rmSync(hooks.sessionFile)
    make(hooks.sessionFile)
    expect(await hooks.bash('ls')).toEqual(refusal)
    expect(await hooks.call('Write', { file_path: 'a.txt', content: 'x' })).toEqual(refusal)
    expect(await hooks.call('Read', { file_path: 'a.txt' })).not.toEqual(refusal)
    expect(await hooks.claim()).toEqual(held)
  })
})

describe('given what was pinned is gone before the first session', () => {
  it('is known by the record of the installation, in folders below as well', async () => {
    const hooks = installed()
    const { records, workFolder, sessionFile } = hooks
    writeFileSync(join(records, 'one.json'), JSON.stringify({ projects: [workFolder] }))
    rmSync(sessionFile)
    expect(await hooks.claim({ cwd: join(workFolder, '.claude') })).toEqual(held)
    expect(await hooks.bash('ls')).toEqual(refusal)
    expect(await hooks.claim({ cwd: hooks.root })).toBe('')
  })
})

describe('given a user who wants a broken donecheck to allow the stop', () => {
  it('passes, loudly, and records it', async () => {
    const hooks = installed({ onCrash: 'allow-stop' })
    await hooks.begin()
    replacedBy((file) => mkdirSync(file))(hooks)
    const answer = await hooks.bash('rm -rf .claude')
    expect(answer).not.toEqual(refusal)
    expect(answer).toContain('could not check')
    expect(await hooks.claim()).not.toEqual(held)
    expect(readAllowedStops(hooks.around)).toHaveLength(1)
  })
})

describe('given places in which nothing can be counted', () => {
  it.each([
    ['a file', (folder: string) => writeFileSync(folder, '')],
    ['a pipe', fifo],
    ['a link to nowhere', (folder: string) => symlinkSync('/nowhere/at-all', folder)],
  ])('counts elsewhere where the folder for it is %s', async (_, make) => {
    const hooks = installed()
    await hooks.begin()
    replacedBy((file) => mkdirSync(file))(hooks)
    make(join(hooks.state, 'donecheck', 'crashes'))
    make(join(hooks.state, 'donecheck', 'allow-stop'))
    const session_id = 'one'
    for (let count = 0; count < 3; count += 1) expect(await hooks.claim({ session_id })).toEqual(held)
    expect(await hooks.claim({ session_id })).not.toEqual(held)
    expect(readAllowedStops(hooks.around)).toMatchObject([{ session: `claude-code/${session_id}` }])
    for (const folder of noteFolders('crashes', hooks.around)) rmSync(dirname(folder), { recursive: true })
  })
})
