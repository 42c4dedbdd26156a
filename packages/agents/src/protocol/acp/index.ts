export { acpDrive, acpProgramDrive } from './drive.ts'
export type { AcpDriveOptions, AcpProgram } from './drive.ts'
