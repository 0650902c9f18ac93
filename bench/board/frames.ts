import type { Browser, Page } from 'playwright-core'
import type { Product } from '../../rig/product.ts'
import { percentile, type Row } from '../report/report.ts'
import { launchBrowser } from '../screens/browser.ts'
import { signedInStorage } from '../screens/signed-in.ts'
import type { BoardWorld } from './seed-board.ts'

const seconds = Number(process.env.BENCH_FRAMES ?? 30)
const longFrame = 50
const desk = { viewport: { width: 1440, height: 900 } }

interface Frame {
  ms: number
  /** The page changed in it, or has an answer that it has not drawn yet. */
  changed: boolean
}

/**
 * Frames of the board of 1,000 floors on a desk with a processor four times slower, while statuses are recorded and
 * it is read anew every 2 s. Frames of a refresh are counted apart from all frames.
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

function rowsOf(which: 'first' | 'next', frames: readonly Frame[]): Row[] {
  const where = `board of 1,000 floors at 1440x900, processor 4× slower, ${which} ${seconds} s`
  return [
    ...frameRows(`${where}, frames of a refresh`, ofRefresh(frames)),
    ...frameRows(`${where}, all frames`, frames),
  ]
}

/** Frames from the answer to the change, one before them, and two that draw the change. */
const ofRefresh = (frames: readonly Frame[]) =>
  frames.filter((_, at) => frames.slice(Math.max(0, at - 2), at + 2).some(({ changed }) => changed))

function frameRows(name: string, frames: readonly Frame[]): Row[] {
  const times = frames.map(({ ms }) => ms)
  return [
    {
      name: `${name}: over ${longFrame} ms of ${times.length}`,
      value: times.filter((ms) => ms > longFrame).length,
      target: '= 0',
    },
    { name: `${name}: p99 ms`, value: percentile(times, 99) },
    { name: `${name}: longest, ms`, value: Math.max(...times), target: `<= ${longFrame} ms` },
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

async function framesOf(page: Page): Promise<Frame[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.waitForTimeout(2000)
  const { frames, answers } = await page.evaluate(async (ms) => {
    let changed = false
    let isUndrawn = false
    let answers = 0
    const changes = new MutationObserver(() => {
      changed = true
      isUndrawn = false
    })
    changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    const reads = new PerformanceObserver((list) => {
      const boards = list.getEntries().filter(({ name }) => name.includes('/api/event/board')).length
      answers += boards
      isUndrawn ||= boards > 0
    })
    reads.observe({ type: 'resource' })
    const nextFrame = () => new Promise<number>(requestAnimationFrame)
    const frames: Frame[] = []
    const began = performance.now()
    for (let before = await nextFrame(); performance.now() - began < ms; ) {
      changed = isUndrawn
      const now = await nextFrame()
      frames.push({ ms: now - before, changed: changed || isUndrawn })
      before = now
    }
    changes.disconnect()
    reads.disconnect()
    return { frames, answers }
  }, seconds * 1000)
  if (answers < seconds / 4) throw new Error(`The board was read anew ${answers} times in ${seconds} s.`)
  return frames
}
