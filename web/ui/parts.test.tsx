import { onlineManager } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import * as limits from '#kernel/limits.ts'
import { StatusBadge } from '../evacuees/status-badge.tsx'
import type { Status } from '../evacuees/status-look.ts'
import { LiveBar } from '../live/live-bar.tsx'
import { AsOf } from './as-of.tsx'
import { Button } from './button.tsx'
import { Checkbox } from './fields/checkbox.tsx'
import { RefreshButton, SearchBox } from './fields/search-box.tsx'
import { SelectField } from './fields/select-field.tsx'
import { TextField } from './fields/text-field.tsx'
import { ToggleChoice } from './fields/toggle-choice.tsx'
import { Section } from './section.tsx'
import { Skeleton } from './skeleton.tsx'

test('UI a busy button ignores clicks and Enter in a form, and keeps the focus', async () => {
  const onClick = vi.fn()
  const onSubmit = vi.fn()
  await render(
    <form onSubmit={onSubmit}>
      <Button type="submit" busy onClick={onClick}>
        Sign in
      </Button>
    </form>,
  )
  const button = page.getByRole('button', { name: 'Sign in' })
  button.element().focus()

  await userEvent.keyboard('{Enter}')

  expect(onClick).not.toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(button.element())
})

test('The refresh button spins for one second', async () => {
  vi.useFakeTimers()
  const onRefresh = vi.fn()
  await render(<RefreshButton onRefresh={onRefresh} />)
  const button = page.getByRole('button', { name: 'Refresh' }).element() as HTMLElement
  const isSpinning = () => button.getAttribute('aria-busy') === 'true'

  button.click()
  await vi.advanceTimersByTimeAsync(limits.refreshAnimation - 1)
  expect([onRefresh.mock.calls.length, isSpinning()]).toEqual([1, true])
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  await expect.poll(isSpinning).toBe(false)
})

test('AMB-113 a search has at most 100 characters', async () => {
  function Searcher() {
    const [text, setText] = useState('')
    return <SearchBox label="Search Occupants" value={text} onChange={setText} />
  }
  await render(<Searcher />)
  const box = page.getByRole('searchbox', { name: 'Search Occupants' })
  await box.fill('a'.repeat(99))
  await userEvent.type(box, 'bcd')
  await expect.element(box).toHaveValue(`${'a'.repeat(99)}b`)
})

test('UI a section announces whether it is open and how many items it has', async () => {
  await render(
    <Section title="All Occupants" count={137}>
      <p>Amelia</p>
    </Section>,
  )
  const heading = page.getByRole('button', { name: 'All Occupants 137' })
  await expect.element(heading).toHaveAttribute('aria-expanded', 'false')
  expect(page.getByText('Amelia').query()).toBeNull()

  await heading.click()

  await expect.element(heading).toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByText('Amelia')).toBeVisible()
})

const choices = [
  { value: 'yes', label: 'Everyone' },
  { value: 'no', label: 'No one' },
] as const
test('UI a choice is made with the arrow keys, and cannot be changed when read-only', async () => {
  const onChange = vi.fn()
  const screen = await render(<ToggleChoice legend="Broadcast" options={choices} value="yes" onChange={onChange} />)
  page.getByRole('radio', { name: 'Everyone' }).element().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('no')

  await screen.rerender(<ToggleChoice legend="Broadcast" options={choices} value="yes" onChange={onChange} readOnly />)
  await expect.element(page.getByRole('radio', { name: 'No one' })).toBeDisabled()
  await expect.element(page.getByRole('radio', { name: 'Everyone' })).toBeChecked()
})

test('UI a partly ticked box is announced as mixed', async () => {
  await render(<Checkbox label="Tower A" checked={false} indeterminate onChange={() => undefined} />)
  await expect.element(page.getByRole('checkbox', { name: 'Tower A' })).toBePartiallyChecked()
})

test('UI a select shows its placeholder until something is chosen', async () => {
  const onChange = vi.fn()
  await render(<SelectField label="Event type" value="" placeholder="Choose" options={choices} onChange={onChange} />)
  const select = page.getByRole('combobox', { name: 'Event type' })
  await expect.element(select).toHaveDisplayValue('Choose')

  await userEvent.selectOptions(select, 'No one')

  expect(onChange).toHaveBeenCalledExactlyOnceWith('no')
})

