import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AlertModal, type AlertVariant } from './alert-modal.tsx'

const show = (
  variant: AlertVariant,
  { text = 'Something happened.', ...props }: { text?: string; button?: string; locked?: boolean } = {},
) => {
  const onClose = vi.fn()
  return render(<AlertModal alert={{ variant, text }} onClose={onClose} {...props} />).then(() => onClose)
}

test.each([
  ['ERR-01', 'error', 'Error', 'rgb(200, 35, 51)'],
  ['ERR-02', 'warn', 'Warning', 'rgb(255, 193, 7)'],
  ['ERR-03', 'success', 'Success', 'rgb(30, 126, 52)'],
] as const)('%s alert variant %s is shown by word and colour', async (_, variant, word, colour) => {
  await show(variant)

  const dialog = page.getByRole('alertdialog', { name: word })
  await expect.element(dialog.getByText('Something happened.')).toBeVisible()
  const band = dialog.element().querySelector('[data-variant]:not(button)')
  expect(band && getComputedStyle(band).backgroundColor).toBe(colour)
})

test("ERR-04 the default button reads 'OK', has the focus and closes the alert; so does Esc", async () => {
  const onClose = await show('error')

  expect(document.activeElement?.textContent).toBe('OK')
  await page.getByRole('button', { name: 'OK' }).click()
  await userEvent.keyboard('{Escape}')

  expect(onClose).toHaveBeenCalledTimes(2)
})

test('ERR-05 the alert is 377 by 304 px, narrower only on a narrower phone', async () => {
  await page.viewport(500, 844)
  await show('warn')
  const size = () => {
    const { width, height } = page.getByRole('alertdialog').element().getBoundingClientRect()
    return [width, height]
  }

  expect(size()).toEqual([377, 304])
  await page.viewport(320, 844)
  await expect.poll(size).toEqual([304, 304])
  await page.viewport(390, 844)
})

test('ERR-05 with doubled text on a small phone the alert is taller, and nothing is cut off', async () => {
  await page.viewport(320, 640)
  document.documentElement.style.fontSize = '200%'
  await show('warn', {
    text: 'You have been reported as not available. You may sign in later if you are available to assist.',
  })

  const text = page.getByRole('alertdialog').getByText(/^You have been reported/)
  const { scrollHeight, clientHeight } = text.element().parentElement as HTMLElement
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight)
  await expect.element(page.getByRole('button', { name: 'OK' })).toBeInViewport({ ratio: 1 })
  document.documentElement.style.fontSize = ''
  await page.viewport(390, 844)
})

test('CONST-01 a locked alert shows its countdown and cannot be closed', async () => {
  const onClose = await show('warn', { button: '4:59', locked: true })

  await expect.element(page.getByRole('button', { name: '4:59' })).toBeDisabled()
  await userEvent.keyboard('{Escape}{Escape}')

  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})
