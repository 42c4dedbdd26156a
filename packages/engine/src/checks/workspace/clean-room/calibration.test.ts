import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Calibrations } from './calibration.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calibration-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const hourMs = 60 * 60 * 1_000

describe('given what was found out of a check before the first turn', () => {
  it('keeps to it, whatever is written beside it later', () => {
    const folder = newFolder()
    const own = new Calibrations(folder, () => 0)
    own.remember('check', null)
    new Calibrations(folder, () => 0).remember('check', 'passed in the work folder, failed in a clean room')
    expect(own.find('check')).toEqual({ kind: 'same' })
  })

  it('knows nothing of a check that another process compared since', () => {
    const folder = newFolder()
    const own = new Calibrations(folder, () => 0)
    own.recall('check')
    new Calibrations(folder, () => 0).remember('other', 'different')
    expect(own.find('other')).toEqual({ kind: 'unknown' })
  })

  it('is read by a process that begins with a later turn', () => {
    const folder = newFolder()
    new Calibrations(folder, () => 0).remember('check', 'different')
    const later = new Calibrations(folder, () => hourMs)
    expect(later.find('check')).toEqual({ kind: 'different', difference: 'different' })
    expect(new Calibrations(folder, () => 25 * hourMs).find('check')).toEqual({ kind: 'unknown' })
  })
})
