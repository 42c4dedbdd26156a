import { describe, expect, it } from 'vitest'
import { kindOf, type ToolKind } from './tool-kinds.ts'

describe('given names that agents give to their tools', () => {
  it.each<[ToolKind, readonly string[]]>([
    ['shell', ['bash', 'execute_bash', 'run_shell_command', 'terminal', 'exec', 'Bash']],
    ['code', ['python', 'execute_code', 'code']],
    ['edit', ['write_file', 'edit', 'str_replace_editor', 'apply_patch', 'create']],
    [
      'read',
      ['read_file', 'Search', 'list_directory', 'open', 'get_user_details', 'search_file', 'web_search'],
    ],
    ['poll', ['command_status', 'wait', 'continue_wait', 'get_task_status', 'poll']],
    ['other', ['submit', 'deploy', 'think', 'opening_hours', 'reader']],
  ])('knows %s', (kind, tools) => {
    expect(tools.map((tool) => kindOf({ tool, args: {} }))).toEqual(tools.map(() => kind))
  })

  it('looks at the sub-command of two of them', () => {
    expect(kindOf({ tool: 'process', args: { action: 'poll' } })).toBe('poll')
    expect(kindOf({ tool: 'process', args: { action: 'kill' } })).toBe('shell')
    expect(kindOf({ tool: 'str_replace_editor', args: { command: 'view' } })).toBe('read')
  })
})
