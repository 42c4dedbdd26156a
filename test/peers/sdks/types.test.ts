/** What is given from one side to the other fits by the types of the real SDKs, without a cast. */
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { describeWithSdk, sdksFolder } from '../kit/index.ts'

/** By the package that it is about. */
const programs = {
  '@openai/agents': `
    import { Agent, Runner, type OutputGuardrail } from '@openai/agents'
    import { command } from 'donecheck'
    import { guardrailVerifier, outputGuardrail, verifiedRun } from '@donecheck/agents/openai-agents'
    declare const theirs: OutputGuardrail
    const agent = new Agent({ name: 'a', outputGuardrails: [outputGuardrail({ hardVerifiers: [command('true')] })] })
    export const run = verifiedRun(new Runner(), agent, 'x', { hardVerifiers: [guardrailVerifier(theirs)] })`,
  langchain: `
    import { createAgent, tool } from 'langchain'
    import { ChatOpenAI } from '@langchain/openai'
    import { MessagesAnnotation, StateGraph, END, START } from '@langchain/langgraph'
    import { toolsCondition } from '@langchain/langgraph/prebuilt'
    import { command } from 'donecheck'
    import { edgeVerifier, verifiedMiddleware, verifiedNode } from '@donecheck/agents/langchain'
    const model = new ChatOpenAI({ model: 'x' })
    const hardVerifiers = [edgeVerifier(toolsCondition), command('true')]
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
    import type { MastraScorer } from '@mastra/core/evals'
    import { command } from 'donecheck'
    import { completionScorer, scorerVerifier, verifiedGenerate } from '@donecheck/agents/mastra'
    declare const theirs: MastraScorer
    declare const agent: Agent
    const hardVerifiers = [scorerVerifier(theirs), command('true')]
    const scorers = [completionScorer<MastraScorer>({ hardVerifiers })]
    export const generated = agent.generate('x', { isTaskComplete: { scorers } })
    export const verified = verifiedGenerate(agent, 'x', { hardVerifiers })`,
  ai: `
    import { ToolLoopAgent, generateText, isStepCount, type LanguageModel } from 'ai'
    import { command } from 'donecheck'
    import { aiSdkRule, stopWhen, verifiedAgent, whenVerified } from '@donecheck/agents/ai-sdk'
    declare const model: LanguageModel
    const hardVerifiers = [command('true')]
    const conditions = [isStepCount(3), stopWhen({ conditions: isStepCount(2) }), whenVerified({ hardVerifiers })]
    export const text = generateText({ model, prompt: 'x', stopWhen: conditions })
    export const agent = verifiedAgent((guard) => new ToolLoopAgent(guard({ model })), { hardVerifiers })
    export const rule = aiSdkRule(isStepCount(3))`,
  '@anthropic-ai/claude-agent-sdk': `
    import { query, type Options } from '@anthropic-ai/claude-agent-sdk'
    import { command } from 'donecheck'
    import { verifiedQuery } from '@donecheck/agents/claude-code'
    const options: Options = { canUseTool: async (_tool, input) => ({ behavior: 'allow', updatedInput: input }) }
    export const messages = verifiedQuery(query, { prompt: 'x', options: { ...options } }, { hardVerifiers: [command('true')] })`,
} as const

/** What the compiler has against programs that stand beside the SDKs. One compilation: most of its time goes to what they share. */
function complaintsOf(texts: readonly string[]): readonly string[] {
  const files = new Map(texts.map((text, index) => [join(sdksFolder(), `program-${index}.ts`), text]))
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  }
  const host = ts.createCompilerHost(options)
  const beside: ts.CompilerHost = {
    ...host,
    getSourceFile: (path, ...more) => {
      const text = files.get(path)
      return text === undefined
        ? host.getSourceFile(path, ...more)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2024)
    },
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
  }
  const program = ts.createProgram([...files.keys()], options, beside)
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file === undefined ? '' : basename(file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}

describeWithSdk(Object.keys(programs), 'given predicates of the SDKs and of ours', () => {
  it('each fits where the other side wants one, and what does not fit is found', () => {
    const wrong = programs['@openai/agents'].replace(
      'guardrailVerifier(theirs)',
      "guardrailVerifier('theirs')",
    )
    expect(wrong).not.toBe(programs['@openai/agents'])
    expect(complaintsOf([wrong, ...Object.values(programs)])).toEqual([
      expect.stringMatching(/^program-0\.ts: .*'string'/u) as string,
    ])
  })
})
