import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '../../lib/look/theme.ts'
import { updateAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { renderApp } from '../../testing/render-app.tsx'

const bar = page.getByText('DRILL. This is an exercise.')
const drill = { auth: { event_kind: 'drill' } } as const

test.each(['/me/role', '/reportinlist', '/floor/evacuation', '/withdraw/a1', '/message/group', '/nowhere'])(
  'KIND-07 %s begins with the bar of the drill, 40 px, as a status that cannot be closed',
  async (at) => {
    await renderApp(at, drill)

    await expect.element(bar).toBeVisible()
    const status = bar.element().parentElement as HTMLElement
    expect([status.role, status.querySelector('button')]).toEqual(['status', null])
    expect(status.getBoundingClientRect()).toMatchObject({ top: 0, height: 40, left: 0 })
    expect(getComputedStyle(bar.element()).backgroundColor).toBe('rgb(0, 58, 140)')
    expect(document.body.firstElementChild).toBe(status)
    await expectNoAxeViolations()
  },
)

test.each(['light', 'dark'] as const)(
  'KIND-07 in the %s theme the bar stays in view and covers no control',
  async (theme) => {
    chooseTheme(theme)
    await renderApp('/me/role', drill)
    await expect.element(bar).toBeVisible()
    const content = page.getByRole('banner').element().parentElement as HTMLElement
    content.style.minHeight = '3000px'

    window.scrollTo(0, 900)

    await expect.poll(() => bar.element().getBoundingClientRect().top).toBe(0)
    const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
    await expect.poll(() => menu.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(40)
    await menu.click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect.element(drawer).toBeVisible()
    await expect.poll(() => drawer.element().getBoundingClientRect().top).toBe(40)
  },
)

test.each(['live', null, undefined])('KIND-07 KIND-08 an event of the kind %s has no bar', async (kind) => {
  const app = await renderApp('/me/role', { auth: { event_kind: kind as never } })
  await expect.element(page.getByRole('banner')).toBeVisible()
  expect(bar.query()).toBeNull()

  updateAuth({ event_kind: 'drill' })
  await expect.element(bar).toBeVisible()
  updateAuth({ event_kind: null })

  await expect.element(bar).not.toBeInTheDocument()
  await app.unmount()
  expect(document.documentElement.style.getPropertyValue('--drill')).toBe('')
})
