import { afterEach, describe, expect, it } from 'vitest'
import type { Tool } from '../../../ports/loop.ts'
import { ready, removeToolFolders, toolFolder } from '../../../testing/contracts/tool-contract.ts'
import { runShellTool } from './run-shell.ts'

/** Only with the system's programs, without a patch program. */
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
