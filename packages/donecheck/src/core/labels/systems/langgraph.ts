import { cap, end, everyCap, everyEnd, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const noWord = 'it gives no reason: the graph returns, or throws an error of its own'
const nearest = 'nearest: its limit of steps'

export const langGraph: ForeignSystem = {
  id: 'langgraph',
  title: 'LangGraph.js',
  seenIn: '1.7.3',
  vocabularies: [
    vocabulary(['GRAPH_RECURSION_LIMIT', 'interrupt'], {
      field: 'error code, or interrupt',
      isComplete: false,
      successWords: [],
      ends: { ...everyEnd(none(noWord)), awaiting_approval: word('interrupt') },
      caps: {
        ...everyCap(none(noWord)),
        turns: word('GRAPH_RECURSION_LIMIT', nearest),
        'model-calls': word('GRAPH_RECURSION_LIMIT', nearest),
        'tool-calls': word('GRAPH_RECURSION_LIMIT', nearest),
      },
      loops: none(noWord),
      turns: everyTurn(none('the graph goes on without a label')),
      ours: {
        GRAPH_RECURSION_LIMIT: cap('iterations'),
        interrupt: end('awaiting_approval'),
      },
    }),
  ],
}
