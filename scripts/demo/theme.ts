/** Colors of the pictures in README.md, close to those of GitHub. */
export type Theme = 'light' | 'dark'

export const themes: readonly Theme[] = ['light', 'dark']

export const palettes = {
  light: {
    background: '#ffffff',
    border: '#d1d9e0',
    plain: '#1f2328',
    dim: '#59636e',
    red: '#c4232d',
    green: '#116d2f',
    yellow: '#835b00',
    blue: '#0550ae',
  },
  dark: {
    background: '#0d1117',
    border: '#3d444d',
    plain: '#e6edf3',
    dim: '#9198a1',
    red: '#ff7b72',
    green: '#56d364',
    yellow: '#e3b341',
    blue: '#79c0ff',
  },
} as const

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Two decimals are enough for a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}
