import { checkKind, given, loadVerifiers, text, z } from './check-kind.ts'

export const human = checkKind({
  name: 'human',
  what: 'what a person says',
  options: {
    question: text.describe('what a person decides, at the terminal or with donecheck approve'),
    details: text.exactOptional().describe('what there is to look at'),
    reads: z.enum(['workspace', 'answer']).exactOptional().describe('what is approved (the work tree)'),
  },
  line: (typed) => ({ question: typed }),
  async verifiers({ question, details, reads = 'workspace' }, options, { human: person }) {
    const { humanApproves } = await loadVerifiers()
    return [humanApproves({ ...options, ...given({ details }), question, human: person, reads })]
  },
})
