import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const isRoot = process.getuid?.() === 0
const executablePath =
  process.env.CHROME_PATH ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: 'output',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  workers: 3, // a third of the time is waiting
  // a machine shared with others may stall; what passes only now is printed as flaky
  retries: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI === 'true',
  reporter: [['list'], ['json', { outputFile: 'output/report.json' }]],
  use: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'en-AU',
    // a press waits until its target holds still
    contextOptions: { reducedMotion: 'reduce' },
    // a trace of everything would cost a fifth of the time
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
      ],
    },
  },
})
