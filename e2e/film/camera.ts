import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page, type WebSocketRoute } from '@playwright/test'

const desk = { width: 1440, height: 900 }
const screen = { width: 1920, height: 1080 }
const phone = { width: 390, height: 844 }

/** What a frame shows, from left to right. */
export interface Shot {
  board: Page
  wall: Page
  phones: readonly [Page, Page]
}

/** Browsers of the film, and its frames: one PNG each, with the board above the wall and two phones beside them. */
export class Camera {
  readonly #browser: Browser
  readonly #url: string
  readonly #folder: string
  readonly #sheet: Page
  /** Errors of pages. Losing signal is part of the film. */
  readonly complaints: string[] = []
  readonly #sockets = new Map<Page, WebSocketRoute[]>()
  #frames = 0

  static async open(url: string, folder: string): Promise<Camera> {
    const executablePath = process.env.CHROME_PATH
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking'],
    })
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    return new Camera(browser, url, folder, await browser.newPage())
  }

  private constructor(browser: Browser, url: string, folder: string, sheet: Page) {
    this.#browser = browser
    this.#url = url
    this.#folder = folder
    this.#sheet = sheet
  }

  /** Cuts a browser off. A browser that is offline keeps its sockets, so they are closed. */
  async cutOff(page: Page): Promise<void> {
    await page.context().setOffline(true)
    for (const socket of this.#sockets.get(page) ?? []) await socket.close()
  }

  desk = () => this.#page({ viewport: desk, colorScheme: 'light' })
  wall = () => this.#page({ viewport: screen, colorScheme: 'dark' })
  phone = (colorScheme: 'light' | 'dark' = 'dark') => this.#page({ viewport: phone, colorScheme })
  /** A phone on which no script runs. */
  stranger = () => this.#page({ viewport: phone, colorScheme: 'light', javaScriptEnabled: false })

  async #page(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#url,
      locale: 'en-AU',
      timezoneId: 'Australia/Sydney',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    const sockets: WebSocketRoute[] = []
    this.#sockets.set(page, sockets)
    await page.routeWebSocket(/./, (socket) => {
      sockets.push(socket.connectToServer(), socket)
    })
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error}`))
    return page
  }

  /** Takes a frame. Its number is the answer. */
  async frame(title: string, { board, wall, phones }: Shot): Promise<number> {
    const nth = ++this.#frames
    const pictures = await Promise.all(
      [board, wall, ...phones].map(async (page) => (await page.screenshot()).toString('base64')),
    )
    const [top, below, left, right] = pictures.map((picture) => `src="data:image/png;base64,${picture}"`)
    await this.#sheet.setViewportSize({ width: 2280, height: 1800 })
    await this.#sheet.setContent(`<body style="margin:0;background:#777;font:600 26px sans-serif;display:grid;grid-template-columns:1440px 390px 390px;gap:12px;padding:12px;align-items:start">
      <div style="grid-column:1/4;background:#fff;padding:6px 12px">${nth}. ${title}</div>
      <div><img ${top} width="1440"><img ${below} width="1440" style="margin-top:12px"></div><img ${left} width="390"><img ${right} width="390">`)
    const slug = title.toLowerCase().replace(/\W+/g, '-').slice(0, 60)
    writeFileSync(
      join(this.#folder, `${String(nth).padStart(2, '0')}-${slug}.png`),
      await this.#sheet.screenshot({ fullPage: true }),
    )
    return nth
  }

  close = () => this.#browser.close()
}
