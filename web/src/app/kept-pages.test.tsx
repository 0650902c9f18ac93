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

/** What the server is asked for, and how the cache is used for it. `cached` is what the browser's cache has. */
function serve(answer: () => Response | Error, cached: Record<string, () => Response> = {}) {
  const asked: [string, RequestCache | undefined][] = []
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.stubGlobal('fetch', async (url: string, { cache }: RequestInit) => {
    if (cache === 'only-if-cached') return cached[url]?.() ?? new Response('', { status: 504 })
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
  await expect.element(page.getByText('A newer version is there.')).not.toBeInTheDocument()
})

test('UX-70 a page that the phone has kept for less than 6 h, of the same version, is not asked for again', async () => {
  const kept = { [location.pathname]: () => new Response(pageOf('v1'), at(8)) }
  const old = { '/floor/evacuation': () => new Response(pageOf('v1'), at(1)) }
  const former = { '/reportinlist': () => new Response(pageOf('v0'), at(9)) }
  const asked = serve(() => new Response(pageOf('v1'), at(10)), { ...kept, ...old, ...former })

  await keepPages(addresses)

  expect(asked.map(([url]) => url)).toEqual(['/', '/reportinlist', '/floor/evacuation'])
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
  await expect.element(page.getByText('A newer version is there.')).not.toBeInTheDocument()
})
