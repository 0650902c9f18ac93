import { expect, test } from 'vitest'
import { startCells } from '#features/sign-in/server/elsewhere/two-cells.fixture.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openOutgoing } from '#server/platform/outgoing.ts'
import { findFreePort } from '../../../../scripts/lib/free-ports.ts'
import { openCells } from './cells.ts'
import { HeldNames } from './held-names.ts'
import { openAnswer, openQuestion, sealAnswer, sealQuestion } from './messages.ts'
import { cellKeysOf, hashName, hashOfKey } from './names.ts'

const keys = cellKeysOf('a key of all cells')
const now = new Date('2026-03-01T10:00:00Z')

test('CELL-02 a name that came, changed or went is right after the next round, which sends no list twice', async () => {
  await using cells = await startCells()
  const { server, feed, called } = cells.two
  const warden = await server.given.warden(await server.given.organisation())
  const find = async (name: string) => cells.one.server.app.cells?.find('login', name)
  const setAccount = (values: { email?: string; active?: boolean }) =>
    server.db.updateTable('account').set(values).where('uid', '=', warden.accountUid).execute()
  const listsSent = async () => {
    called.length = 0
    await feed()
    return called.filter(({ url }) => url.endsWith('/list')).length
  }

  expect(await listsSent()).toBeGreaterThan(0)
  expect(await find(warden.email)).toEqual([cells.two.url])
  expect(await listsSent()).toBe(0)
  await setAccount({ email: 'moved.name@two.test' })
  expect(await listsSent()).toBe(1)
  expect([await find(warden.email), await find('Moved.Name@two.test')]).toEqual([[], [cells.two.url]])
  await setAccount({ active: false })
  await listsSent()
  expect(await find('moved.name@two.test')).toEqual([])
})

test('CELL-02 a cell feeds its own address alone, and no one without a key of a cell asks or feeds', async () => {
  await using cells = await startCells()
  const ask = async (path: string, body: object, key?: string) => {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
    const answer = await fetch(`${cells.directory.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }
  const name = hashName(keys, 'login', 'ada@evac.test')
  const list = { list: '0a', mark: name, names: [name] }

  for (const path of ['/lists', '/list', '/find'])
    for (const key of [undefined, 'no key of a cell']) expect((await ask(path, list, key)).status).toBe(401)
  expect((await ask('/list', list, cells.keys[0])).status).toBe(200)

  expect((await ask('/find', { name }, cells.keys[1])).body).toEqual({ cells: [cells.one.url] })
  expect((await ask('/lists', { marks: {} }, cells.keys[1])).body).toEqual({ wanted: [] })
  expect((await ask('/find', { name }, cells.keys[1])).body).toEqual({ cells: [cells.one.url] })
})

test('CELL-02 a cell that several have the name of is asked for all of them; a list that ends ends its names', () => {
  const held = new HeldNames()
  for (const cell of ['https://a.test', 'https://b.test']) held.hold(cell, '00', { mark: 'm', names: ['ada'] })

  expect(held.find('ada')).toEqual(['https://a.test', 'https://b.test'])
  expect(held.compare('https://a.test', { '01': 'new' })).toEqual(['01'])
  expect(held.find('ada')).toEqual(['https://b.test'])
})

test('CELL-02 a question opens with the key of the cells, at the cell that it is for, for a minute', () => {
  const to = 'https://b.test'
  const sealed = sealQuestion(keys, to, { what: 'x' }, now)
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

  expect(openQuestion(keys, to, sealed, later(59))).toEqual({ what: 'x' })
  expect(openQuestion(keys, to, sealed, later(61))).toBeUndefined()
  expect(openQuestion(keys, 'https://c.test', sealed, now)).toBeUndefined()
  expect(openQuestion(cellKeysOf('another key'), to, sealed, now)).toBeUndefined()
  expect(openQuestion(keys, to, 'junk', now)).toBeUndefined()
})

test('CELL-02 an answer is one to its question, and of a cell', () => {
  const answer = sealAnswer(keys, 'a question', { fits: true })

  expect(openAnswer(keys, 'a question', answer)).toEqual({ fits: true })
  expect(openAnswer(keys, 'another question', answer)).toBeUndefined()
  expect(openAnswer(cellKeysOf('the key of someone else'), 'a question', answer)).toBeUndefined()
})

test('CELL-02 the doctor says what the directory lacks, and that it is away', async () => {
  await using cells = await startCells()
  const checkOf = (over: { url?: string; key?: string }) => {
    const directory = { url: cells.directory.url, key: cells.keys[0] as string, nameKey: 'x', ...over }
    const config = { appUrl: 'https://three.evac.test', directory }
    return openCells({ config, callOut: openOutgoing({ outgoingProxy: '' }), clock: systemClock })?.check()
  }

  await expect(checkOf({})).resolves.toBeUndefined()
  await expect(checkOf({ key: 'new' })).rejects.toThrow(
    `DIRECTORY_KEY is not known there: add 'https://three.evac.test ${hashOfKey('new')}' to its DIRECTORY_CELLS`,
  )
  await expect(checkOf({ url: `http://127.0.0.1:${await findFreePort()}` })).rejects.toThrow('ECONNREFUSED')
})
