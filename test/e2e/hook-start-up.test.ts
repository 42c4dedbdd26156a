/** What a hook loads, as it was built: it runs at every call of a tool, and is waited for. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSessionFile } from '@donecheck/agents/internal/session'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../packages/donecheck/bin/donecheck.js', import.meta.url))
/** Loaded before the hook: writes down which files and which parts of Node it has loaded in the end. */
const listing = `
const { writeFileSync } = require('node:fs')
process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => /[\\/]dist[\\/]hook[\\/]/.test(file))
  writeFileSync(process.env.LOADED, JSON.stringify({ files, builtins: process.moduleLoadList }))
})
`
let root = ''

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-start-')))
  for (const name of ['home', 'plain', 'ruled', 'other']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'listing.cjs'), listing)
  const installed = join(root, 'home', '.local', 'state', 'donecheck', 'installed')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'a.json'), JSON.stringify({ projects: [join(root, 'plain')] }))
  const place = { environment: { HOME: join(root, 'home') }, homeFolder: join(root, 'home') }
  const keptRules = { 'a.rules': 'prefix_rule(pattern=["git", "push"], decision="forbidden")\n' }
  for (const [name, rules] of [
    ['plain', {}],
    ['ruled', keptRules],
  ] as const) {
    const workFolder = join(root, name)
    const config = { until: [{ command: 'true' }], keptRules: rules, keptProjectRules: {} }
    writeSessionFile({ ...place, workFolder }, { config, workFolder })
    loaded(name, 'UserPromptSubmit', { prompt: 'go' })
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Loaded {
  /** Without what tells one build from another. */
  readonly files: readonly string[]
  readonly builtins: readonly string[]
  readonly said: string
}

function loaded(project: string, event: string, payload: object): Loaded {
  const cwd = join(root, project)
  const list = join(root, 'loaded.json')
  const environment = { PATH: process.env['PATH'], HOME: join(root, 'home'), LOADED: list }
  const words = ['--require', join(root, 'listing.cjs'), program, 'hook', 'claude-code', event]
  const input = JSON.stringify({ session_id: project, cwd, hook_event_name: event, ...payload })
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    input,
    env: environment,
    encoding: 'utf8',
  })
  const { files: paths, builtins } = JSON.parse(readFileSync(list, 'utf8')) as Pick<
    Loaded,
    'files' | 'builtins'
  >
  const files = paths.map((file) => /([a-z-]+?)(?:-[\w-]{8})?\.cjs$/.exec(file)?.[1] ?? file)
  return {
    files: files.filter((name) => name !== 'rolldown-runtime').toSorted(),
    builtins,
    said: stdout + stderr,
  }
}

const command = (script: string) => ({ tool_name: 'Bash', tool_input: { command: script }, tool_use_id: 'c' })
const read = { tool_name: 'Read', tool_input: { file_path: 'a.ts' }, tool_use_id: 'r' }
const write = { tool_name: 'Write', tool_input: { file_path: 'src/a.ts', content: 'a' }, tool_use_id: 'w' }
const heavy = ['child_process', 'http', 'net', 'zlib', 'worker_threads']

describe('given a hook at a call of a tool', () => {
  it('loads next to nothing where nothing is configured', () => {
    const { files, said } = loaded('other', 'PreToolUse', command('ls'))
    expect({ files, said }).toEqual({ files: ['main'], said: '' })
  })

  it('loads no gate before a tool that reads', () => {
    expect(loaded('plain', 'PreToolUse', read).files).toEqual(['main', 'session'])
  })

  it.each([
    ['a command', command('npm run build')],
    ['a change of a file', write],
  ])('loads the gate before %s, and neither the checks nor parsers of programs', (_, payload) => {
    const { files, builtins, said } = loaded('plain', 'PreToolUse', payload)
    expect(files).toEqual(['gate', 'main', 'session'])
    expect(heavy.filter((name) => builtins.includes(`NativeModule ${name}`))).toEqual([])
    expect(said).toBe('')
  })

  it('loads the checks at a claim', () => {
    expect(loaded('plain', 'Stop', {}).files).toContain('checks')
  })

  it('keeps to pinned rules, without the checks', () => {
    const { files, said } = loaded('ruled', 'PreToolUse', command('git push'))
    expect(said).toContain('"permissionDecision":"deny"')
    expect(files).toEqual(['gate', 'main', 'session'])
    expect(loaded('ruled', 'PreToolUse', command('npm test')).said).toBe('')
  })
})
