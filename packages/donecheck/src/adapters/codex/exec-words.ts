/** What follows `codex` on the command line of a turn of `codex exec`. */
import { excerptOf, showExcerpt } from '../../process/index.ts'

const choosesSandbox =
  /^(?:-s|--sandbox(?:=.*)?|--dangerously-bypass-approvals-and-sandbox|--yolo|--approve-for-me|sandbox_mode=.*|--(?:config|c)=sandbox_mode=.*)$/s

/** Linux takes no single argument longer than 128 KiB. */
const longestPromptBytes = 100 * 1024

/**
 * Commands of an unattended turn run in Codex's own sandbox, in which the work folder can be written and nothing else: `exec`
 * asks nobody, so what needs more than that fails, and the model hears it. The user's own words win.
 *
 * @param session the thread that is gone on with
 */
export function execArguments(
  words: readonly string[],
  { session, prompt }: { readonly session: string | undefined; readonly prompt: string },
): readonly string[] {
  const sandbox = words.some((word) => choosesSandbox.test(word)) ? [] : ['-s', 'workspace-write']
  const fixed = ['--json', '--skip-git-repo-check'].filter((word) => !words.includes(word))
  const gone = session === undefined ? [] : ['resume', session]
  // What follows is no option, whatever it begins with.
  return ['exec', ...fixed, ...sandbox, ...words, ...gone, '--', asArgument(prompt)]
}

/** An argument ends at its first zero character, and a long one is not taken at all: the middle is the least loss. */
function asArgument(prompt: string): string {
  const half = longestPromptBytes / 2
  const text = showExcerpt(excerptOf(prompt.replaceAll('\0', '\uFFFD'), half, half))
  // A lone hyphen would have the prompt read from the input.
  return text === '-' ? ' -' : text
}
