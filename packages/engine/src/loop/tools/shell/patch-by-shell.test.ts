import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tool } from '../../../ports/loop.ts'
import { ready, removeToolFolders, toolFolder } from '../../../testing/contracts/tool-contract.ts'
import { runShellTool } from './run-shell.ts'

function toolIn(workFolder: string): Tool {
  const tree = { workFolder }
  return runShellTool({ ...tree, timeoutMs: 30_000, maxTimeoutMs: 60_000, environment: { PATH: '/none' } })
}

/** With the programs of the system, where no patch program is. */
function inPath(workFolder: string): Tool {
  const tree = { workFolder }
  return runShellTool({
    ...tree,
    timeoutMs: 30_000,
    maxTimeoutMs: 60_000,
    environment: { PATH: '/usr/bin:/bin' },
  })
}

afterEach(removeToolFolders)

const never = new AbortController().signal

const patch = '*** Begin Patch\n*** Update File: b.txt\n@@\n-one\n+1 $HOME\n*** End Patch'

describe('given a command line that only applies a patch', () => {
  it.each([
    ['a heredoc', `apply_patch <<'EOF'\n${patch.replace('b.txt', 'd/b.txt')}\nEOF`],
    ['the other name', `applypatch <<X\n${patch.replace('b.txt', 'd/b.txt')}\nX\n`],
    ['another folder', `cd d && apply_patch <<"EOF"\n${patch}\nEOF`],
    ['a folder in quotes', `cd './d' && apply_patch <<'EOF'\n${patch}\nEOF\n`],
  ])('with %s, it is shown and made as a patch, and no program is started', async (_, command) => {
    const folder = toolFolder()
    const call = await ready(toolIn(folder), { command })
    expect(call.summary).toBe('patch 1 file: M d/b.txt')
    expect(call.preview).toContain('--- a/d/b.txt\n+++ b/d/b.txt')
    expect(call.action).toEqual({
      kind: 'change',
      files: [{ path: 'd/b.txt', before: 'one\n', after: '1 $HOME\n' }],
    })
    expect(await call.run(never)).toEqual({
      status: 'ok',
      output: 'Success. Updated the following files:\nM d/b.txt',
    })
    expect(readFileSync(join(folder, 'd/b.txt'), 'utf8')).toBe('1 $HOME\n')
  })

  it.each([
    ['a folder outside', `cd .. && apply_patch <<'EOF'\n${patch}\nEOF`, 'outside'],
    ['a link to the outside', `cd out && apply_patch <<'EOF'\n${patch}\nEOF`, 'outside'],
    ['a patch that does not apply', `apply_patch <<'EOF'\n${patch}\nEOF`, 'b.txt'],
    ['a patch as the command', patch, 'call apply_patch with it'],
    ['a patch after blank lines', `\n  ${patch}`, 'call apply_patch with it'],
  ])('%s is refused', async (_, command, reason) => {
    const folder = toolFolder()
    mkdirSync(join(folder, '../elsewhere'))
    symlinkSync('../elsewhere', join(folder, 'out'))
    expect(await toolIn(folder).prepare({ command })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining(reason) as string,
    })
  })
})

describe('given any other command line', () => {
  it.each([
    'echo apply_patch',
    `apply_patch <<'EOF' && rm x\n${patch}\nEOF`,
    'cat <<EOF\n*** Begin Patch\nEOF',
  ])('%j is a command', async (command) => {
    const folder = toolFolder()
    const call = await ready(toolIn(folder), { command })
    expect(call.action).toEqual({ kind: 'command', script: command, folder })
  })
})

describe('given a command line that runs apply_patch as a program, where there is none', () => {
  it.each([
    `apply_patch '${patch}'`,
    `sh -c "apply_patch <<'EOF'\n${patch.replace('$', '')}\nEOF"`,
    `cat x | apply_patch`,
  ])('%j fails, and says how it is done', async (command) => {
    const folder = toolFolder()
    const call = await ready(inPath(folder), { command })
    const { status, output } = await call.run(never)
    expect(status).toBe('error')
    expect(output).toMatch(
      /\n\[exit code 127\]\n\[apply_patch is a tool, not a program: call it with the patch\]$/,
    )
  })
})
