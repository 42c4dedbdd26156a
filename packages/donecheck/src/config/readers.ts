/** What is read in Markdown. The parser is loaded when there is such a file: it is too large for every start. */
import type { GoalFile } from './goal/goal-file.ts'
import type { SkillFile } from './checks/skill/skill-file.ts'

/** @param name for messages @throws {UsageError} with the line for what cannot be read */
export async function readGoalFile(text: string, name: string): Promise<GoalFile> {
  return (await import('./goal/goal-file.ts')).readGoalFile(text, name)
}

/** @throws {UsageError} with the line if the front matter is invalid, or the file is too long */
export async function readSkill(text: string, file: string): Promise<SkillFile> {
  return (await import('./checks/skill/skill-file.ts')).readSkill(text, file)
}
