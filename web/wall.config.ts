import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page of wall screens is a build of its own: within the app's it would load what the app shares between its pages,
 * router, session and query cache, 90 kB gz that no wall uses.
 */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: fileURLToPath(new URL('./wall.html', import.meta.url)) },
  },
})
