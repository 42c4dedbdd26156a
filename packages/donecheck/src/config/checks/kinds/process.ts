import { checkKind, given, loadVerifiers, text, z } from './check-kind.ts'

export const process = checkKind({
  name: 'process',
  what: 'something that runs',
  options: {
    port: z.number().int().min(1).max(65_535).exactOptional().describe('something listens on it'),
    pidFile: text.exactOptional().describe('a file of the work folder with a process id'),
  },
  line: (typed) => (/^\d+$/.test(typed) ? { port: Number(typed) } : { pidFile: typed }),
  async verifiers({ port, pidFile }, options) {
    return [(await loadVerifiers()).processAlive({ ...options, ...given({ port, pidFile }) })]
  },
})
