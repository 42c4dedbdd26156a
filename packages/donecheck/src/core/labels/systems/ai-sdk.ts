import { end, everyCap, everyEnd, everyTurn, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const condition =
  'a stop condition leaves the finish reason of the last step, and says not which condition it was'
const noReason = 'its general word; it has none for this'

export const aiSdk: ForeignSystem = {
  id: 'ai-sdk',
  title: 'AI SDK',
  seenIn: '7.0.173',
  vocabularies: [
    vocabulary(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'interrupted', 'other'], {
      field: 'finishReason',
      isComplete: true,
      successWords: ['stop'],
      ends: {
        ...everyEnd(word('other', noReason)),
        task_complete: word('stop'),
        diminishing: word('tool-calls', condition),
        stagnated: word('tool-calls', condition),
        model_ended: word('other', 'its own word for this is stop, which reads as success'),
        awaiting_approval: word('tool-calls', 'the calls that wait for approval stay open'),
        user_interrupt: none('the abort signal ends it; interrupted is about a broken stream'),
        error: word('error'),
      },
      caps: everyCap(word('tool-calls', condition)),
      loops: word('tool-calls', condition),
      turns: {
        ...everyTurn(none('the next step is a call of your own')),
        tool_calls: word('tool-calls'),
        nudge_budget_left: word('stop'),
        max_output_recovery: word('length'),
      },
      ours: {
        stop: end('model_ended', 'nothing is known of a check'),
        length: turn('max_output_recovery'),
        'content-filter': end('blocked'),
        'tool-calls': turn('tool_calls', 'at the end of a run: a stop condition, or calls that wait'),
        error: end('error'),
        interrupted: end('error', "the provider's stream broke off"),
        other: end('error', 'taken as an error'),
      },
    }),
  ],
}
