import { test as base, expect } from 'vitest'
import { givenAdministrator } from '#server/testing/administrators.ts'
import { post } from '#server/testing/post.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { signInToConsole } from '../../calls/console-sign-in.ts'
import { requestPasswordReset } from '../../calls/password-reset.ts'
import { login, loginByMobile } from '../../calls/sign-in.ts'
import { type Cell, patienceMs, startCells } from './two-cells.fixture.ts'

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('cells', { scope: 'file' }, async ({}, { onCleanup }) => {
  const cells = await startCells()
  onCleanup(() => cells[Symbol.asyncDispose]())
  return cells
})

const wrong = { error: 'invalid_credentials', message: 'Incorrect email / username and password.' }

const signIn = (cell: Cell, email: string, password: string, network?: string) =>
  post(cell.server, login.path, { email, password }, network)

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const since = performance.now()
  const answer = await work()
  return { answer, ms: performance.now() - since }
}

/** Someone who can sign in at the second cell, of whom the directory knows. */
async function wardenOfTwo({ two }: { two: Cell }) {
  const warden = await two.server.given.warden(await two.server.given.organisation())
  await two.feed()
  return warden
}

test('CELL-02 who signs in at the wrong address with the right password is sent to their own', async ({ cells }) => {
  const { email } = await wardenOfTwo(cells)

  const answer = await signIn(cells.one, ` ${email.toUpperCase()}`, 'evacuate1')

  const address = cells.two.url
  expect(answer).toEqual({ status: 409, body: { error: 'elsewhere', message: `You sign in at ${address}.`, address } })
  expect((await signIn(cells.two, email, 'evacuate1')).status).toBe(200)
})

test('CELL-02 an administrator is sent there, too', async ({ cells }) => {
  const { server } = cells.two
  const { email } = await givenAdministrator(server, await server.given.organisation(), { email: 'ada@two.test' })
  await cells.two.feed()

  const answer = await post(cells.one.server, signInToConsole.path, { name: email, password: 'evacuate1' })

  expect(answer).toMatchObject({ status: 409, body: { address: cells.two.url } })
})

test('CELL-02 a wrong password answers the same, after the same time, for each name: here, elsewhere and nowhere', async ({
  cells,
}) => {
  const elsewhere = (await wardenOfTwo(cells)).email
  const here = (await cells.one.server.given.warden(await cells.one.server.given.organisation())).email
  const median: Record<string, number> = {}

  for (const name of [elsewhere, here, 'nobody@nowhere.test']) {
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const { answer, ms } = await timed(() => signIn(cells.one, name, 'not this one', `203.0.113.${n}`))
      expect(answer, name).toEqual({ status: 400, body: wrong })
      times.push(ms)
    }
    median[name] = times.sort((a, b) => a - b)[2] ?? 0
  }

  const medians = Object.values(median)
  expect(Math.min(...medians)).toBeGreaterThan(patienceMs)
  expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(100)
})

test('CELL-02 a try from the wrong address counts at the right one, for the network of the person: the eleventh is refused', async ({
  cells,
}) => {
  const { email } = await wardenOfTwo(cells)
  const guess = (cell: Cell) => signIn(cell, email, 'not this one', '198.51.100.9')
  await Promise.all(Array.from({ length: 9 }, () => guess(cells.two)))
  await guess(cells.one)

  const blocked = await signIn(cells.one, email, 'evacuate1', '198.51.100.9')
  const colleague = await signIn(cells.one, email, 'evacuate1', '198.51.77.9')

  expect(blocked).toEqual({ status: 400, body: wrong })
  expect(colleague.status).toBe(409)
})

test('CELL-02 a link that is asked at the wrong address is texted by the right one', async ({ cells }) => {
  const { mobile } = await wardenOfTwo(cells)

  const answer = await post(cells.one.server, loginByMobile.path, { phone: mobile })
  await sendTexts(cells.two.server)

  expect(answer).toEqual({ status: 200, body: { mobile: 'valid', popup_text: '' } })
  expect(await textsOn(cells.two.server, mobile as string)).toEqual([expect.stringContaining('/login#token=')])
  expect(await textsOn(cells.one.server, mobile as string)).toEqual([])
})

test('CELL-02 a new password that is asked for at the wrong address is mailed by the right one', async ({ cells }) => {
  const { email, accountUid } = await wardenOfTwo(cells)

  const answer = await post(cells.one.server, requestPasswordReset.path, { email })

  const resets = (cell: Cell) =>
    cell.server.db.selectFrom('passwordReset').select('accountUid').where('accountUid', 'is not', null).execute()
  expect(answer).toEqual({ status: 200, body: { status: 'accepted' } })
  expect(await resets(cells.two)).toEqual([{ accountUid }])
  expect(await resets(cells.one)).toEqual([])
})

test('CELL-02 nothing that is typed leaves in the clear, and the directory gets no password at all', async ({
  cells,
}) => {
  const { email } = await wardenOfTwo(cells)
  cells.one.called.length = 0

  await signIn(cells.one, email, 'evacuate1')

  const [toDirectory, toCell] = cells.one.called
  expect(cells.one.called.map(({ url }) => new URL(url).origin)).toEqual([cells.directory.url, cells.two.url])
  expect(Object.keys(JSON.parse(toDirectory?.body ?? ''))).toEqual(['name'])
  for (const { body } of cells.one.called) expect(body).not.toMatch(/evacuate1|@/)
  expect(JSON.stringify(cells.two.called)).not.toContain(email)
  expect(toCell).toBeDefined()
})

test('CELL-02 without directory or other cell each signs its own people in, and refuses all others in the same time', async ({
  cells,
}) => {
  const there = await wardenOfTwo(cells)
  const here = await cells.one.server.given.warden(await cells.one.server.given.organisation())
  await cells.directory.stop()

  const own = await timed(() => signIn(cells.one, here.email, 'evacuate1'))
  const other = await timed(() => signIn(cells.one, there.email, 'evacuate1'))
  await cells.directory.restart()
  await cells.two.feed()
  const again = await signIn(cells.one, there.email, 'evacuate1')

  expect(own.answer.status).toBe(200)
  expect(own.ms).toBeLessThan(patienceMs)
  expect(other.answer).toEqual({ status: 400, body: wrong })
  expect(other.ms).toBeGreaterThan(patienceMs)
  expect(again.status).toBe(409)
})
