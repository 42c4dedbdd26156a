import { tellsOfRefusals } from './stories.ts'

tellsOfRefusals('gemini')
