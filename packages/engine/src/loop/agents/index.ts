export { scriptedAgent, type ScriptedOptions, type ScriptedReply, type ScriptedStep } from './scripted.ts'
export { commandAgent } from './command-agent.ts'
export { toAgent, modelAgent } from './model/model-agent.ts'
export type { Model as LanguageModel } from '../../system/models/index.ts'
