import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getPushKey, turnOffAlerts, turnOnAlerts } from '../../calls/push.ts'
import { PhoneAlerts } from './phone-alerts.tsx'

const server = serverForEachTest()
const endpoint = 'https://fcm.googleapis.com/fcm/send/1'
const open = () => renderScreen(<PhoneAlerts />, { at: '/me/role' })
const button = (name: string) => page.getByRole('button', { name })

/** A browser whose permission is asked, with or without alerts turned on. */
function givenBrowser(permission: NotificationPermission, isOn = false) {
  const unsubscribe = vi.fn(async () => true)
  let subscription = isOn ? { endpoint, unsubscribe } : null
  const registration = {
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async () => {
        subscription = { endpoint, unsubscribe }
        return subscription
      },
    },
  }
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(registration as never)
  const register = vi.spyOn(navigator.serviceWorker, 'register').mockResolvedValue(registration as never)
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue(permission === 'granted' ? 'default' : permission)
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue(permission)
  return { register, unsubscribe }
}

test('LADDER-21 alerts are turned on by a press, by the worker of their own scope, and turned off', async () => {
  const { register, unsubscribe } = givenBrowser('granted')
  server.answer(getPushKey, { key: 'BKey' })
  server.answer(turnOnAlerts, { status: 'done' })
  server.answer(turnOffAlerts, { status: 'done' })
  await open()
  await expect.element(button('Turn on alerts')).toBeVisible()
  expect(register).not.toHaveBeenCalled()
  await expectNoAxeViolations()

  await button('Turn on alerts').click()
  await expect.element(button('Turn off')).toBeVisible()
  expect(register).toHaveBeenCalledWith(expect.anything(), { scope: '/push/' })
  expect(server.received(turnOnAlerts).map(({ input }) => input.body)).toEqual([{ endpoint }])
  await button('Turn off').click()

  await expect.element(button('Turn on alerts')).toBeVisible()
  expect(server.received(turnOffAlerts).map(({ input }) => input.body)).toEqual([{ endpoint }])
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('LADDER-21 a phone that blocks alerts, and an iPhone in a browser, say what to do', async () => {
  givenBrowser('denied')
  server.answer(getPushKey, { key: 'BKey' })
  const { queryClient } = await open()
  await expect.element(page.getByText('This phone blocks alerts. Allow them in its settings.')).toBeVisible()

  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  await queryClient.invalidateQueries({ queryKey: ['push', 'phone'] })
  await expect
    .element(page.getByText('First add Evac to the Home Screen: Share, then Add to Home Screen.'))
    .toBeVisible()
})

test('LADDER-23 where the server has no alerts there is nothing', async () => {
  givenBrowser('granted')
  server.answer(getPushKey, { key: null })
  await open()
  await expect.poll(() => server.received(getPushKey).length).toBe(1)

  await expect.element(page.getByText('Alerts on this phone')).not.toBeInTheDocument()
})
