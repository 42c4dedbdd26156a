import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sessionFileOf, writeSessionFile } from '@donecheck/agents/internal/session'
import { installed, removeFolders } from './fixtures/installed.ts'
import { readAllowedStops } from './notes.ts'
import { readHookInput } from './input.ts'

afterEach(removeFolders)

const refusal = expect.stringContaining('"permissionDecision":"deny"') as unknown
const held = expect.stringContaining('"decision":"block"') as unknown

describe('given an agent that calls donecheck itself', () => {
  it('may not install, uninstall, or speak in the name of its own program', async () => {
    const { bash, begin } = installed()
    await begin()
    for (const script of [
      'donecheck install claude-code --until true --yes',
      'cd /tmp && donecheck uninstall claude-code --yes',
      "echo '{}' | donecheck hook claude-code SessionEnd",
      'donecheck hook claude-code SessionEnd --help',
      'npx donecheck@latest uninstall claude-code --yes',
      'npx -y donecheck resume last',
      'node /opt/lib/node_modules/donecheck/bin/donecheck.js install claude-code --until true',
      'node ./node_modules/donecheck/dist/hook/main.cjs claude-code SessionEnd',
      'node ./node_modules/donecheck/dist/hook/start.cjs claude-code SessionEnd',
      "sh -c 'donecheck uninstall claude-code'",
      'donecheck run --agent "rm -rf ~" --until true work',
      'npx donecheck verify --until "sh anything.sh"',
      'donecheck verify --held-out=true',
    ])
      expect(await bash(script), script).toEqual(refusal)
  })

  it('may look', async () => {
    const { bash, begin } = installed()
    await begin()
    for (const script of [
      'donecheck list --sessions',
      'donecheck show last',
      'npx donecheck verify',
      'npx donecheck verify --until "test -f done"',
      'donecheck run --help',
      'donecheck install --help',
      'npm install donecheck',
      'git commit -m "donecheck install"',
    ])
      expect(await bash(script), script).not.toEqual(refusal)
  })
})

describe('given what watches over the work lies elsewhere', () => {
  it('is neither written to, nor moved or removed with a folder above it', async () => {
    const { bash, call, begin, state, root, homeFolder } = installed()
    await begin()
    for (const script of [
      `rm -rf ${state}/donecheck`,
      `rm -rf ${state}`,
      'rm -rf "$XDG_STATE_HOME/../state"'.replace('$XDG_STATE_HOME', state),
      `cd ${root} && rm -r state`,
      `cd ${root} && mv sta* gone`,
      'mv .claude x',
      'mv x .claude',
      'rm -rf .cl*',
      'rm -rf ../work',
      `find ${state} -delete`,
      `find ${state} -name '*.db' -exec rm {} +`,
      `chmod 000 ${state}/donecheck`,
      `truncate -s 0 ${state}/donecheck/store/one.db`,
      `mkfifo ${state}/donecheck/x`,
      `sqlite3 ${state}/donecheck/store/one.db 'delete from runs'`,
      `tar -x -f a.tar -C ${state}`,
      'git checkout -- .claude/settings.json',
      'git restore .claude/settings.local.json',
      `echo x > ${state}/donecheck/session.json`,
    ])
      expect(await bash(script), script).toEqual(refusal)
    for (const path of [
      join(state, 'donecheck', 'session.json'),
      join(state, 'donecheck', 'installed', 'one.json'),
      join(homeFolder, '.claude', 'settings.local.json'),
      join(root, 'lib', 'donecheck', 'dist', 'hook', 'main.cjs'),
    ])
      expect(await call('Write', { file_path: path, content: '{}' }), path).toEqual(refusal)
  })

  it('leaves usual work alone', async () => {
    const { bash, begin, homeFolder } = installed()
    await begin()
    for (const script of [
      'rm -rf dist',
      'rm -rf *',
      'mv a.txt ..',
      'mv src/a .',
      'rm .claude/notes.md',
      'mkdir -p .claude',
      'chmod +x build.sh',
      'find . -name "*.tmp" -delete'.replace('.', 'dist'),
      "find src -name '*.ts' -exec cat {} +",
      `find ${homeFolder} -name x`,
      'git checkout -- .',
      'git checkout main',
      'tar -x -f a.tar -C dist',
    ])
      expect(await bash(script), script).not.toEqual(refusal)
  })

  it('holds a claim, loudly, where all record of the installation is gone', async () => {
    const { send, stop, state } = installed()
    rmSync(state, { recursive: true })
    const answer = await send('Stop', { kind: 'payload', payload: stop })
    expect(answer).toEqual(held)
    expect(answer).toContain('is gone')
  })

  it('says nothing in a project that was never installed', async () => {
    const { send, stop, around, workFolder } = installed()
    rmSync(dirname(sessionFileOf({ ...around, workFolder })), { recursive: true })
    expect(await send('Stop', { kind: 'payload', payload: stop })).toBe('')
  })
})

