/** The process of Codex, and who it talks with by its words. */
import { commandIn, hasWord, payloadOf, textIn, type OwnProgram } from '../../agents/index.ts'

export const codexProgram: OwnProgram = {
  names: ['codex'],
  folders: ['@openai/codex'],
  told(words) {
    if (hasWord(words, alone)) return 'nobody'
    if (words[0] === 'app-server' && words.includes('--managed-daemon')) return 'windows'
    if (hasWord(words, forClients)) return 'unknown'
    const command = commandIn(words)
    return command === undefined || inTerminal.includes(command) ? 'somebody' : 'unknown'
  },
  // Whoever talks to the server by other means opens it under another name.
  isOpenedInWindow(firstLine) {
    const fields = payloadOf(parsed(firstLine))
    const isMeta = textIn(fields, 'type') === 'session_meta'
    return isMeta && textIn(payloadOf(fields?.['payload']), 'originator') === 'codex-tui'
  },
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const alone = ['exec', 'e', 'review']

/** Whoever sits before those, if anybody does, sits elsewhere. */
const forClients = ['app-server', 'exec-server', 'mcp', 'mcp-server', 'cloud', 'remote-control']

const inTerminal: readonly string[] = ['resume', 'fork', 'agents']
