import { Flag } from 'lucide-react'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BottomSheet, SheetChoice } from './popups/bottom-sheet.tsx'
import { Dialog } from './popups/dialog.tsx'
import { ToastRegion, toast, withdrawToast } from './toast.tsx'

afterEach(() => {
  if (vi.isFakeTimers()) vi.runAllTimers()
  vi.useRealTimers()
})
const isShown = (text: string) => document.body.textContent?.includes(text)

test.each([
  ['ERR-07', undefined, 7000],
  ['ERR-08', 2000, 2000],
  ['ERR-08', 1000, 1000],
  ['ERR-08', 999, 7000],
] as const)('%s a toast asked for %s ms stays %s ms', async (_, delay, stays) => {
  vi.useFakeTimers()
  await render(<ToastRegion />)
  toast('Saved', delay === undefined ? {} : { delay })

  await vi.advanceTimersByTimeAsync(stays - 1)
  expect(isShown('Saved')).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(isShown('Saved')).toBe(false)
})

test('UI danger interrupts the screen reader, the others wait; both regions exist before the first toast', async () => {
  vi.useFakeTimers()
  await render(<ToastRegion />)
  const [alert, status] = ['alert', 'status'].map((role) => document.querySelector(`[role=${role}]`))
  expect(alert?.textContent).toBe('')

  toast('Failed to send message', { variant: 'danger' })
  toast('Message sent', { variant: 'success' })
  await vi.advanceTimersByTimeAsync(0)

  expect(alert?.textContent).toContain('Failed to send message')
  expect(status?.textContent).toContain('Message sent')
})

test('UI a toast lies above an open modal, where it can be read and dismissed', async () => {
  await render(
    <>
      <Dialog open onClose={() => undefined} title="Menu" kind="side">
        Entries
      </Dialog>
      <ToastRegion />
    </>,
  )
  toast('You are the only Event Manager on duty.', { variant: 'danger' })
  await expect.element(page.getByText('You are the only Event Manager on duty.')).toBeVisible()

  const shown = page.getByText('You are the only Event Manager on duty.').element()
  expect(shown.closest('dialog')).not.toBeNull()
  const { left, top } = shown.getBoundingClientRect()
  expect(document.elementFromPoint(left + 5, top + 15)).toBe(shown)

  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect(isShown('You are the only')).toBe(false)
})

test("UI a toast about one person lies on no button of the next person's sheet", async () => {
  await page.viewport(390, 844)
  await render(
    <>
      <BottomSheet open onClose={() => undefined} title="Janek Doyle">
        {['Safe on floor', 'Danger on floor', 'Record refusal to evacuate'].map((status) => (
          <SheetChoice key={status} icon={Flag} onChoose={() => undefined}>
            {status}
          </SheetChoice>
        ))}
      </BottomSheet>
      <ToastRegion />
    </>,
  )
  toast('Ingrid Okeke: Safe on floor', { action: { label: 'Undo', onAct: () => undefined } })
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()

  const sheet = page.getByRole('dialog').element().getBoundingClientRect()
  expect(page.getByRole('button', { name: 'Undo' }).element().getBoundingClientRect().bottom).toBeLessThan(sheet.top)
  await page.getByRole('button', { name: 'Dismiss' }).click()
})

test('UI the action of a toast runs once and removes the toast', async () => {
  await render(<ToastRegion />)
  const onAct = vi.fn()
  toast('Amelia is safe', { action: { label: 'Undo', onAct } })

  await page.getByRole('button', { name: 'Undo' }).click()

  expect(onAct).toHaveBeenCalledOnce()
  expect(isShown('Amelia is safe')).toBe(false)
})

test('UI a newer toast of the same slot replaces the older one', async () => {
  vi.useFakeTimers()
  await render(<ToastRegion />)

  toast('Amelia: Safe on floor', { slot: 'undo' })
  toast('Noah: Danger on floor', { slot: 'undo' })
  await vi.advanceTimersByTimeAsync(1)

  expect(isShown('Noah: Danger on floor')).toBe(true)
  expect(isShown('Amelia: Safe on floor')).toBe(false)
})

test('UX-10 a toast that lasts stays until it is dismissed or withdrawn, whatever comes after it', async () => {
  vi.useFakeTimers()
  await render(<ToastRegion />)
  const onDismiss = vi.fn()
  toast('3 people in danger', { variant: 'danger', slot: 'alarm', lasts: true, onDismiss })
  for (const n of [1, 2, 3, 4]) toast(`Saved ${n}`)
  await vi.advanceTimersByTimeAsync(60_000)
  const { bottom } = page.getByText('3 people in danger').element().getBoundingClientRect()
  expect(bottom).toBeLessThan(innerHeight / 2)

  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect([isShown('3 people in danger'), onDismiss.mock.calls.length]).toEqual([false, 1])

  toast('1 person in danger', { variant: 'danger', slot: 'alarm', lasts: true, onDismiss })
  withdrawToast('alarm')
  await vi.advanceTimersByTimeAsync(1)
  expect([isShown('1 person in danger'), onDismiss.mock.calls.length]).toEqual([false, 1])
})

test('UI the second tap of a double tap cannot trigger the action of the toast that the first one opened', async () => {
  await render(<ToastRegion />)
  toast('Amelia: In Danger', { action: { label: 'Undo', onAct: () => undefined } })
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect.element(undo).toBeVisible()
  const button = undo.element()
  const { left, top } = button.getBoundingClientRect()
  const underThumb = () => document.elementFromPoint(left + 20, top + 20)
  const [arming] = button.getAnimations()
  if (arming) arming.currentTime = 300

  expect(underThumb()).not.toBe(button)
  arming?.finish()
  expect(underThumb()).toBe(button)
})

test('UX-81 the text, the action and the dismissal of a toast stand in one row at 390 px', async () => {
  await render(<ToastRegion />)
  toast('Adebayo Perera: Danger on floor', { action: { label: 'Undo', onAct: () => undefined } })

  const boxOf = (name: string) => page.getByRole('button', { name }).element().getBoundingClientRect()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(boxOf('Dismiss').top).toBe(boxOf('Undo').top)
  const text = page.getByText('Adebayo Perera: Danger on floor').element().getBoundingClientRect()
  expect(text.right).toBeLessThanOrEqual(boxOf('Undo').left)
  expect(text.bottom).toBeGreaterThan(boxOf('Undo').top)
})

test('UX-81 a toast with its action fits on the smallest phone at 200 % text', async () => {
  await page.viewport(320, 568)
  document.documentElement.style.fontSize = '200%'
  await render(<ToastRegion />)
  toast('Alexandra Montgomery is recorded as Safe on floor', { action: { label: 'Undo', onAct: () => undefined } })

  for (const name of ['Undo', 'Dismiss'])
    await expect.element(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  expect(document.querySelector<HTMLElement>('[popover]')?.scrollWidth).toBeLessThanOrEqual(320)
  document.documentElement.style.fontSize = ''
  await page.viewport(390, 844)
})
