import { cap, end, everyCap, everyEnd, everyTurn, neither, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const general = 'its general code for what went wrong'

export const geminiCli: ForeignSystem = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  seenIn: '0.61.0',
  vocabularies: [
    vocabulary(['0', '1', '41', '42', '44', '52', '53', '54', '55', '130'], {
      field: 'exit code',
      isComplete: true,
      successWords: ['0'],
      ends: {
        ...everyEnd(word('1', general)),
        task_complete: word('0'),
        model_ended: word('1', 'its own code for this is 0, which reads as success'),
        user_interrupt: word('130'),
        error: word('1'),
      },
      caps: {
        ...everyCap(word('1', general)),
        turns: word('53'),
        'model-calls': word('53', 'nearest: a limit of steps'),
        'tool-calls': word('53', 'nearest: a limit of steps'),
      },
      loops: word('1', 'its own code after a detected loop is 0, which reads as success'),
      turns: everyTurn(none('the process goes on')),
      ours: {
        0: end('model_ended', 'also after a detected loop'),
        1: end('error'),
        41: end('error', 'authentication'),
        42: neither('wrong input: there was no run'),
        44: end('error', 'the sandbox'),
        52: neither('wrong configuration: there was no run'),
        53: cap('iterations'),
        54: end('error', 'a tool'),
        55: end('permission_denied', 'the folder is not trusted'),
        130: end('user_interrupt'),
      },
    }),
  ],
}
