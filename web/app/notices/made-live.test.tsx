import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { noteLiveSeen } from '#features/events/calls/events.ts'
import { getChannels, getChannelToken } from '#features/live-updates/calls/realtime.ts'
import type { EventUid } from '#kernel/ids.ts'
import { getAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { cutOff } from '../../testing/fake-server.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { someSignIn } from '../../testing/stored-auth.ts'

const event = '00000000-0000-4000-8000-00000000e003' as EventUid
const modal = page.getByRole('alertdialog', { name: 'This is not a drill' })
const understand = modal.getByRole('button', { name: 'I understand' })
const at = new Date(2026, 0, 5, 9, 7, 30)
const channels = { channels: ['event:e1'], Warden_Sign_In_UID: someSignIn }
const drill = { ...channels, event_kind: 'drill', made_live: null } as const
const live = { ...channels, event_kind: 'live', made_live: { event, at: at.toISOString() } } as const

test('KIND-08 KIND-15 the publication takes the bar away and brings a modal that only reading closes', async () => {
  const socket = fakeSocket()
  const { server } = await renderApp('/me/role', {
    auth: { event_kind: 'drill' },
    given(server) {
      server.answer(getChannels, drill)
      server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
    },
  })
  await expect.poll(() => socket.subscribed).toEqual(['event:e1'])
  server.answer(getChannels, live)

  const publication = { status: 'ok', message: null, event: { status: true, ended_by: null } }
  socket.publish('event:e1', { ...publication, event_kind: 'live', live_from: at.toISOString() }, 9)

  const text = 'The drill became a live event at 09:07. Everyone is set back to unknown. Record what you see now.'
  await expect.element(modal.getByText(text)).toBeVisible()
  await expect.element(page.getByText('DRILL. This is an exercise.')).not.toBeInTheDocument()
  expect(getAuth()?.event_kind).toBe('live')
  await userEvent.keyboard('{Escape}')
  await expect.element(modal).toBeVisible()
  await expectNoAxeViolations()
  server.answer(noteLiveSeen, { status: 'seen' })
  await understand.click()

  await expect.element(modal).not.toBeInTheDocument()
  expect(server.received(noteLiveSeen)[0]?.input.body).toEqual({ event })
})

test('KIND-15 without signal the modal stays and says that it was not recorded', async () => {
  fakeSocket()
  const { server } = await renderApp('/me/role', {
    given: (server) => {
      server.answer(getChannels, live)
      server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
      server.answer(noteLiveSeen, cutOff)
    },
  })
  await understand.click()
  await expect.element(modal.getByText('Not recorded. Try again.')).toBeVisible()

  server.answer(noteLiveSeen, { status: 'seen' })
  await understand.click()

  await expect.element(modal).not.toBeInTheDocument()
})
