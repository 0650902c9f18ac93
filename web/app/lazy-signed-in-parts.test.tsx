import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { browser } from '../lib/browser.ts'
import { setAuth } from '../session/stored-auth.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { LazySignedInParts } from './lazy-signed-in-parts.tsx'

test('UI where menu and live updates could not be fetched, the page is loaded anew once the server can be reached', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  setAuth(storedAuth())
  const reload = vi.spyOn(browser, 'reloadWhenReachable').mockResolvedValue()
  const missing = vi.fn().mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'))
  const { unmount } = await render(<LazySignedInParts load={missing} />)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reload).toHaveBeenCalledTimes(2)
  await unmount()

  await render(<LazySignedInParts load={async () => () => <p>on duty</p>} />)
  await expect.element(page.getByText('on duty')).toBeVisible()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
