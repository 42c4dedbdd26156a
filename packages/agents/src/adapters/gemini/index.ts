export { geminiHooks, geminiSettings } from './hooks.ts'
export { geminiDrive } from './drive.ts'
