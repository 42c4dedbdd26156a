/** `/undo` and `/diff`: what was changed in the work folder. */
import { UsageError } from '@donecheck/engine/base'
import type { SlashCommand } from './command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  argument: '[back]',
  help: 'take back what the latest message has changed; back: put it in place again',
  complete: () => [{ value: 'back', description: 'put in place what was taken back' }],
  async perform(words, { steps, isWorking, show, moved }) {
    if (isWorking) throw new UsageError('it is at work: stop the turn first, with Ctrl-C')
    const { lines, changed } = words === 'back' ? await steps.redo() : await steps.undo()
    show(lines)
    if (changed.length === 0) return
    const how = words === 'back' ? 'put in place again' : 'taken back'
    moved(`By the person, since then: the changes of these files were ${how}: ${changed.join(', ')}`)
  },
}

export const diff: SlashCommand = {
  name: 'diff',
  argument: '[last]',
  help: 'what has changed since the session began; last: by the latest message',
  complete: () => [{ value: 'last', description: 'by the latest message' }],
  async perform(words, { steps, show, showDiff }) {
    const { diff: text, lines } = await steps.difference(words === 'last' ? 'last' : 'session')
    show(lines)
    if (text !== '') showDiff(text)
  },
}
