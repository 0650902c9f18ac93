import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderScreen } from '../testing/render-screen.tsx'
import { Link } from './link.tsx'

const open = () =>
  renderScreen(
    <>
      <Link to="/me/role">My Role</Link>
      <Link to="/reportinlist">List</Link>
    </>,
    { at: '/reportinlist' },
  )

test('a click navigates inside the app without a page load', async () => {
  const screen = await open()
  await page.getByRole('link', { name: 'My Role' }).click()
  expect(screen.address()).toBe('/me/role')
})

test('a click with Ctrl is left to the browser, and the link has a real address', async () => {
  const screen = await open()
  const link = page.getByRole('link', { name: 'My Role' })
  const opened = vi.fn((event: Event) => event.preventDefault())
  window.addEventListener('click', opened)

  await userEvent.keyboard('{Control>}')
  await link.click()
  await userEvent.keyboard('{/Control}')

  window.removeEventListener('click', opened)
  expect(opened).toHaveBeenCalledOnce()
  expect(screen.address()).toBe('/reportinlist')
  await expect.element(link).toHaveAttribute('href', '/me/role')
})

test('the link to the current page is marked as current', async () => {
  await open()
  await expect.element(page.getByRole('link', { name: 'List' })).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByRole('link', { name: 'My Role' })).not.toHaveAttribute('aria-current')
})
