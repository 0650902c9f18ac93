import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { Fields, type FieldsOf } from './fields.tsx'

const stored = { name: '', kind: 'live', text: '', own: '', clear: false }
type Stored = typeof stored
const fields: FieldsOf<Stored> = {
  name: { label: 'Name', hint: ({ name }) => `${name.length} of 9`, maxLength: 9 },
  kind: {
    label: 'Meant for',
    options: [
      { value: 'live', label: 'Live events' },
      { value: 'drill', label: 'Drills' },
    ],
  },
  text: { label: 'Message', isLong: true, disabled: ({ kind }) => kind === 'drill' },
  own: { label: 'Only of drills', when: ({ kind }) => kind === 'drill' },
  clear: { label: 'Clear', tick: 'This means clear', hint: 'Clear times count from it.' },
}

function Sample({ errors = {} }: { errors?: Partial<Record<keyof Stored, string>> }) {
  const [values, setValues] = useState(stored)
  return (
    <form>
      <Fields of={fields} form={{ values, errors, set: (changes) => setValues({ ...values, ...changes }) }} />
    </form>
  )
}

test('ORG-32 each field has its label and hint in order, and follows the others', async () => {
  await render(<Sample />)
  await page.getByRole('textbox', { name: 'Name' }).fill('Fire')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('4 of 9')
  expect(page.getByRole('textbox', { name: 'Only of drills' }).query()).toBeNull()
  await page.getByRole('combobox', { name: 'Meant for' }).selectOptions('Drills')
  await page.getByRole('checkbox', { name: 'This means clear' }).click()

  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeDisabled()
  const shown = [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')]
  expect(shown.map(({ labels, type, value, checked }) => [labels?.[0]?.textContent, checked ?? value ?? type])).toEqual(
    [
      ['Name', false],
      ['Meant for', 'drill'],
      ['Message', ''],
      ['Only of drills', false],
      ['This means clear', true],
    ],
  )
  await expectNoAxeViolations()
})

test('ORG-32 what is wrong stands below its field, of a choice and of a tick, too', async () => {
  await render(<Sample errors={{ name: 'Enter a name.', kind: 'Choose one.', text: 'Too long.', clear: 'One is.' }} />)

  for (const [field, reason] of [
    [page.getByRole('textbox', { name: 'Name' }), 'Enter a name.'],
    [page.getByRole('combobox', { name: 'Meant for' }), 'Choose one.'],
    [page.getByRole('textbox', { name: 'Message' }), 'Too long.'],
  ] as const)
    await expect.element(field).toHaveAccessibleDescription(reason)
  await expect.element(page.getByText('One is.')).toBeVisible()
  expect(page.getByText('Clear times count from it.').query()).toBeNull()
  await expectNoAxeViolations()
})
