import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowsers } from './contract-for-browsers.ts'
import { firstLoad } from './first-load.ts'
import { pageFiles } from './page-files.ts'
import { plainImports } from './plain-imports.ts'
import { pages } from './src/pages/pages.ts'

const api = `http://localhost:${process.env.PORT ?? 8080}`
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const screens = pages.flatMap(({ screen }) => (screen ? [here(`./src/${screen}.tsx`)] : []))
const urgent = {
  login: here('./src/features/sign-in/login-screen.tsx'),
  floor: here('./src/features/evacuation/floor-evacuation-screen.tsx'),
}

export default defineConfig({
  plugins: [react(), tailwindcss(), contractForBrowsers(), plainImports(), pageFiles()],
  resolve: {
    alias: {
      // The browser reads the contract's paths and types; its schemas run on the server only (about 40 kB gz saved).
      typebox: here('./src/lib/schemas-stay-on-the-server.ts'),
    },
  },
  server: { proxy: { '/api': api, '/connection': { target: api, ws: true } } },
  build: {
    outDir: 'dist',
    manifest: true,
    // Every asset is a file of its own: the content security policy allows no data: address.
    assetsInlineLimit: 0,
    // One style sheet comes with the program, see plain-imports.ts.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // The program would carry the list of every screen's files, about 1 kB gz: boot.js has the one that matters, the rest comes at idle.
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['Type', 'defineCall', 'uid'] },
      output: {
        codeSplitting: { groups: [{ name: firstLoad({ main: here('./src/app/main.tsx'), screens, urgent }) }] },
      },
    },
  },
})
