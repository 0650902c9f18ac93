import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ToastRegion } from '../toast.tsx'
import { CopyLink } from './copy-link.tsx'

test('a link that is shown once is copied, or the screen says that it could not be', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no')).mockResolvedValue()
  await render(
    <>
      <CopyLink link="https://evac.test/w/1">
        <a href="https://evac.test/w/1">Open here</a>
      </CopyLink>
      <ToastRegion />
    </>,
  )
  const button = page.getByRole('button', { name: 'Copy the link' })

  await expect.element(page.getByLabelText('Link')).toHaveValue('https://evac.test/w/1')
  await expect.element(page.getByRole('link', { name: 'Open here' })).toBeVisible()
  await button.click()
  await expect.element(page.getByText('The link could not be copied.')).toBeVisible()
  await button.click()
  await expect.element(page.getByText('The link has been copied.')).toBeVisible()
  expect(copy).toHaveBeenLastCalledWith('https://evac.test/w/1')
})