describe('given input that cannot be read', () => {
  it('is told without a word of it', () => {
    const { root } = installed()
    writeFileSync(join(root, 'input'), '{"key": "sk-secret" ')
    const descriptor = openSync(join(root, 'input'), 'r')
    try {
      expect(JSON.stringify(readHookInput(descriptor))).not.toContain('sk-secret')
    } finally {
      closeSync(descriptor)
    }
  })

  it('leaves a record where it allows the stop in the end', async () => {
    const { send, around } = installed()
    const input = { kind: 'unreadable', problem: 'too long' } as const
    for (let time = 0; time < 3; time += 1) expect(await send('Stop', input)).toEqual(held)
    expect(readAllowedStops(around)).toEqual([])
    expect(await send('Stop', input)).not.toEqual(held)
    expect(readAllowedStops(around)).toMatchObject([{ problem: 'too long' }])
  })

  it('refuses the call, however deep its arguments are', async () => {
    const { call } = installed()
    const x: unknown = JSON.parse('['.repeat(5000) + ']'.repeat(5000))
    expect(await call('Write', { file_path: '.claude/settings.json', content: '{}', x })).toEqual(refusal)
  })

  it('refuses the call, and holds the claim, where it is too long', async () => {
    const { send } = installed()
    const input = { kind: 'unreadable', problem: 'too long' } as const
    expect(await send('PreToolUse', input)).toEqual(refusal)
    expect(await send('Stop', input)).toEqual(held)
    expect(await send('PostToolUse', input)).not.toEqual(held)
  })
})

describe('given an agent that was started in the terminal of another', () => {
  it('goes by its own variable alone', async () => {
    const { send, stop, root } = installed()
    const payload = { ...stop, turn_id: 't' }
    const elsewhere = { CLAUDE_PROJECT_DIR: root }
    expect(await send('Stop', { kind: 'payload', payload }, 'codex', elsewhere)).toEqual(held)
    expect(await send('Stop', { kind: 'payload', payload }, 'claude-code', elsewhere)).toBe('')
  })
})

