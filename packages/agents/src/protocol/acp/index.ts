export { acpDrive, acpProgramDrive, copilotDrive, geminiDrive, qwenDrive } from './drive.ts'
export type { AcpDriveOptions, AcpProgram } from './drive.ts'
