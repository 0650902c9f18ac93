import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Chromium without a window: CHROME_PATH, else Debian's, else Playwright's own. */
export function launchBrowser(): Promise<Browser> {
  const own = process.env.CHROME_PATH ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
  return chromium.launch({
    ...(own && { executablePath: own }),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
}
