/** GitHub Copilot CLI. */
export { copilotHooks } from './hooks.ts'
export { copilotSettings } from './settings.ts'
