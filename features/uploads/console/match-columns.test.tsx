import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { UploadUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { checkUpload, getUpload, listUploads, openUpload, storeUploadPart } from '../calls.ts'

const server = serverForEachTest()
const uid = '00000000-0000-4000-8000-00000000e001' as UploadUid
const staff =
  'Surname;Given name;"Email ""work"" address";Email address;Phone;Room/Floor;\r\nWatson;;x;mary@school.test;0491 000 909;North House - Level 1;\r\n;Mary;;;;;\r\n'
const columnOf = (name: string) => page.getByRole('combobox', { name, exact: true })
const check = page.getByRole('button', { name: 'Check', exact: true })
const choose = (...files: File[]) => userEvent.upload(page.getByTestId('files'), files)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listUploads, listPage([]))
  server.answer(openUpload, { uid })
  server.answer(storeUploadPart, { kept: true, reason: null })
  server.answer(checkUpload, { state: 'checking' })
  server.answer(getUpload, refused('not_found', 'There is no such upload.'))
  await renderScreen(<Console />, { at: '/console/tables', auth: null })
  await expect.element(page.getByText('Drop files here or choose them')).toBeVisible()
})

afterEach(() => page.viewport(390, 844))

test('IMP-05 a table with other headings has our columns beside its own, guessed by name, each with Leave out', async () => {
  await choose(new File([staff], 'Staff list.csv'))

  await expect.element(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible()
  const chosen = ['Code', 'First name', 'Last name', 'Full name', 'Email', 'Mobile', 'Floor'].map(
    (name) => (columnOf(name).element() as HTMLSelectElement).value,
  )
  expect(chosen).toEqual(['', 'Given name', 'Surname', '', 'Email address', 'Phone', 'Room/Floor'])
  await expect.element(columnOf('First name')).toHaveAccessibleDescription('Mary')
  await expect.element(columnOf('Email').getByRole('option', { name: 'Email "work" address' })).toBeInTheDocument()
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
  await expectNoAxeViolations()
  await columnOf('Mobile').selectOptions('Leave out')
  await columnOf('Full name').selectOptions('Surname')
  await expect
    .element(page.getByText('Choose a first name, a last name or both, or the full name alone.'))
    .toBeVisible()
  await expect.element(check).toBeDisabled()
  await columnOf('Full name').selectOptions('Leave out')
  await check.click()

  await expect.poll(() => server.received(checkUpload).length).toBe(1)
  expect(server.received(storeUploadPart).map(({ url }) => url.split('/files/')[1])).toEqual(['people.csv?part=1'])
  expect(server.received(checkUpload)[0]?.input.body).toEqual({
    files: [{ file: 'people.csv', parts: 1 }],
    end_missing: false,
    mapping: {
      name: 'Staff list.csv',
      columns: [
        { column: 'first_name', heading: 'Given name' },
        { column: 'last_name', heading: 'Surname' },
        { column: 'email', heading: 'Email address' },
        { column: 'floor', heading: 'Room/Floor' },
      ],
    },
  })
})

test('NUM-05 IMP-05 a spreadsheet with a separator line, 16-bit Unicode, a title and a room is matched all the same', async () => {
  const table =
    'sep=;\r\nStaff of North House;;;;\r\n;;;;\r\nSurname;Given name;Room;;\r\nWatson;Mary;Level 1, east;;\r\n'
  await choose(new File([Uint16Array.from(`\ufeff${table}`, (one) => one.charCodeAt(0))], 'Staff list.csv'))

  await expect.element(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible()
  const chosen = ['First name', 'Last name', 'Floor'].map(
    (name) => (columnOf(name).element() as HTMLSelectElement).value,
  )
  expect(chosen).toEqual(['Given name', 'Surname', 'Room'])
  await expect.element(columnOf('Floor')).toHaveAccessibleDescription(/^Level 1, east /)
})

test('IMP-05 files of the import format and several files are matched with nothing; on a phone nothing scrolls sideways', async () => {
  await page.viewport(320, 640)
  const heading = page.getByRole('heading', { name: 'Match the columns' })
  await choose(new File(['code,first_name,last_name\nP1,Ada,Abara\n'], 'people.csv'))
  await expect.element(check).toBeEnabled()
  await expect.element(heading).not.toBeInTheDocument()
  await choose(
    new File([Uint8Array.from('Name,Stra\xdfe\nZo\xeb Vos,x\n', (letter) => letter.charCodeAt(0))], 'people.csv'),
  )

  await expect.element(heading).toBeVisible()
  await expect.element(columnOf('Full name')).toHaveAccessibleDescription(/^Zoë Vos 'Ann Smith' or/)
  expect(document.documentElement.scrollWidth).toBe(320)
  await expectNoAxeViolations()
  await choose(new File(['x'], 'roles.csv'))
  await expect.element(heading).not.toBeInTheDocument()
  await expect.element(check).toBeEnabled()
})
