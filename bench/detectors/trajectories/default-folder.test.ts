import { expect, it } from 'vitest'
import { defaultFolder } from './default-folder.ts'

it('the folder is the one of the environment, else the shared one', () => {
  expect(defaultFolder({ DONECHECK_TRAJECTORIES: '/data' })).toBe('/data')
  expect(defaultFolder({})).toMatch(/shared.trajectories$/)
})
