import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { builtPage } from './built-page.ts'
import { firstLoad, plainIcons, plainImports } from './first-load.ts'
import { pages } from './pages/pages.ts'

const api = `http://localhost:${process.env.PORT ?? 8080}`
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const screens = pages.flatMap(({ screen }) => (screen ? [here(`../${screen}.tsx`)] : []))
const urgent = {
  login: here('../features/sign-in/web/login-screen.tsx'),
  floor: here('../features/evacuation/web/floor-evacuation-screen.tsx'),
  list: here('../features/duty/web/report-in-list-screen.tsx'),
  // live updates begin with it: in 20 files more they began 2 s later on a slow line
  duty: here('./app/signed-in-parts.tsx'),
}

/** `npm run dev`: the page of wall screens is another one (wall.config.ts). */
const wallPage: Plugin = {
  name: 'wall-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _reply, next) => {
      request.url = request.url?.replace(/^\/wall(?=\?|$)/, '/wall.html')
      next()
    })
  },
}

export default defineConfig({
  // Build trick 1 of 4: without it the files of a page, and the login page's first sight, come only once the program has run.
  plugins: [plainImports(), plainIcons(), react(), tailwindcss(), builtPage(), wallPage],
  resolve: {
    alias: {
      // wouter brings along what React has had since 18: 0.4 kB gz of the first load.
      'use-sync-external-store/shim/index.js': 'react',
    },
  },
  server: { proxy: { '/api': api, '/connection': { target: api, ws: true } } },
  build: {
    outDir: 'dist',
    manifest: true,
    // Every asset is a file of its own: the content security policy allows no data: address.
    assetsInlineLimit: 0,
    // One style sheet comes with the program: no page waits for its own.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // The program would carry the list of every screen's files, about 1 kB gz: boot.js has the one that matters, the rest comes at idle.
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    rolldownOptions: {
      output: {
        // Build trick 2 of 4: left alone, the floor page is 129 kB gz in 44 files instead of 117 kB in 5.
        codeSplitting: { groups: firstLoad({ main: here('./app/main.tsx'), screens, urgent }) },
      },
    },
  },
})