test('UI a field with an error is marked as invalid and described by the error', async () => {
  await render(<TextField label="Mobile" value="12" error="UK 11 digits starting with 07" onChange={() => undefined} />)
  const field = page.getByRole('textbox', { name: 'Mobile' })
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveAccessibleDescription('UK 11 digits starting with 07')
})

const words: [Status, string][] = [
  ['safe', 'Safe'],
  ['unknown', 'Unknown'],
  ['danger', 'In Danger'],
  ['on_duty', 'On Duty'],
  ['off_duty', 'Off Duty'],
  ['not_available', 'Not Available'],
]
test.each(words)('UI status %s shows a word and an icon beside its colour', async (status, word) => {
  await render(<StatusBadge status={status} />)
  const badge = page.getByText(word, { exact: true }).element().closest('[data-status]')
  expect(badge?.querySelector('svg')).not.toBeNull()
})

test('UI off duty, not available and danger are distinguishable without colour', async () => {
  await render(
    <>
      <StatusBadge status="danger" />
      <StatusBadge status="off_duty" />
      <StatusBadge status="not_available" />
    </>,
  )
  const drawings = [...document.querySelectorAll('[data-status] svg')].map((svg) => svg.innerHTML)
  expect(new Set(drawings).size).toBe(3)
})

test('UI the live bar shows the trouble, the pending changes and the age of the list, which is not read out at each poll', async () => {
  const at = new Date().setHours(10, 42, 10, 0)
  const screen = await render(<LiveBar trouble="offline" asOf={at} pending={3} />)
  const bar = page.getByRole('status')
  await expect.element(bar).toHaveTextContent('Offline. 3 changes saved on this phone. List as of 10:42:10.')

  expect(document.querySelector('[role=status] [aria-live=off]')?.textContent).toBe(' List as of 10:42:10.')

  await screen.rerender(<LiveBar trouble={null} asOf={at} />)
  await expect.element(bar).toHaveTextContent('')
})

test('UI a list shows its age, and warns once it is stale', async () => {
  const at = new Date().setHours(14, 3, 22, 0)
  const screen = await render(<AsOf at={at} />)
  await expect.element(page.getByText('as of 14:03:22')).toBeVisible()

  await screen.rerender(<AsOf at={at} stale />)
  await expect.element(page.getByText('Not up to date, as of 14:03:22')).toBeVisible()
})

test('UI a list of another day shows the day, because the time alone would look recent', async () => {
  const at = new Date('2026-03-02T14:03:22').getTime()
  await render(
    <>
      <AsOf at={at} stale />
      <LiveBar trouble="offline" asOf={at} />
    </>,
  )

  await expect.element(page.getByText('Not up to date, as of 02 Mar, 14:03:22')).toBeVisible()
  await expect.element(page.getByRole('status')).toHaveTextContent('Offline. List as of 02 Mar, 14:03:22.')
})

test('UX-83 a skeleton is drawn of the parts that its page has, silent but for one word', async () => {
  await render(<Skeleton parts={['field', 'counters', 'line', 'line']} />)

  const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')]
  expect(parts.map(({ dataset, childElementCount }) => [dataset.part, childElementCount])).toEqual([
    ['field', 2],
    ['counters', 4],
    ['line', 2],
    ['line', 2],
  ])
  const blocks = parts.flatMap((part) => [...part.children])
  expect(blocks.every(({ clientHeight, clientWidth }) => clientHeight > 0 && clientWidth > 50)).toBe(true)
  expect(parts.every((part) => part.closest('[aria-hidden=true]'))).toBe(true)
  expect(document.body.textContent?.trim()).toBe('Loading...')
})

test("UX-71 without signal what was never read reads 'Not on this phone yet. It needs a connection.'", async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  await render(<Skeleton />)

  await expect.element(page.getByText('Not on this phone yet. It needs a connection.')).toBeVisible()
  expect(page.getByText('Loading...').query()).toBeNull()
})
