import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { PersonUid } from '#kernel/ids.ts'
import { PersonPopups, usePersonPopups } from './person-popups.tsx'
import { floorWords } from './status-words.ts'

const pat = { id: 'pat' as PersonUid, name: 'Pat Lee', status: 'unknown', reported: false } as const

test('UX-83 a status sheet opens and closes without drawing its screen anew', async () => {
  const draw = vi.fn()
  function Screen() {
    draw()
    const popups = usePersonPopups()
    return (
      <>
        <button type="button" onClick={() => popups.actions.onStatus(pat)}>
          Pat
        </button>
        <PersonPopups popups={popups} people={[pat]} pending={new Map()} words={floorWords} onStatus={vi.fn()} />
      </>
    )
  }
  await render(<Screen />)
  const drawn = draw.mock.calls.length

  await page.getByRole('button', { name: 'Pat' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Pat Lee' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  expect(draw).toHaveBeenCalledTimes(drawn)
})
