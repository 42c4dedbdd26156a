import type { Sandbox } from '../ports.ts'

/** Confines nothing and says so. @param reason why there is no other, as the end of a sentence */
export function noSandbox(reason: string): Sandbox {
  return {
    description: {
      driver: 'none',
      isConfined: false,
      network: 'on',
      summary: `NOT CONFINED: commands can read, write and reach whatever you can; ${reason}`,
    },
    confine: async ({ words, environment }) => ({ kind: 'ready', words, environment }),
  }
}
