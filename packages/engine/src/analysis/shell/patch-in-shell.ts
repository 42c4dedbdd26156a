import { parse, type Command, type PipelineNode } from 'unbash'
import { literalText } from './words/word.ts'

export type PatchInShell =
  /** `folder` null: the one that the line is run in. */
  | { readonly kind: 'patch'; readonly patch: string; readonly folder: string | null }
  /** The line itself is a patch. */
  | { readonly kind: 'raw-patch' }
  | { readonly kind: 'none' }

const none: PatchInShell = { kind: 'none' }

/** In UTF-16 units. A line that is longer is no command line. */
const maxLineLength = 4_194_304

/**
 * A command line that does nothing but apply a patch: `apply_patch <<'EOF'`, also behind `cd folder &&`.
 * The text of the heredoc is taken as it is written, whether its word is quoted or not.
 */
export function patchInShell(script: string): PatchInShell {
  if (/^\s*\*\*\* Begin Patch/.test(script)) return { kind: 'raw-patch' }
  if (!/\bapply_?patch\b/.test(script) || script.length > maxLineLength) return none
  const { commands, errors } = parse(script)
  const [statement] = commands
  if (
    errors !== undefined ||
    commands.length !== 1 ||
    statement === undefined ||
    statement.background === true
  )
    return none
  const { command } = statement
  if (command.type !== 'AndOr') return patchOf(command, null)
  const [first, second] = command.commands
  const folder = first === undefined || command.operators.join() !== '&&' ? null : enteredFolder(first)
  return folder === null || second === undefined ? none : patchOf(second, folder)
}

function patchOf(node: PipelineNode, folder: string | null): PatchInShell {
  if (node.type !== 'Command' || !/^apply_?patch$/.test(nameOf(node))) return none
  const [heredoc, ...others] = node.redirects
  if (
    heredoc?.type !== 'HereDoc' ||
    heredoc.descriptor !== undefined ||
    others.length > 0 ||
    node.args.length > 0
  )
    return none
  const { body, operator, closing } = heredoc
  if (closing === undefined) return none
  return { kind: 'patch', patch: operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text, folder }
}

function enteredFolder(node: PipelineNode): string | null {
  if (node.type !== 'Command' || nameOf(node) !== 'cd' || node.redirects.length > 0) return null
  const [folder] = node.args
  return node.args.length === 1 && folder?.type === 'Word' ? literalText(folder) : null
}

/** Empty: it is not known, or variables are set for it. */
function nameOf({ name, prefix }: Command): string {
  return name === undefined || prefix.length > 0 ? '' : (literalText(name) ?? '')
}
