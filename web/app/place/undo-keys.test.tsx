import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ToastRegion, toast } from '../../ui/toast.tsx'
import { useUndoKeys } from './undo-keys.ts'

/** Two buttons and the toasts; the first button was pressed. */
async function pressOnPhone() {
  const Phone = () => {
    useUndoKeys()
    return (
      <>
        <button type="button">Pressed</button>
        <button type="button">Next</button>
        <ToastRegion />
      </>
    )
  }
  await render(<Phone />)
  await page.getByRole('button', { name: 'Pressed' }).click()
}

test('UX-80 Ctrl+Z and Tab leave any other button of a toast alone', async () => {
  const onAct = vi.fn()
  await pressOnPhone()
  toast('A new version is ready', { action: { label: 'Reload', onAct } })
  await expect.element(page.getByRole('button', { name: 'Reload' })).toBeVisible()

  await userEvent.keyboard('{Control>}z{/Control}')
  await userEvent.keyboard('{Tab}')

  await expect.element(page.getByRole('button', { name: 'Next' })).toHaveFocus()
  expect(onAct).not.toHaveBeenCalled()
})

test('UX-80 Undo answers Ctrl+Z, and Tab from what was just pressed leads to it and on', async () => {
  const onAct = vi.fn()
  await pressOnPhone()
  toast('Recorded', { action: { label: 'Undo', onAct } })
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()

  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Undo' })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Next' })).toHaveFocus()
  await userEvent.keyboard('{Control>}z{/Control}')

  expect(onAct).toHaveBeenCalledOnce()
  expect(page.getByRole('button', { name: 'Undo' }).query()).toBeNull()
})
