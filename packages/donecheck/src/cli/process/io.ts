/** The world of the command, so that it can be run in a test without a process. */
export interface CliIo {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentFolder: string
  readonly homeFolder: string
}
