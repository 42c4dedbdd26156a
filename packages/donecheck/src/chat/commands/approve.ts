/** `/approve`: what waits for a person. */
import { UsageError } from '@donecheck/engine/base'
import { answerKinds, type AnswerKind, type CommandSession, type SlashCommand } from './command.ts'
import { plain, quiet } from './said.ts'

export const approve: SlashCommand = {
  name: 'approve',
  argument: `[${answerKinds.join('|')} …]`,
  help: 'what waits for an answer, and answer it; after a run, allow changes of its checks by path',
  complete: ({ waiting }) =>
    waiting.length === 0 ? [] : answerKinds.map((value) => ({ value, description: descriptions[value] })),
  async perform(words, session) {
    const [first = '', ...rest] = words.split(' ')
    if (session.waiting.length > 0) answerFirst(first, rest.join(' ').trim(), session)
    else await allowChanges(words, session)
  },
}

const descriptions: Readonly<Record<AnswerKind, string>> = {
  yes: 'this once',
  session: 'again in this session',
  always: 'by a rule that is kept',
  no: 'with a reason for the agent',
  never: 'by a rule that is kept',
  edit: 'the command that it should run instead',
}

function answerFirst(word: string, words: string, session: CommandSession): void {
  if (word === '') {
    session.show([
      ...session.waiting.map((line) => plain(`  ? ${line}`)),
      quiet(`/approve ${answerKinds.join(' | ')}`),
    ])
    return
  }
  const kind = answerKinds.find((one) => one === word)
  if (kind === undefined) throw new UsageError(`"${word}" is no answer; there are: ${answerKinds.join(', ')}`)
  session.answer({ kind, words })
}

/** What a run at rest waits for: changes of its checks that only a person may allow. */
async function allowChanges(words: string, session: CommandSession): Promise<void> {
  const { host, run, show } = session
  const stopped = run?.phase.kind === 'stopped' ? run.phase.transition : undefined
  if (run === undefined || stopped?.reason !== 'awaiting_approval') {
    show([quiet('nothing waits for an answer')])
    return
  }
  if (words === '') {
    show([plain(stopped.message), quiet('/approve all, or /approve <path> …, allows it and goes on')])
    return
  }
  const allowed = await host.allowChanges(run.runId, words === 'all' ? [] : words.split(' '))
  show([plain(`allowed: ${allowed.join(', ')}`)])
  await session.goOn('')
}
