import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import type { Product } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { helloBytes } from '../baseline/hello-page.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import { signedInStorage } from './signed-in.ts'
import { untilSeen } from './until-seen.ts'

/** The part of Lighthouse that is used here. It is installed separately (`visits/package.json`). */
type Lighthouse = (
  url: string,
  flags: Record<string, unknown>,
) => Promise<{
  lhr: {
    runtimeError?: { message: string }
    audits: Record<string, { numericValue?: number }>
    finalDisplayedUrl: string
  }
}>
const lighthouseFile = join(import.meta.dirname, '../visits/node_modules/lighthouse/core/index.js')

const visits = Number(process.env.BENCH_VISITS ?? 3)
const debugPort = await findFreePort()
const pages = ['/login', '/floor/evacuation'] as const

/** `simulate` computes Slow 4G from an unthrottled visit, as Lighthouse's scores do. `devtools` delays every answer. */
const methods = ['simulate', 'devtools'] as const
type Method = (typeof methods)[number]

/**
 * (g) A first visit on Lighthouse's Slow 4G with a four times slower processor. The browser is empty, except for the
 * session on the floor's page. The baseline is a page of React and one heading, from the same bundler and kind of
 * server.
 */
export async function benchFirstLoad(product: Product, bareUrl: string, world: World): Promise<Row[]> {
  const storage = await signedInStorage(product, world)
  const link = await seedLink(product, world)
  const paints: Record<string, number[]> = {}
  process.on('unhandledRejection', passLateQuestions)
  for (let nth = 0; nth < visits; nth++) {
    for (const method of methods) {
      note(paints, `hello ${method}`, await visit(bareUrl, '/hello/', {}, method))
      for (const page of pages) {
        const kept = page === '/login' ? {} : storage
        note(paints, `${page} ${method}`, await visit(product.url, page, kept, method))
      }
      note(paints, `link ${method}`, await visit(product.url, link, {}, method, '/reportinlist'))
    }
    note(paints, 'hello seen', await untilSeen(`${bareUrl}/hello/`, 'h1'))
    note(paints, 'card seen', await untilSeen(product.url + link, 'main li'))
  }
  process.off('unhandledRejection', passLateQuestions)
  const sizes = weigh()
  const paint = (page: string, method: Method, what: string, target?: string) =>
    withBaseline(what, median(paints[`${page} ${method}`] ?? []), median(paints[`hello ${method}`] ?? []), target)
  const byLink = [
    withBaseline(
      'first visit by a report-in link, s until the card is seen, every answer held back 0.56 s',
      median(paints['card seen'] ?? []),
      median(paints['hello seen'] ?? []),
      '<= 1.5',
    ),
    paint('link', 'simulate', 'first visit by a report-in link, LCP s (of the login page)'),
    paint('link', 'devtools', 'first visit by a report-in link, LCP s (of the login page), answers held back'),
  ]
  const byPage = pages.flatMap((page) => [
    paint(page, 'simulate', `first visit to ${page}, LCP s`, page === '/login' ? '<= 1.3' : '<= 2.4 s'),
    paint(page, 'devtools', `first visit to ${page}, LCP s with every answer held back 0.56 s`),
    withBaseline(
      `first visit to ${page}, scripts and styles, kB gz`,
      sizes[page] ?? Number.NaN,
      helloBytes() / 1000,
      '<= 115 kB',
    ),
  ])
  return [...byPage, ...byLink]
}

/** The address that a warden's report-in link leads to. It may be opened again until the event ends. */
async function seedLink({ pool }: Product, { clientUid }: World): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into report_in_link (client_uid, event_uid, sign_in_uid, token_hash, expires_at)
     select client_uid, event_uid, uid, $2, now() + interval '1 day' from warden_sign_in where client_uid = $1 limit 1`,
    [clientUid, createHash('sha256').update(token).digest()],
  )
  return `/login#reportInToken=${token}`
}

const note = (notes: Record<string, number[]>, what: string, value: number) => {
  notes[what] = [...(notes[what] ?? []), value]
}

/** Lighthouse goes on asking a page whose visit is over and whose browser is closed. No one waits for these answers. */
function passLateQuestions(error: unknown) {
  if (!String(error).includes('Session closed')) throw error
}

/** Once more if it fails: on a busy machine Lighthouse may lose its browser ("Session closed"). */
async function visit(...how: Parameters<typeof visitOnce>) {
  return visitOnce(...how).catch((error) => {
    console.warn(`A visit to ${how[1].split('#')[0]} is repeated: ${error}`)
    return visitOnce(...how)
  })
}

/** The largest contentful paint in seconds, in a browser that has never visited the page. */
async function visitOnce(
  url: string,
  page: string,
  storage: Record<string, string>,
  method: Method,
  leadsTo: string = page,
) {
  const profile = mkdtempSync(join(tmpdir(), 'evac-bench-browser-'))
  const browser = await chromium.launchPersistentContext(profile, {
    ...(process.env.CHROME_PATH && { executablePath: process.env.CHROME_PATH }),
    args: [
      `--remote-debugging-port=${debugPort}`,
      '--disable-background-networking',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  try {
    if (Object.keys(storage).length > 0) await keep(browser, url, storage)
    const { default: lighthouse } = (await import(lighthouseFile)) as { default: Lighthouse }
    const { lhr } = await lighthouse(url + page, {
      port: debugPort,
      onlyAudits: ['largest-contentful-paint'],
      formFactor: 'mobile',
      throttlingMethod: method,
      disableFullPageScreenshot: true,
      logLevel: 'error',
    })
    const { runtimeError, audits, finalDisplayedUrl } = lhr
    if (runtimeError) throw new Error(`${page}: ${runtimeError.message}`)
    if (finalDisplayedUrl !== url + leadsTo) throw new Error(`${page} led to ${finalDisplayedUrl}`)
    return (audits['largest-contentful-paint']?.numericValue ?? Number.NaN) / 1000
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Stores the items of a sign-in, from an address that loads nothing of the app. */
async function keep(browser: BrowserContext, url: string, storage: Record<string, string>) {
  const page = await browser.newPage()
  await page.goto(`${url}/health/ready`)
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, storage)
  await page.close()
}

/** The sizes of the built app by size-limit, in kB. */
function weigh(): Record<string, number> {
  const program = join(import.meta.dirname, '../../node_modules/.bin/size-limit')
  const found = JSON.parse(execFileSync(program, ['--json'], { encoding: 'utf8' })) as { name: string; size: number }[]
  return Object.fromEntries(
    pages.map((page) => [page, (found.find(({ name }) => name.includes(`${page} `))?.size ?? Number.NaN) / 1000]),
  )
}
