/** Gemini CLI as an outer loop. */
import { cliDrive, type CliDriveOptions } from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'
import { checkPolicyWords } from './check-policy.ts'
import { sessionUsage } from './session-usage.ts'
import { withSteps } from './steps.ts'
import { geminiTranslator } from './translate.ts'

export type GeminiDriveOptions = CliDriveOptions

const chosenHere = {
  prompt: 'the prompt is the task, and then what the checks have found',
  talk: 'nobody is there to talk to it',
  form: 'the form of the output is chosen here',
  session: 'the session is chosen here',
  folder: 'the checks look at the folder of the run',
}

const gemini = cliDrive({
  program: 'gemini',
  description: { maxOutputTokens: 65_536, contextWindowTokens: 1_000_000 },
  refused: {
    ...{ '--prompt': chosenHere.prompt, '-p': chosenHere.prompt },
    ...{ '--prompt-interactive': chosenHere.talk, '-i': chosenHere.talk },
    ...{ '--output-format': chosenHere.form, '-o': chosenHere.form },
    ...{ '--resume': chosenHere.session, '-r': chosenHere.session },
    ...{ '--session-id': chosenHere.session, '--session-file': chosenHere.session },
    ...{ '--worktree': chosenHere.folder, '-w': chosenHere.folder },
  },
  wordsOf: (session, words, { ownChecks = [], folder }) => [
    ...['--output-format', 'stream-json'],
    ...(words.some((word) => saysApproval.test(word)) ? [] : ['--approval-mode', 'auto_edit']),
    ...(session === undefined ? [] : ['--resume', session]),
    ...checkPolicyWords(ownChecks, folder),
    ...words,
  ],
  inputOf: ({ prompt, session }) => (session === undefined ? prompt : literal(prompt)),
  translator: geminiTranslator,
  inOrder(signals, environment) {
    const sinceMs = Date.now()
    return withSteps(signals, (id) => sessionUsage({ id, sinceMs, environment }))
  },
})

/**
 * Without a word on approvals it may edit files and run the checks of the run, and nothing else is approved for it: nobody is there to ask, and a shell without
 * a sandbox is more than a file that the next check looks at. `--yolo` (best with `--sandbox`) approves everything, and its own
 * policies and settings hold as ever.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function geminiDrive(options: GeminiDriveOptions): Drive {
  return gemini(options)
}

const saysApproval = /^(?:--approval-mode|--yolo|-y)(?:=|$)/

/**
 * Gemini CLI puts the content of files behind every `@path`, and of the first that is named alike. In a task that is what its
 * author wants; in evidence, such as a stack trace with `node_modules/@scope`, it is not.
 */
function literal(prompt: string): string {
  return prompt.replaceAll(/(?<!\\)@/g, String.raw`\@`)
}
