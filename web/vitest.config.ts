import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'

/** Headless shell first: the full browser lays the test frame out differently and made lazy-load tests unsteady. */
const onPath = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((file) => existsSync(file))
const executablePath = process.env.CHROME_PATH ?? onPath

export default mergeConfig(
  viteConfig,
  defineConfig({
    root: resolve(import.meta.dirname, '..'),
    publicDir: 'web/public',
    // A dependency that is only found in the middle of a run reloads the page under the tests.
    optimizeDeps: {
      include: [
        '@tanstack/react-query',
        '@tanstack/react-query-persist-client',
        'axe-core',
        'centrifuge',
        'idb-keyval',
        'lucide-react',
        'react',
        'react/jsx-dev-runtime',
        'react-dom',
        'react-dom/client',
        'wouter/use-browser-location',
        'typebox', // the fake server of the tests reads whole contracts
        'vitest-browser-react',
      ],
    },
    test: {
      name: 'web',
      include: ['web/**/*.test.{ts,tsx}', 'features/*/{web,console}/**/*.test.{ts,tsx}'],
      setupFiles: [resolve(import.meta.dirname, 'testing/setup.ts')],
      // Much of a test is waiting for the browser. Vitest would take one page on two processors.
      maxWorkers: 4,
      restoreMocks: true,
      unstubGlobals: true,
      // A busy machine may take its time; what is waited for decides, not the clock.
      expect: { poll: { timeout: 10_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        viewport: { width: 390, height: 844 },
        provider: playwright({
          launchOptions: {
            ...(executablePath && { executablePath }),
            args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
          },
          // Still pictures: axe must not measure contrast in the middle of a fade.
          contextOptions: { reducedMotion: 'reduce', locale: 'en-AU', timezoneId: 'Australia/Sydney' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }),
)