describe('given a linked work tree of the project', () => {
  const git = (folder: string, ...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid', ...words], {
      cwd: folder,
      stdio: 'pipe',
    })

  function linked(where: (root: string) => string) {
    const one = installed()
    git(one.workFolder, 'init', '--quiet')
    git(one.workFolder, 'commit', '--quiet', '--allow-empty', '--message', 'first')
    const tree = where(one.root)
    git(one.workFolder, 'worktree', 'add', '--quiet', tree, '-b', 'fix')
    mkdirSync(join(tree, 'src'))
    return { ...one, tree, finish: (folder: string) => writeFileSync(join(folder, 'done'), '') }
  }
  const places: readonly [string, (root: string) => string][] = [
    ['in the project', (root) => join(root, 'home/work/.claude/worktrees/fix')],
    ['elsewhere', (root) => join(root, 'beside')],
  ]

  it.each(places)('%s, the checks run there, in whichever folder of it the agent is', async (_, where) => {
    const { tell, claim, workFolder, tree, finish } = linked(where)
    finish(workFolder)
    await tell('UserPromptSubmit', { prompt: 'do it', cwd: tree })
    expect(await claim({ cwd: tree })).toEqual(held)
    expect(await claim({ cwd: join(tree, 'src') })).toEqual(held)
    expect(await claim({ cwd: workFolder })).toEqual(held)
    finish(tree)
    expect(await claim({ cwd: join(tree, 'src') })).not.toEqual(held)
  })

  it.each(places)('%s, the variable of the agent names the main checkout', async (_, where) => {
    const { send, stop, workFolder, tree, finish } = linked(where)
    finish(workFolder)
    const payload = { ...stop, cwd: tree }
    const variables = { CLAUDE_PROJECT_DIR: workFolder }
    expect(await send('Stop', { kind: 'payload', payload }, 'claude-code', variables)).toEqual(held)
  })

  it.each(places)('%s, work in the main checkout is not covered up by going there', async (_, where) => {
    const { begin, claim, tree, workFolder, finish } = linked(where)
    await begin()
    finish(tree)
    expect(await claim({ cwd: tree })).toEqual(held)
    finish(workFolder)
    expect(await claim({ cwd: tree })).not.toEqual(held)
  })

  it.each(places)('%s, it is checked too once the agent has written there', async (_, where) => {
    const { begin, call, claim, tree, workFolder, finish } = linked(where)
    await begin()
    finish(workFolder)
    expect(await call('Write', { file_path: join(tree, 'src/a.txt'), content: 'x' })).not.toEqual(refusal)
    writeFileSync(join(tree, 'src/a.txt'), 'x')
    expect(await claim()).toEqual(held)
    finish(tree)
    expect(await claim()).not.toEqual(held)
  })

  it('of another repository, it is not the project', async () => {
    const { begin, claim, workFolder, finish } = linked((root) => join(root, 'beside'))
    const nested = join(workFolder, 'nested')
    mkdirSync(nested)
    git(nested, 'init', '--quiet')
    finish(nested)
    await begin()
    expect(await claim({ cwd: nested })).toEqual(held)
  })

  it('that only claims to be one is not the project', async () => {
    const { begin, claim, workFolder, tree, finish } = linked((root) => join(root, 'beside'))
    const forged = join(workFolder, 'forged')
    mkdirSync(forged)
    writeFileSync(join(forged, '.git'), readFileSync(join(tree, '.git')))
    finish(forged)
    await begin()
    expect(await claim({ cwd: forged })).toEqual(held)
  })
})

describe('given an agent that has gone elsewhere', () => {
  it('is held by the checks of where its session began', async () => {
    const { begin, claim, call, root, workFolder } = installed()
    await begin()
    expect(await claim({ cwd: root })).toEqual(held)
    expect(await claim({ cwd: join(root, 'gone') })).toEqual(held)
    writeFileSync(join(workFolder, 'done'), '')
    expect(await claim({ cwd: root })).not.toEqual(held)
    expect(await call('Write', { file_path: `${workFolder}/.claude/settings.json`, content: '' })).toEqual(
      refusal,
    )
  })

  it('belongs to another project once it is begun there', async () => {
    const { begin, claim, tell, around, root } = installed()
    await begin()
    const workFolder = join(root, 'other')
    mkdirSync(workFolder)
    writeSessionFile({ ...around, workFolder }, { workFolder, config: { until: [{ command: 'true' }] } })
    expect(await claim({ cwd: workFolder })).toEqual(held)
    await tell('SessionStart', { source: 'resume', cwd: workFolder })
    await tell('UserPromptSubmit', { prompt: 'go on here', cwd: workFolder })
    expect(await claim({ cwd: workFolder })).not.toContain('test -f done')
  })

  it('is another session under another name', async () => {
    const { begin, claim, root } = installed()
    await begin()
    expect(await claim({ cwd: root, session_id: 'other' })).toBe('')
  })
})
