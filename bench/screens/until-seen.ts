import { launchBrowser } from './browser.ts'

/** Slow 4G as Lighthouse applies it (`devtools`): delay of each answer in ms, bytes per second. */
const slow4g = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }

/**
 * Seconds until the first element that fits stands on screen, for a visitor on Slow 4G with a processor four times slower.
 * LCP cannot tell: it takes the greatest text, and the login page's heading is greater than any of the list.
 */
export async function untilSeen(address: string, selector: string): Promise<number> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 } })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', slow4g)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addInitScript((wanted) => {
      const look = () => {
        if (!document.querySelector(wanted)) return requestAnimationFrame(look)
        // its frame has been drawn when the next one begins
        return requestAnimationFrame(() => Object.assign(globalThis, { seenAfter: performance.now() }))
      }
      requestAnimationFrame(look)
    }, selector)
    await page.goto(address, { waitUntil: 'commit' })
    const seen = await page.waitForFunction(() => (globalThis as { seenAfter?: number }).seenAfter)
    return Number(await seen.jsonValue()) / 1000
  } finally {
    await browser.close()
  }
}
