/** Agent programs of the outside world. */
export { commandDrive } from './command-drive.ts'
