export { acpAgent, acpProgramAgent, copilotAgent, geminiAgent, qwenAgent } from './agent.ts'
export type { AcpAgentOptions, AcpProgram } from './agent.ts'
