import type { Plugin } from 'vite'

/**
 * Vite wraps each `import()` to ask for the styles of the file that comes. All styles here come with the program
 * (`cssCodeSplit`), so the wrapper only costs bytes of the first load (0.6 kB gz).
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  }
}
