export {
  agentNames,
  agentsFolder,
  promptWords,
  realAgent,
  realSdk,
  rustTarget,
  sdksFolder,
  shellCall,
  type AgentName,
  type RealAgent,
} from './agents.ts'
export { atMost } from './at-most.ts'
export { describeWith, describeWithSdk } from './describe-with.ts'
export { codexHome, environmentFor, plainEnvironment, type Environment } from './environment.ts'
export { hanging, onlyReplies, type Hanging } from './hanging.ts'
export { killAll, leftoversOf, type Leftover } from './leftovers.ts'
export type { Body } from './wire/wire.ts'
export { jsonLines, linesOfType } from './lines.ts'
export { startModelServer, type ModelServer } from './model-server.ts'
export { donecheckProgram, inPlace, type Place, type PlaceOptions, type StartOptions } from './place.ts'
export { startProgram, type Ended, type ProgramOptions, type Running } from './program.ts'
export { check, greenProject, mends, mendsSum, redProject, redSum, works } from './projects.ts'
export type {
  Call,
  Failure,
  ModelRequest,
  Protocol,
  Reply,
  Script,
  ScriptedStep,
  Spoken,
  Step,
  Usage,
} from './step.ts'
