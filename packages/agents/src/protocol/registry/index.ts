/** The agents that are known, and which of them are installed here. */
export { acpTraitsOf, agentNamed, hookedAgentNames, knownAgents, namesOf } from './known-agents.ts'
export type { AgentName, KnownAgent, TellsUsage } from './known-agents.ts'
export { findAgents } from './find-agents.ts'
export type { FoundAgent } from './find-agents.ts'
