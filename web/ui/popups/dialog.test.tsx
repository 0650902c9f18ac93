import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BottomSheet } from './bottom-sheet.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

function Opener({ blocking = false }: { blocking?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Choices" blocking={blocking}>
        <button type="button">First</button>
        <button type="button" data-autofocus>
          Wanted
        </button>
      </Dialog>
    </>
  )
}
const focused = () => document.activeElement?.textContent

test('UI a dialog focuses the marked element, traps the focus, and returns it after Esc', async () => {
  await render(<Opener />)
  await page.getByRole('button', { name: 'Open' }).click()

  expect(focused()).toBe('Wanted')
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.tab()
  expect(focused()).not.toBe('Open')

  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(focused()).toBe('Open')
})

test('UX-83 the focus moves into a dialog once, because each move makes a slow phone lay out the page', async () => {
  const moves: unknown[] = []
  const note = ({ target }: FocusEvent) => moves.push((target as Element).textContent)
  await render(<Opener />)
  document.addEventListener('focusin', note)
  onTestFinished(() => document.removeEventListener('focusin', note))
  const opener = page.getByRole('button', { name: 'Open' }).element() as HTMLElement
  opener.click()

  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(moves).toEqual(['Wanted'])
})

/** Pages of tests hold everything still, so the rules are read instead of their effect. */
const rulesThatMove = (rules: CSSRuleList): string[] =>
  [...rules].flatMap((rule) => {
    const own = rule instanceof CSSStyleRule && rule.style.animationName === 'popup-in' ? [rule.selectorText] : []
    return 'cssRules' in rule ? [...own, ...rulesThatMove(rule.cssRules as CSSRuleList)] : own
  })

test('UX-83 a bottom sheet is there whole in its first frame, while other dialogs fade in', async () => {
  await render(
    <>
      <BottomSheet open title="Sheet" onClose={vi.fn()}>
        Choices
      </BottomSheet>
      <Dialog open title="Other" onClose={vi.fn()}>
        Words
      </Dialog>
    </>,
  )
  const moving = [...document.styleSheets].flatMap(({ cssRules }) => rulesThatMove(cssRules)).join()

  expect([...document.querySelectorAll('dialog')].map((dialog) => dialog.matches(moving))).toEqual([false, true])
})

test('UI a press on the backdrop closes a dialog, a press inside does not', async () => {
  await render(<Opener />)
  await page.getByRole('button', { name: 'Open' }).click()

  await page.getByRole('heading', { name: 'Choices' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()

  await userEvent.click(document.documentElement, { position: { x: 5, y: 5 } })
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('UI a blocking dialog stays open, however often Esc is pressed', async () => {
  await render(<Opener blocking />)
  await page.getByRole('button', { name: 'Open' }).click()

  // The browser does not let the page prevent the second Esc.
  await userEvent.keyboard('{Escape}{Escape}{Escape}')

  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(document.querySelector('dialog')?.matches(':modal')).toBe(true)
})

test('UI a dialog that is unmounted while open returns the focus', async () => {
  function Leaver() {
    const [asked, setAsked] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setAsked(true)}>
          Ask
        </button>
        {asked && (
          <ConfirmDialog open title="Sure?" confirm="Yes" onConfirm={() => setAsked(false)} onCancel={() => undefined}>
            Really
          </ConfirmDialog>
        )}
      </>
    )
  }
  await render(<Leaver />)
  await page.getByRole('button', { name: 'Ask' }).click()

  await page.getByRole('button', { name: 'Yes' }).click()

  expect(focused()).toBe('Ask')
})

test('UI the late close event of one dialog does not close the next', async () => {
  function TwoSteps() {
    const [step, setStep] = useState<'none' | 'menu' | 'confirm'>('none')
    return (
      <>
        <button type="button" onClick={() => setStep('menu')}>
          Menu
        </button>
        <Dialog open={step === 'menu'} onClose={() => setStep('none')} title="Menu">
          <button type="button" onClick={() => setStep('confirm')}>
            Leave
          </button>
        </Dialog>
        <Dialog open={step === 'confirm'} onClose={() => setStep('none')} title="Sure?">
          Really
        </Dialog>
      </>
    )
  }
  await render(<TwoSteps />)
  await page.getByRole('button', { name: 'Menu' }).click()
  const closed = new Promise((resolve) => document.querySelector('dialog')?.addEventListener('close', resolve))

  await page.getByRole('button', { name: 'Leave' }).click()
  await closed

  await expect.element(page.getByRole('dialog', { name: 'Sure?' })).toBeVisible()
})

test('MENU-14 a confirm dialog focuses Cancel, and Esc cancels', async () => {
  const onCancel = vi.fn()
  const onConfirm = vi.fn()
  await render(
    <ConfirmDialog open title="Go Off Duty?" confirm="Logout" onConfirm={onConfirm} onCancel={onCancel}>
      You can sign in again.
    </ConfirmDialog>,
  )

  expect(focused()).toBe('Cancel')
  await userEvent.keyboard('{Escape}')

  expect(onCancel).toHaveBeenCalledOnce()
  expect(onConfirm).not.toHaveBeenCalled()
})

test('UI the page behind dialogs does not scroll until the last one has closed', async () => {
  const overflow = () => getComputedStyle(document.documentElement).overflowY
  const Two = ({ open }: { open: 'both' | 'one' | 'none' }) => (
    <>
      <Dialog open={open !== 'none'} onClose={() => undefined} title="First">
        Question
      </Dialog>
      <Dialog open={open === 'both'} onClose={() => undefined} title="Second">
        Question
      </Dialog>
    </>
  )
  const { rerender } = await render(<Two open="both" />)
  expect(overflow()).toBe('hidden')
  await rerender(<Two open="one" />)
  expect(overflow()).toBe('hidden')
  await rerender(<Two open="none" />)
  expect(overflow()).toBe('visible')
})

test('UI the buttons of a long question are visible without scrolling', async () => {
  await page.viewport(320, 400)
  await render(
    <ConfirmDialog open title="Go?" confirm="Go" onConfirm={vi.fn()} onCancel={vi.fn()}>
      <div style={{ height: 900 }}>A long question</div>
    </ConfirmDialog>,
  )
  const dialog = page.getByRole('alertdialog')

  await expect.element(dialog.getByRole('button', { name: 'Go' })).toBeInViewport({ ratio: 1 })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 })
  expect(dialog.element().scrollTop).toBe(0)
  await page.viewport(390, 844)
})
