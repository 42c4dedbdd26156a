import type { ToolEffect } from '../../events/index.ts'

const readers: readonly string[] = [
  'read',
  'glob',
  'grep',
  'list',
  'webfetch',
  'websearch',
  'codesearch',
  'todowrite',
  'todoread',
  'skill',
  'lsp',
  'question',
  // Stands for a call that could not be understood.
  'invalid',
]

const writers: readonly string[] = ['edit', 'write', 'multiedit', 'patch', 'apply_patch']

/** Tools that nobody knows, such as those of MCP servers, may do anything; a sub-agent (`task`) too. */
export function effectOf(tool: string): ToolEffect {
  if (readers.includes(tool)) return 'read'
  return writers.includes(tool) ? 'write' : 'execute'
}
