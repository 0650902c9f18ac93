import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { browser } from '../lib/browser.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { keepPages } from './kept-pages.ts'

const meta = Object.assign(document.createElement('meta'), { name: 'version', content: 'v1' })
const pageOf = (version: string) => `<head><meta name="version" content="${version}"></head>`
const addresses = ['/reportinlist', '/floor/evacuation']

beforeEach(async () => {
  document.head.append(meta)
  await render(<ToastRegion />)
})
afterEach(() => meta.remove())

const at = (hour: number) => ({ headers: { date: new Date(Date.UTC(2026, 10, 23, hour)).toUTCString() } })

/** What is asked for, and how the cache is used for it. */
function serve(answer: () => Response | Error) {
  const asked: [string, RequestCache | undefined][] = []
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.stubGlobal('fetch', async (url: string, { cache }: RequestInit) => {
    asked.push([url, cache])
    const answered = answer()
    if (answered instanceof Error) throw answered
    return answered
  })
  return asked
}

test('UX-70 the page of each address is read into the browser’s cache while the server has the version that runs', async () => {
  const asked = serve(() => new Response(pageOf('v1')))

  await keepPages(addresses)

  const pages = [location.pathname, ...addresses]
  expect(asked).toEqual([['/', 'no-store'], ...pages.map((address) => [address, 'no-cache'])])
  await expect.element(page.getByText('A newer version is available.')).not.toBeInTheDocument()
})

test('UX-70 pages that the phone keeps for less than 6 h, of the same version, are not asked for again', async () => {
  let [version, hour, isThere] = ['v1', 1, true]
  const asked: ReturnType<typeof serve> = serve(() =>
    isThere || asked.length === 1 ? new Response(pageOf(version), at(hour)) : new TypeError('Failed to fetch'),
  )
  const asks = async () => {
    asked.length = 0
    await keepPages(addresses)
    return asked.length
  }
  const all = 2 + addresses.length

  isThere = false
  expect(await asks()).toBe(2)
  isThere = true
  expect(await asks()).toBe(all)
  hour = 6
  expect(await asks()).toBe(1)
  hour = 8
  expect(await asks()).toBe(all)
  version = meta.content = 'v2'
  expect(await asks()).toBe(all)
  meta.content = 'v1'
})

test('UX-70 a newer version is told of, comes with Reload, and leaves what the phone has kept of this one', async () => {
  const asked = serve(() => new Response(pageOf('v2')))
  const reload = vi.spyOn(browser, 'reloadWhenReachable').mockResolvedValue()

  await keepPages(addresses)

  expect(asked).toEqual([['/', 'no-store']])
  await page.getByRole('status').getByRole('button', { name: 'Reload' }).click()
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['without signal', () => new TypeError('Failed to fetch')],
  ['behind the page of a hotel’s Wi-Fi', () => new Response('<h1>Welcome</h1>')],
  ['while the server has trouble', () => new Response('', { status: 503 })],
])('UX-70 nothing is kept or told %s', async (_, answer) => {
  const asked = serve(answer)

  await keepPages(addresses)

  expect(asked).toEqual([['/', 'no-store']])
  await expect.element(page.getByText('A newer version is available.')).not.toBeInTheDocument()
})
