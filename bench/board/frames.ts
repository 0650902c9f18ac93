import type { Browser, Page } from 'playwright-core'
import type { Product } from '../../rig/product.ts'
import { percentile, type Row } from '../report/report.ts'
import { launchBrowser } from '../screens/browser.ts'
import { signedInStorage } from '../screens/signed-in.ts'
import type { BoardWorld } from './seed-board.ts'

const seconds = Number(process.env.BENCH_FRAMES ?? 30)
const longFrame = 50
const desk = { viewport: { width: 1440, height: 900 } }

/**
 * C§15, 11: frames of the board of 1,000 floors on a desk with a processor four times slower, while statuses are recorded and
 * it is read anew every 2 s.
 */
export async function benchFrames({ url, pool }: Product, { readers, clientUid }: BoardWorld): Promise<Row[]> {
  const browser = await launchBrowser()
  try {
    const page = await openBoard(browser, url, await signedInStorage({ url, pool }, { clientUid, tokens: readers }))
    // some 20 s after a page has opened the browser collects what the opening has left, once
    return [...rowsOf('first', await framesOf(page)), ...rowsOf('next', await framesOf(page))]
  } finally {
    await browser.close()
  }
}

function rowsOf(which: 'first' | 'next', frames: readonly number[]): Row[] {
  const name = `board of 1,000 floors at 1440x900, processor 4× slower, of ${frames.length} frames in the ${which} ${seconds} s`
  return [
    { name: `${name}: over ${longFrame} ms`, value: frames.filter((ms) => ms > longFrame).length, target: '= 0' },
    { name: `${name}: p99 ms`, value: percentile(frames, 99) },
    { name: `${name}: longest, ms`, value: Math.max(...frames), target: `<= ${longFrame} ms` },
  ]
}

async function openBoard(browser: Browser, url: string, storage: Record<string, string>): Promise<Page> {
  const context = await browser.newContext(desk)
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, storage)
  const page = await context.newPage()
  await page.goto(`${url}/event/board`)
  await page.getByRole('grid').first().waitFor()
  await page.waitForTimeout(3000)
  return page
}

/** Milliseconds of each frame. */
async function framesOf(page: Page): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.waitForTimeout(2000)
  return page.evaluate(async (ms) => {
    const frame = () => new Promise<number>(requestAnimationFrame)
    const times: number[] = []
    const began = performance.now()
    for (let before = await frame(); performance.now() - began < ms; ) {
      const now = await frame()
      times.push(now - before)
      before = now
    }
    return times
  }, seconds * 1000)
}
