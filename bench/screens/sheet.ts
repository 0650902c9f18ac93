import type pg from 'pg'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { median, type Row, withBaseline } from '../report/report.ts'
import { seedWorld, type World } from '../seed/seed.ts'
import { launchBrowser } from './browser.ts'
import { signedInStorage } from './signed-in.ts'

const openings = 20
const people = 75
const floors = 20
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/**
 * (h) From a tap on a status to the first frame with its sheet, with a processor four times slower. The baseline is the
 * same sheet as a plain dialog on the same page: what the browser itself takes.
 */
export async function benchSheet(url: string, pool: pg.Pool): Promise<Row[]> {
  const world = await seedWorld(pool, { evacuees: people * floors, wardens: 1 })
  const browser = await launchBrowser()
  try {
    const page = await openFloor(browser, url, pool, world)
    const devtools = await page.context().newCDPSession(page)
    await addBareSheet(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const statuses = page.getByRole('list', { name: 'All Occupants' }).locator('[data-status]')
    const first = await openOnce(page, devtools, statuses.nth(0))
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let n = 0; n < openings; n++) {
      ours.push(await openOnce(page, devtools, statuses.nth(n)))
      bare.push(await openOnce(page, devtools, page.locator('[data-bare]')))
    }
    const name = 'opening the status sheet, processor 4× slower'
    return [
      withBaseline(`${name}: median ms`, median(ours), median(bare), '<= 100 ms'),
      withBaseline(`${name}: longest of ${openings}, ms`, Math.max(...ours), Math.max(...bare)),
      { name: `${name}: first, ms`, value: first },
    ]
  } finally {
    await browser.close()
  }
}

/** Opens the floor as its warden, and keeps the slowest interaction since `slowest` was set to 0. */
async function openFloor(browser: Browser, url: string, pool: pg.Pool, world: World): Promise<Page> {
  const context = await browser.newContext(phone)
  await context.addInitScript(
    (items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
      const noted = Object.assign(window, { slowest: 0 })
      const note = ({ duration }: PerformanceEntry) => {
        noted.slowest = Math.max(noted.slowest, duration)
      }
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('interactionId' in entry && entry.interactionId) note(entry)
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    },
    await signedInStorage({ url, pool }, world),
  )
  const page = await context.newPage()
  await page.goto(`${url}/floor/evacuation`)
  await page.getByRole('list', { name: 'All Occupants' }).waitFor()
  await page.waitForTimeout(2000) // the parts that load after the page
  return page
}

/** A plain dialog of the sheet's own elements, and a button at the foot of the screen that opens it. */
async function addBareSheet(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'All Occupants' }).locator('[data-status]').first().tap()
  await page.locator('dialog[open]').waitFor()
  await page.evaluate(() => {
    const sheet = document.querySelector('dialog[open]') as HTMLDialogElement
    const bare = sheet.cloneNode(true) as HTMLDialogElement
    bare.removeAttribute('open')
    const opener = document.createElement('button')
    opener.dataset.bare = ''
    opener.textContent = 'Bare'
    opener.style.cssText = 'position:fixed;left:0;bottom:0;z-index:99;height:48px'
    opener.addEventListener('click', () => bare.showModal())
    document.body.append(opener, bare)
  })
  await close(page)
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

/** Milliseconds from the tap to the next frame, in steps of 8, as Event Timing tells them. */
async function openOnce(page: Page, devtools: CDPSession, opener: Locator): Promise<number> {
  await opener.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await devtools.send('HeapProfiler.collectGarbage')
  await page.waitForTimeout(300)
  await page.evaluate(() => Object.assign(window, { slowest: 0 }))
  await opener.tap()
  await page.locator('dialog[open]').waitFor()
  await page.waitForTimeout(500) // the entries of the tap's earlier events come first
  const ms = await page.evaluate(() => ('slowest' in window ? Number(window.slowest) : Number.NaN))
  await close(page)
  return ms
}
