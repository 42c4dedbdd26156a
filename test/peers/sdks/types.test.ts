/** What is given from one side to the other fits by the types of the real SDKs, without a cast. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../architecture/read-tree.ts'
import { describeWithSdk, sdksFolder } from '../kit/index.ts'

/** By the package that it is about. */
const programs = {
  '@openai/agents': `
    import { Agent, Runner } from '@openai/agents'
    import { command } from 'donecheck'
    import { verifiedRun } from '@donecheck/agents/openai-agents'
    const agent = new Agent({ name: 'a' })
    export const run = verifiedRun(new Runner(), agent, 'x', { hardVerifiers: [command('true')] })`,
  langchain: `
    import { createAgent, tool } from 'langchain'
    import { ChatOpenAI } from '@langchain/openai'
    import { MessagesAnnotation, StateGraph, END, START } from '@langchain/langgraph'
    import { command } from 'donecheck'
    import { verifiedMiddleware, verifiedNode } from '@donecheck/agents/langchain'
    const model = new ChatOpenAI({ model: 'x' })
    const hardVerifiers = [command('true')]
    const look = tool(() => 'seen', { name: 'look', description: 'looks', schema: { type: 'object', properties: {} } })
    export const agent = createAgent({ model, tools: [look], middleware: [verifiedMiddleware({ hardVerifiers })] })
    const checks = verifiedNode({ hardVerifiers })
    export const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('checks', checks.node)
      .addEdge(START, 'model')
      .addEdge('model', 'checks')
      .addConditionalEdges('checks', checks.verifiedEdge({ open: 'model', over: END }), ['model', END])
      .compile()`,
  '@mastra/core': `
    import { Agent } from '@mastra/core/agent'
    import { command } from 'donecheck'
    import { verifiedGenerate } from '@donecheck/agents/mastra'
    declare const agent: Agent
    const hardVerifiers = [command('true')]
    export const verified = verifiedGenerate(agent, 'x', { hardVerifiers })`,
  ai: `
    import { ToolLoopAgent, generateText, isStepCount, type LanguageModel } from 'ai'
    import { command } from 'donecheck'
    import { stopWhen, verifiedAgent } from '@donecheck/agents/ai-sdk'
    declare const model: LanguageModel
    const hardVerifiers = [command('true')]
    const conditions = [isStepCount(3), stopWhen({ conditions: isStepCount(2) })]
    export const text = generateText({ model, prompt: 'x', stopWhen: conditions })
    export const agent = verifiedAgent((guard) => new ToolLoopAgent(guard({ model })), { hardVerifiers })`,
  '@anthropic-ai/claude-agent-sdk': `
    import { query, type Options } from '@anthropic-ai/claude-agent-sdk'
    import { command } from 'donecheck'
    import { verifiedQuery } from '@donecheck/agents/claude-code'
    const options: Options = { canUseTool: async (_tool, input) => ({ behavior: 'allow', updatedInput: input }) }
    export const messages = verifiedQuery(query, { prompt: 'x', options: { ...options } }, { hardVerifiers: [command('true')] })`,
} as const

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node'] },
  ...{ target: 'ES2024', module: 'nodenext', moduleResolution: 'nodenext' },
  // Absolute: the SDKs may lie elsewhere.
  typeRoots: [join(repositoryRoot, 'node_modules/@types')],
}

/** What the compiler has against programs that stand beside the SDKs. One compilation: most of its time goes to what they share. */
function complaintsOf(texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(sdksFolder(), 'types-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `program-${index}.ts`), text)
    const compiler = join(repositoryRoot, 'node_modules/.bin/tsc')
    const words = ['--project', '.', '--pretty', 'false']
    const { stdout, stderr } = spawnSync(compiler, words, { cwd: folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    // What is indented explains the line above it.
    return stdout.split('\n').filter((line) => /^\S/u.test(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describeWithSdk(Object.keys(programs), 'given predicates of the SDKs and of ours', () => {
  it('each fits where the other side wants one, and what does not fit is found', () => {
    const wrong = programs['@openai/agents'].replace("[command('true')]", '[42]')
    expect(wrong).not.toBe(programs['@openai/agents'])
    expect(complaintsOf([wrong, ...Object.values(programs)])).toEqual([
      expect.stringMatching(/^program-0\.ts\(.*'number'/u) as string,
    ])
  })
})
