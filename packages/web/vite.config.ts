/** The page as one script and one stylesheet: they are served by the service, and put whole into a report. */
import { defineConfig } from 'vite'
import { licences } from '../../scripts/licences.ts'

export default defineConfig({
  root: import.meta.dirname,
  // Found from any route; a report has them inside.
  base: '/',
  resolve: { conditions: ['donecheck-source', 'module', 'browser', 'production'] },
  plugins: [licences],
  build: {
    outDir: '../server/dist/page',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
