import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { makeTemporaryFolder, ProductNode, testSettings } from '../rig/product.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { desk, lookAt } from './support/console.ts'
import { expect, test } from './support/test.ts'

const password = 'nine lamps on the quay'

/** The product on an empty folder, and what it printed. */
async function emptyInstallation() {
  const folder = makeTemporaryFolder('evac-empty-')
  const logFile = join(folder, 'log')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const node = new ProductNode({
    port,
    logFile,
    settings: { ...testSettings, DATA_DIR: join(folder, 'data'), APP_URL: url },
  })
  await node.start()
  return {
    url,
    printed: () => readFileSync(logFile, 'utf8'),
    async [Symbol.asyncDispose]() {
      await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function fillIn(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** From an empty list to a person who is found by a search. */
async function addSomebody(page: Page) {
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByRole('rowheader', { name: 'Lind, Nora' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a person' }).click()
  await fillIn(page, { 'First name': 'Zoë', 'Last name': 'Müller', Email: 'no address' })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Email is not an email address')).toBeVisible()
  await lookAt(page, 'new-person')
  await fillIn(page, { Email: 'zoe@school.test' })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Cannot sign in: no assignment, not an administrator.')).toBeVisible()
  await lookAt(page, 'person')
  await fillIn(page, { 'Last name': 'Muller' })
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('MÜL zo')
  await expect(page.getByRole('rowheader', { name: 'Lind, Nora' })).toHaveCount(0)
  await expect(page.getByRole('rowheader', { name: 'Muller, Zoë' })).toBeVisible()
  await lookAt(page, 'people')
  // within a row: the cards of the phone are gone
  const tick = (name: string) => page.getByRole('row').getByRole('checkbox', { name: `Tick ${name}` })
  await tick('Zoë Muller').press('Space')
  await expect(tick('Zoë Muller')).toBeChecked()
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await tick('Nora Lind').press('Space')
  await expect(tick('Nora Lind')).toBeChecked()
  await expect(page.getByText('2 people ticked')).toBeVisible()
  await lookAt(page, 'people-ticked')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await lookAt(page, 'invite')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('Only another administrator can do this.')).toBeVisible()
  await expect(
    page.getByText('No assignment and not an administrator: nothing to invite this person to.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Muller, Zoë' }).press('Enter')
  await expect(page.getByLabel('Last name')).toHaveValue('Muller')
}

/** Someone who is there twice becomes one person, and the other one is erased. */
async function mergeAndErase(page: Page) {
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await open('People')
  await page.getByRole('button', { name: 'Add a person' }).click()
  await fillIn(page, {
    'First name': 'Zoe',
    'Last name': 'Muller',
    Email: 'ZOE@school.test',
    Mobile: '0491 000 777',
  })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Cannot sign in: no assignment, not an administrator.')).toBeVisible()
  await open('People')
  await page.getByRole('button', { name: 'Duplicates (1)' }).click()
  await expect(page.getByRole('row', { name: /Muller, Zoë.*Muller, Zoe.*Email/ })).toBeVisible()
  await lookAt(page, 'duplicates')
  await page
    .getByRole('row')
    .getByRole('button', { name: /^Merge/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Merge two people' })
  await expect(dialog.getByRole('group', { name: 'First name' })).toBeVisible()
  await lookAt(page, 'merge')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('Merged.')).toBeVisible()
  await expect(page.getByText(/^No two people in the directory share/)).toBeVisible()
  await page.goto(new URL('/console/people?state=inactive', page.url()).href)
  await page.getByRole('link', { name: 'Muller, Zoe' }).click()
  await expect(page.getByText('Inactive. Merged into Zoë Muller.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: "Download this person's data" }).click()
  expect(JSON.parse(readFileSync(await (await download).path(), 'utf8')).person.mobile).toBe('61491000777')
  await lookAt(page, 'merged-person')
  await page.getByRole('button', { name: 'Erase' }).click()
  await lookAt(page, 'erase')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click()
  await expect(page.getByText('Erased.')).toBeVisible()
}

/** A group with a member, who is led to from the group. */
async function keepGroup(page: Page) {
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByText('There are no groups yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add a group' }).click()
  await fillIn(page, { Name: 'Year 7' })
  await page.keyboard.press('Enter')
  await expect(page.getByText('This group has no members yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add members' }).click()
  await page.getByRole('searchbox', { name: 'Search people' }).fill('zoe')
  await page.getByRole('button', { name: /^Zoë Muller/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('G-001. 1 member. Managed by the organisation.')).toBeVisible()
  await lookAt(page, 'group')
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await expect(page.getByRole('row', { name: /^Year 7 1 member/ })).toBeVisible()
  await lookAt(page, 'groups')
}

/** Adds a template, keeps a setting, and finds both in the audit log. */
async function keepListsAndSettings(page: Page) {
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await open('Plans')
  await expect(page.getByText('No one has a plan yet.')).toBeVisible()
  await lookAt(page, 'plans')
  await open('Lists')
  await expect(page.getByRole('rowheader', { name: 'Not Started' })).toBeVisible()
  await lookAt(page, 'lists')
  await open('Templates')
  await page.getByRole('button', { name: 'Add' }).click()
  await fillIn(page, { Text: 'Where are you?' })
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('rowheader', { name: 'Where are you?' })).toBeVisible()
  await open('Settings')
  await fillIn(page, { 'Contact email': 'office@school.test' })
  await lookAt(page, 'settings')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await open('Audit log')
  for (const what of ['Settings changed', 'List changed'])
    await expect(
      page
        .getByRole('row', { name: /Nora Lind/ })
        .filter({ hasText: what })
        .first(),
    ).toBeVisible()
  await lookAt(page, 'audit')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Nora Lind,Settings changed')
  await open('Administrators')
}

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})

/** A table with headings of its own is matched, applied and undone. */
async function bringStaffList(page: Page) {
  await page.getByTestId('files').setInputFiles([csv('Staff.csv', 'Surname,Given name,Floor', 'Cho,Cleo,Level 1')])
  await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible()
  await lookAt(page, 'match-columns')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('row', { name: /Cleo Cho Added/ })).toBeVisible()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Applied: 1 added, 0 changed, 0 ended.')).toBeVisible()
  await lookAt(page, 'upload-applied')
  await page.getByRole('link', { name: 'Upload & export', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1)
  await lookAt(page, 'tables-history')
  await page.getByRole('link', { name: /^\d\d/ }).first().click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await lookAt(page, 'undo')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
  await lookAt(page, 'upload-undone')
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByText('Cho, Cleo')).not.toBeVisible()
}

/** A spreadsheet with a mistake, then places and people as tables: looked at, applied, and there. */
async function bringTables(page: Page) {
  await page.getByRole('link', { name: 'Upload & export', exact: true }).click()
  const check = async (files: ReturnType<typeof csv>[]) => {
    await page.getByTestId('files').setInputFiles(files)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
  }
  const people = ['code;first_name;last_name;floor', 'S1;Ada;Abara;MAIN/G', 'S2;Ben;Brandt;MAIN/L1']
  await check([csv('people.csv', ...people), csv('note.txt', 'x')])
  await expect(page.getByText('2 cells are wrong, in 2 rows.')).toBeVisible()
  await expect(page.getByText('note.txt: Not a file of the import format.')).toBeVisible()
  await lookAt(page, 'upload-errors')
  await page.getByRole('link', { name: 'Upload & export', exact: true }).click()
  await page.getByTestId('files').setInputFiles([csv('people.csv', ...people)])
  await lookAt(page, 'tables')
  await check([
    csv('sites.csv', 'code,name', 'SCHOOL,Harbour School'),
    csv('buildings.csv', 'site,code,name', 'SCHOOL,MAIN,Main building'),
    csv('floors.csv', 'building,code,name,level', 'MAIN,G,Ground,0', 'MAIN,L1,Level 1,1'),
  ])
  await expect(page.getByRole('row', { name: /^S1 Ada Abara Added/ })).toBeVisible()
  await lookAt(page, 'upload')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Applied: 6 added, 0 changed, 0 ended.')).toBeVisible()
  await page.getByRole('link', { name: 'Upload & export', exact: true }).click()
  await expect(page.getByRole('cell', { name: '6 added' })).toBeVisible()
  await bringStaffList(page)
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await expect(page.getByRole('row', { name: /Abara, Ada Ground|Abara, Ada Main building - Ground/ })).toBeVisible()
}

test('ORG-01 ORG-04 ORG-21 ORG-22 ORG-32 ORG-37 ORG-39 PPL-05 PPL-12 PPL-18 PPL-40 IMP-04 IMP-05 IMP-07 IMP-14 from the printed address to a signed-in console, and in again after signing out', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  await using installation = await emptyInstallation()
  const address = /No organisation yet\. Set up: (\S+)/.exec(installation.printed())?.[1] as string
  // the product of the other journeys is not empty
  const context = await browser.newContext({ viewport: desk })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))

  await page.goto(address)
  await expect(page.getByLabel('Token')).toHaveValue(/^[\w-]{43}$/)
  await expect(page).toHaveURL(`${installation.url}/console/set-up`)
  await lookAt(page, 'set-up')
  await fillIn(page, {
    Name: 'Harbour School',
    'First name': 'Nora',
    'Last name': 'Lind',
    Email: 'nora@school.test',
    Password: password,
    'Password again': password,
  })
  await page.getByRole('button', { name: 'Continue' }).click()

  const key = await page.getByText(/^Key: ([A-Z2-7]{4} ?)+$/).textContent()
  await lookAt(page, 'second-factor')
  const secret = Secret.fromBase32((key ?? '').replace('Key:', '').replaceAll(' ', ''))
  await fillIn(page, { Code: TOTP.generate({ secret }) })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(10)
  const [recoveryCode = ''] = await page.getByRole('listitem').allTextContents()
  await lookAt(page, 'recovery-codes')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(recoveryCode)
  await page.getByRole('button', { name: 'Go to the console' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Appoint a second administrator/ })).toBeVisible()
  await lookAt(page, 'overview')
  await addSomebody(page)
  await mergeAndErase(page)
  await keepGroup(page)
  await page.getByRole('link', { name: 'Administrators', exact: true }).click()
  await expect(page.getByRole('rowheader', { name: /Nora Lind/ })).toBeVisible()
  await lookAt(page, 'administrators')
  await bringTables(page)
  await keepListsAndSettings(page)
  await page.reload()
  await expect(page.getByRole('rowheader', { name: /Nora Lind/ })).toBeVisible()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible()
  await lookAt(page, 'sign-in')
  await fillIn(page, { 'Email or user name': 'nora@school.test', Password: password })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await fillIn(page, { 'Recovery code': recoveryCode })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader', { name: /Nora Lind/ })).toBeVisible()

  await page.goto(address)
  await fillIn(page, { Name: 'Another', Password: password, 'Password again': password })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This installation is set up. Sign in instead.')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
