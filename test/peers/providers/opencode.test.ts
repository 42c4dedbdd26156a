import { tellsOfRefusals } from './stories.ts'

tellsOfRefusals('opencode')
