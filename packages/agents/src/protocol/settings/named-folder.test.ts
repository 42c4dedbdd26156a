import { describe, expect, it } from 'vitest'
import { folderNamed, variableIn } from './agent-folders.ts'

const place = (value: string | undefined) => ({
  homeFolder: '/home/ada',
  workFolder: '/srv/shop',
  environment: { AGENT_HOME: value },
})
const named = (value: string | undefined) => folderNamed('AGENT_HOME', place(value), '/home/ada/.agent')

describe('given the variable by which an agent is told its folder', () => {
  it.each([undefined, '', '  '])('then %j names none, and the usual one is meant', (value) => {
    expect(named(value)).toBe('/home/ada/.agent')
    expect(variableIn(place(value).environment, 'AGENT_HOME')).toBeUndefined()
  })

  it('then a folder that is not absolute begins in the project, whoever asks from where', () => {
    expect(named('.state/agent')).toBe('/srv/shop/.state/agent')
    expect(named('/srv/agent')).toBe('/srv/agent')
  })
})
