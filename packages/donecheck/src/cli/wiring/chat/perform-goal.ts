/** `/goal`: what `donecheck goal` understands, about the run of the session. */
import { Command, CommanderError } from 'commander'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import type { Line } from '@donecheck/engine/report'
import { wordsOfLine } from '../../agents/agent-words.ts'
import { goalControl } from '@donecheck/engine/compose'
import { changeGoal } from '../../commands/run/goal.ts'
import { goalLines } from '../../output/goal-text.ts'
import { addGoalCommand } from '../../commands/run/goal-options.ts'
import type { CliIo } from '../../process/io.ts'

/** @throws {UsageError} for words that it does not understand */
export async function performGoal(
  store: Store,
  runId: string,
  typed: string,
  io: CliIo,
): Promise<readonly Line[]> {
  const [action = 'show', ...words] = wordsOfLine(typed) ?? typed.split(/\s+/).filter((word) => word !== '')
  let lines: readonly Line[] = []
  const program = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  addGoalCommand(
    program,
    {
      async goalShow() {
        lines = goalLines(await goalControl(store).show(runId))
        return 0
      },
      async goalChange(kind, _run, text, flags) {
        lines = [{ tone: 'plain', text: await changeGoal(store, kind, runId, text, flags) }]
        return 0
      },
    },
    io,
    () => undefined,
  )
  try {
    await program.parseAsync(['goal', action, runId, ...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    throw new UsageError(error.message.replace(/^error: /, ''))
  }
  return lines
}
