import type pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import { seedWorld, type World } from '../seed/seed.ts'
import { launchBrowser } from './browser.ts'
import { signedInStorage } from './signed-in.ts'

const people = Number(process.env.BENCH_FLOOR ?? 10_000)
/** The fastest fling of Android, 8,000 px per second, at 60 frames per second, and its length in frames. */
const pxPerFrame = 134
const framesOfFling = 300
const longFrame = 50
const floors = 20
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const slowdowns = [1, 4]

/**
 * (f) A floor of 10,000 people with all pages read, scrolled fast down and up at its top, middle and end. The baseline
 * is a page of the same height whose 60 plain rows move to the scroll position. People notice frames over 50 ms.
 */
export async function benchScroll(url: string, pool: pg.Pool): Promise<Row[]> {
  const world = await seedWorld(pool, { evacuees: people * floors, wardens: 1 })
  const browser = await launchBrowser()
  try {
    const floor = await openFloor(browser, url, pool, world)
    const bare = await openBare(browser)
    const rows: Row[] = []
    for (const slowdown of slowdowns) {
      const ours = await scrollThrough(floor, slowdown)
      const theirs = await scrollThrough(bare, slowdown)
      const name = `scroll of ${people.toLocaleString('en')} people, processor ${slowdown}× slower`
      rows.push(
        {
          name: `${name}: frames over ${longFrame} ms of ${ours.length}`,
          value: longOnes(ours),
          baseline: longOnes(theirs),
          ...(slowdown === 1 && { target: '= 0' }),
        },
        withBaseline(`${name}: p99 ms of a frame`, percentile(ours, 99), percentile(theirs, 99)),
        { name: `${name}: longest frame, ms`, value: Math.max(...ours), baseline: Math.max(...theirs) },
      )
    }
    return rows
  } finally {
    await browser.close()
  }
}

const longOnes = (frames: readonly number[]) => frames.filter((ms) => ms > longFrame).length

/** Opens the floor as its warden and scrolls to the end. */
async function openFloor(browser: Browser, url: string, pool: pg.Pool, world: World): Promise<Page> {
  const context = await browser.newContext(phone)
  await context.addInitScript(
    (items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    },
    await signedInStorage({ url, pool }, world),
  )
  const page = await context.newPage()
  await page.goto(`${url}/floor/evacuation`)
  await page.getByRole('list', { name: 'All Occupants' }).waitFor()
  await page.evaluate(async () => {
    const isWhole = () => document.body.textContent.includes('You have reached the end.')
    for (const began = performance.now(); !isWhole(); ) {
      if (performance.now() - began > 300_000) throw new Error('the end of the list did not come in five minutes')
      window.scrollTo(0, document.documentElement.scrollHeight)
      await new Promise(requestAnimationFrame)
    }
  })
  const shown = await page.getByRole('listitem').last().getAttribute('aria-setsize')
  if (shown !== String(people)) throw new Error(`the list has ${shown} people instead of ${people}`)
  return page
}

async function openBare(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext(phone)).newPage()
  await page.setContent('<!doctype html><body style="margin:0"><main style="position:relative"></main>')
  await page.evaluate((count) => {
    const height = 140
    const list = document.querySelector('main') as HTMLElement
    list.style.height = `${count * height}px`
    const rows = Array.from({ length: 60 }, () => {
      const row = document.createElement('p')
      row.style.cssText = 'position:absolute;margin:0'
      list.append(row)
      return row
    })
    const place = () => {
      const first = Math.max(0, Math.floor(window.scrollY / height) - 20)
      for (let at = first; at < first + rows.length; at++) {
        const row = rows[at % rows.length] as HTMLElement
        row.style.top = `${at * height}px`
        row.textContent = `Person ${at}`
      }
    }
    window.addEventListener('scroll', place, { passive: true })
    place()
  }, people)
  return page
}

/** Returns the milliseconds of each frame. */
async function scrollThrough(page: Page, slowdown: number): Promise<number[]> {
  await page.bringToFront()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForTimeout(2000)
  const frames = await page.evaluate(
    async ({ pxPerFrame, framesOfFling }) => {
      const times: number[] = []
      const frame = () => new Promise<number>(requestAnimationFrame)
      const last = document.documentElement.scrollHeight - window.innerHeight - framesOfFling * pxPerFrame
      for (const from of [0, last / 2, last]) {
        window.scrollTo(0, from)
        await new Promise((resolve) => setTimeout(resolve, 1000))
        let before = await frame()
        for (let n = 1; n <= framesOfFling * 2; n++) {
          window.scrollTo(0, from + Math.min(n, framesOfFling * 2 - n) * pxPerFrame)
          const now = await frame()
          times.push(now - before)
          before = now
        }
      }
      return times
    },
    { pxPerFrame, framesOfFling },
  )
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return frames
}
