import type { Page, Route } from '@playwright/test'
import type { CallContract, CallReply } from '#kernel/route.ts'
import { expect, expectAccessible } from './test.ts'

const folder = `${import.meta.dirname}/../output/screens`
const phone = { width: 390, height: 844 }
const small = { width: 320, height: 640 }
const desk = { width: 1440, height: 900 }

/** Pictures for a person to look at take a third of the processor time of `e2e`, so they are taken on demand. */
const isPictured = process.env.PICTURES === 'on'

/** The two themes differ in colours alone, so the second one is checked for contrast alone. */
const looks = [
  { name: 'dark', colorScheme: 'dark', size: phone, text: '', axe: 'all' },
  { name: 'light', colorScheme: 'light', size: phone, text: '', axe: 'contrast' },
  { name: 'small-dark', colorScheme: 'dark', size: small, text: '', axe: undefined },
  { name: 'small-light', colorScheme: 'light', size: small, text: '', axe: undefined },
  { name: 'doubled', colorScheme: 'light', size: small, text: '200%', axe: undefined },
] as const

/** What only a person can judge: Windows' contrast themes, paper, the desk. A menu or sheet closes on a desk. */
const onDemand = [
  { name: 'forced', size: phone, media: { colorScheme: 'dark', forcedColors: 'active' } },
  { name: 'print', size: phone, media: { colorScheme: 'dark', media: 'print' } },
  { name: 'desk-dark', size: desk, media: { colorScheme: 'dark' } },
  { name: 'desk-light', size: desk, media: { colorScheme: 'light' } },
] as const

/** Saves a screenshot in `e2e/output/screens` if PICTURES is `on`. */
export async function snapshot(page: Page, name: string) {
  if (isPictured) await page.screenshot({ path: `${folder}/${name}.png` })
}

/**
 * Checks the screen in every size and both themes, and saves a picture of each on demand. Nothing may overflow sideways,
 * every target must be large enough for a thumb, and every button must be reachable. At the first size axe must find
 * nothing. A `tight` screen has three elements side by side: with doubled text on the smallest phone its words may break.
 * Hashes and keys (`.rec-code`) have no words: they break where the line ends. With `matrix` axe looks at the smallest
 * phone and the desk too, in both themes.
 */
export async function picture(page: Page, name: string, { tight = false, matrix = false } = {}): Promise<void> {
  for (const look of looks) {
    if (look.name === 'small-dark' && !isPictured) continue // laid out as small-light is
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(look.size)
    await page.evaluate((text) => {
      document.documentElement.style.fontSize = text
    }, look.text)
    await snapshot(page, `${name}-${look.name}`)
    const found = await page.evaluate(faults)
    const isForgiven = (fault: string) => tight && look.text !== '' && fault.startsWith('broken word')
    expect
      .soft(
        found.filter((fault) => !isForgiven(fault)),
        `${name}, ${look.name}`,
      )
      .toEqual([])
    if (look.axe) await expectAccessible(page, `${name}, ${look.name}`, look.axe)
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
  for (const size of matrix ? [small, desk] : []) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(
        page,
        `${name}, ${size.width} px, ${colorScheme}`,
        colorScheme === 'light' ? 'all' : 'contrast',
      )
    }
  }
  for (const look of isPictured ? onDemand : []) {
    if (look.size === desk && (await page.locator('dialog:modal').count()) > 0) continue
    await page.emulateMedia(look.media)
    await page.setViewportSize(look.size)
    await snapshot(page, `${name}-${look.name}`)
    await page.emulateMedia({ media: null, forcedColors: null })
  }
  await page.setViewportSize(phone)
}

/** Runs in the page. */
function faults(): string[] {
  const found: string[] = []
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
  const top = modal ?? document.body
  const say = (fault: string, element: Element) =>
    found.push(`${fault}: ${element.tagName.toLowerCase()} ${element.textContent?.slice(0, 40)}`)

  for (const element of [document.documentElement, top, ...top.querySelectorAll('*')]) {
    const isNot = element.closest('.sr-only, input, svg') !== null
    if (!isNot && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 4)
      say('runs sideways', element)
  }
  for (const target of top.querySelectorAll('button, a[href], input, select, textarea, summary')) {
    const { width, height } = (target.closest('label') ?? target).getBoundingClientRect()
    // CMD-02: the line of who is in command is 28 px, so that lists keep their place
    const least = target.matches('a[href="/event/command"]') ? 28 : 44
    if (width > 0 && (width < 44 || height < least)) say(`${Math.round(width)} × ${Math.round(height)} px`, target)
  }
  for (const target of modal?.querySelectorAll('button, a[href]') ?? []) {
    target.scrollIntoView({ block: 'nearest' })
    const { top: above, bottom } = target.getBoundingClientRect()
    if (above < 0 || bottom > innerHeight + 1) say('out of reach', target)
  }
  const words = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  while (words.nextNode()) {
    const text = words.currentNode as Text
    if (text.parentElement?.closest('.sr-only, [hidden], option, style, script, .rec-code')) continue
    for (const { 0: word, index } of text.data.matchAll(/\p{L}[\p{L}\p{N}]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1) found.push(`broken word: ${word}`)
    }
  }
  modal?.querySelector('[data-autofocus]')?.scrollIntoView({ block: 'nearest' })
  return found
}

const addressOf = ({ path }: CallContract) => new RegExp(`${path.replace(/:\w+/g, '[^/]+')}(\\?.*)?$`)

/** Changes the server's answer to a call from now on, for states that would take many steps. */
export async function rewrite<C extends CallContract>(page: Page, call: C, change: (reply: CallReply<C>) => unknown) {
  await page.unroute(addressOf(call))
  await page.route(addressOf(call), async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })
}

/** Answers the call from now on. The server is not asked. */
export async function answer<C extends CallContract>(page: Page, call: C, json: CallReply<C>) {
  await page.unroute(addressOf(call))
  await page.route(addressOf(call), (route) => route.fulfill({ json }))
}

/** Leaves the call without an answer, or delays it. Returns a function that lets the call through again. */
export async function obstruct(page: Page, call: CallContract, how: 'cut off' | 'hold') {
  const held: Route[] = []
  await page.route(addressOf(call), (route) => {
    if (how === 'cut off') return route.abort()
    held.push(route)
  })
  return async () => {
    await page.unroute(addressOf(call))
    for (const route of held) await route.continue().catch(() => undefined)
  }
}
