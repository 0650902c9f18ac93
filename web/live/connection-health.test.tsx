import { onlineManager, useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { formatMoment } from '../lib/time/server-clock.ts'
import { pendingCountStore } from '../outbox/record-counts.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { connectionStore, lateStore } from './connection-state.ts'
import { TopBar } from './top-bar.tsx'

afterEach(() => onlineManager.setOnline(true))
const bar = page.getByRole('banner').getByRole('status')

function Screen({ ask }: { ask: () => Promise<string> }) {
  const list = useQuery({ queryKey: ['floor'], queryFn: ask })
  return (
    <>
      <TopBar title="Floor Evacuation" />
      <p>{list.data ?? 'none'}</p>
      <button type="button" onClick={() => list.refetch()}>
        Ask
      </button>
    </>
  )
}

test('UI the bar is hidden while nothing is wrong', async () => {
  connectionStore.set('Connected')
  await renderScreen(<Screen ask={async () => 'Amelia'} />, { at: '/floor/evacuation' })
  await expect.element(page.getByText('Amelia')).toBeVisible()
  await expect.element(bar).toHaveTextContent('')
})

test('UI being offline is shown at once, with the age of the oldest list on screen', async () => {
  connectionStore.set('Connected')
  const { queryClient } = await renderScreen(<Screen ask={async () => 'Amelia'} />, { at: '/floor/evacuation' })
  await expect.element(page.getByText('Amelia')).toBeVisible()

  onlineManager.setOnline(false)

  const at = queryClient.getQueryState(['floor'])?.dataUpdatedAt ?? 0
  await expect.element(bar).toHaveTextContent(`Offline. List as of ${formatMoment(at)}.`)
})

test('UI a lost feed is shown after 5 s, only on real-time pages of wardens in an event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { unmount } = await renderScreen(<TopBar title="My Role" />, { at: '/me/role' })
  await vi.advanceTimersByTimeAsync(4999)
  expect(bar.element().textContent).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  await expect.element(bar).toHaveTextContent('Live updates are interrupted.')
  await unmount()

  await renderScreen(<TopBar title="My Role" />, { at: '/me/role', auth: { WardenSignInUID: null } })
  await vi.advanceTimersByTimeAsync(6000)
  expect(bar.element().textContent).toBe('')
  vi.useRealTimers()
})

test('FEED-02 late live updates are shown at once, until they are in time again', async () => {
  connectionStore.set('Connected')
  await renderScreen(<TopBar title="My Role" />, { at: '/me/role' })
  lateStore.set(true)
  await expect.element(bar).toHaveTextContent('Live updates are interrupted.')
  lateStore.set(false)
  await expect.element(bar).toHaveTextContent('')
})

test('UI a list that could not be refreshed is shown as old until it can', async () => {
  connectionStore.set('Connected')
  const ask = vi.fn(async () => 'Amelia')
  await renderScreen(<Screen ask={ask} />, { at: '/floor/evacuation' })
  await expect.element(page.getByText('Amelia')).toBeVisible()

  ask.mockRejectedValueOnce(new Error('away'))
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.element(bar.getByText('Not up to date.', { exact: false })).toBeVisible()
  await expect.element(page.getByText('Amelia')).toBeVisible()

  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.element(bar).toHaveTextContent('')
})

test('UI pending records are shown after 5 s, or at once without signal', async () => {
  connectionStore.set('Connected')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await renderScreen(<TopBar title="Floor Evacuation" />, { at: '/floor/evacuation' })
  pendingCountStore.set(2)
  await vi.advanceTimersByTimeAsync(4999)
  expect(bar.element().textContent).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  await expect.element(bar).toHaveTextContent('Sending. 2 changes saved on this phone.')

  pendingCountStore.set(1)
  onlineManager.setOnline(false)
  await expect.element(bar).toHaveTextContent('Offline. 1 change saved on this phone.')
  vi.useRealTimers()
})
