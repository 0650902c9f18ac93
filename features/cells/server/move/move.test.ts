import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { getSettings, saveSettings } from '#features/organisation/calls/settings.ts'
import { noteMoved, resume, suspend } from '#features/organisation/server/organisations.service.ts'
import { addPerson } from '#features/people/calls/people.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { codeOf, exported, imported, rowsOf, test } from '../whole/whole.fixture.ts'
import { discardCopy } from './discard.service.ts'
import { moveOrganisation, type OtherCell } from './move.service.ts'

const address = 'https://new.evac.test'
const moving = { code: 'unavailable', status: 503, message: 'This organisation is moving. Try again in a few minutes.' }
const givenUp = 'An event began. The move was given up; nothing has changed.'

/** An organisation with an administrator, and its move to the other database. `during` runs between its copy and the end. */
async function givenMove({ server, folder, target }: { server: TestServer; folder: string; target: TestDatabase }) {
  const org = await server.given.organisation()
  const { clientUid } = org
  const admin = await asAdministrator(server, await givenAdministrator(server, org))
  const code = await codeOf(server, clientUid)
  const save = async (name: string) => {
    const { server: _, ...held } = await admin(getSettings, {})
    return admin(saveSettings, { body: { ...held, name, may_delete: false } }, withKey())
  }
  const move = (during: () => Promise<unknown> = async () => undefined, over: Partial<OtherCell> = {}) => {
    const there: OtherCell = {
      address,
      discard: async () => void (await discardCopy(target.connection, code)),
      bringIn: async (path) => {
        await imported(target, folder, { path, suspended: true })
        await during()
      },
      resume: async () => void (await resume(target.system.db, code)),
      ...over,
    }
    const writeFile = async () => {
      rmSync(join(folder, `${clientUid}.evac`), { force: true })
      return (await exported(server, folder, clientUid)).path
    }
    return moveOrganisation(server.db, code, there, writeFile)
  }
  const at = async ({ db }: { db: TestServer['db'] }) => {
    const row = await db
      .selectFrom('client')
      .select(['active', 'movedTo', 'movingUntil'])
      .where('uid', '=', clientUid)
      .executeTakeFirst()
    return row && { active: row.active, movedTo: row.movedTo, isMoving: row.movingUntil !== null }
  }
  return { org, clientUid, admin, code, save, move, here: () => at(server), there: () => at({ db: target.system.db }) }
}

test('CELL-04 an organisation moves whole: it is read meanwhile, and what would change it is refused', async ({
  server,
  folder,
  target,
}) => {
  const { clientUid, admin, code, save, move, here, there } = await givenMove({ server, folder, target })
  const stranger = await givenMove({ server, folder, target })
  let before: string[] = []

  await move(async () => {
    expect(await there()).toEqual({ active: false, movedTo: null, isMoving: false })
    expect((await admin(getSettings, {})).name).toBeTruthy()
    await expect(save('Changed')).rejects.toMatchObject(moving)
    await stranger.save('Not moving')
    before = await rowsOf(server.database, 'person', `client_uid = '${clientUid}'`)
  })

  expect([await here(), await there()]).toEqual([
    { active: false, movedTo: address, isMoving: false },
    { active: true, movedTo: null, isMoving: false },
  ])
  expect(before.length).toBeGreaterThan(0)
  expect(await rowsOf(target, 'person', `client_uid = '${clientUid}'`)).toEqual(before)
  await expect(admin(getSettings, {})).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(await noteMoved(server.db, code, address)).toBe('done')
})

test('CELL-04 an event that starts ends the move, and nothing has changed', async ({ server, folder, target }) => {
  const { org, save, move, here, there } = await givenMove({ server, folder, target })

  // who starts it signs in meanwhile
  await expect(move(() => server.runningEvent(org))).rejects.toThrow(givenUp)

  expect([await here(), await there()]).toEqual([{ active: true, movedTo: null, isMoving: false }, undefined])
  await save('After the move was given up')
  await expect(move()).rejects.toThrow('has a running event')
})

test.for(['discard', 'bringIn'] as const)(
  'CELL-04 a move whose step %s fails leaves everything as it was',
  async (step, { server, folder, target }) => {
    const { save, move, here, there } = await givenMove({ server, folder, target })

    await expect(move(undefined, { [step]: async () => Promise.reject(new Error('cut off')) })).rejects.toThrow(
      'cut off',
    )

    expect([await here(), await there()]).toEqual([{ active: true, movedTo: null, isMoving: false }, undefined])
    await save('As before')
    await move()
    expect(await there()).toMatchObject({ active: true })
  },
)

test('CELL-04 a move that was cut short after it had left goes on where it was', async ({ server, folder, target }) => {
  const { move, here, there } = await givenMove({ server, folder, target })

  await expect(move(undefined, { resume: async () => Promise.reject(new Error('cut off')) })).rejects.toThrow('cut off')
  expect([await here(), await there()]).toMatchObject([{ movedTo: address }, { active: false }])
  await move(undefined, { bringIn: async () => Promise.reject(new Error('a second copy')) })

  expect([await here(), await there()]).toMatchObject([{ active: false, movedTo: address }, { active: true }])
})

test('CELL-04 a move that was silent for too long says so, and blames no event', async ({ server, folder, target }) => {
  const { clientUid, move, here } = await givenMove({ server, folder, target })
  const fallSilent = () =>
    server.database.owner.pg.query('update client set moving_until = now() where uid = $1', [clientUid])

  await expect(move(fallSilent)).rejects.toThrow('heard nothing of this move for two minutes')

  expect(await here()).toEqual({ active: true, movedTo: null, isMoving: false })
})

test('CELL-04 the copy stays if the organisation has left, though the answer to that was lost', async ({
  server,
  folder,
  target,
}) => {
  const { clientUid, move, there } = await givenMove({ server, folder, target })
  const leave = () =>
    server.database.owner.pg.query(
      `update client set active = false, moved_to = $2, moved_at = now(), moving_until = null, moving_by = null where uid = $1`,
      [clientUid, address],
    )

  await expect(move(leave)).rejects.toThrow()
  expect(await there()).toMatchObject({ active: false })
  await move()

  expect(await there()).toMatchObject({ active: true })
})

test('CELL-04 a killed move ends by itself, and a second one waits for that', async ({ server, folder, target }) => {
  const { clientUid, save, move, there } = await givenMove({ server, folder, target })
  const until = (seconds: number) =>
    server.database.owner.pg.query(
      `update client set moving_until = now() + make_interval(secs => $2), moving_by = gen_random_uuid() where uid = $1`,
      [clientUid, seconds],
    )
  await until(120)
  await expect(save('Too early')).rejects.toMatchObject(moving)
  await expect(move()).rejects.toThrow('is moving already, or was until two minutes ago')

  await until(-1)
  await save('Late enough')
  await move()

  expect(await there()).toMatchObject({ active: true })
})

test('CELL-04 of many who write while it moves, each who was told that it is done is at the new cell', {
  timeout: 60_000,
}, async ({ server, folder, target }) => {
  const { clientUid, admin, move } = await givenMove({ server, folder, target })
  const added: string[] = []
  let isOver = false
  const write = async (writer: number) => {
    for (let nth = 0; !isOver; nth++) {
      const lastName = `Writer ${writer} ${nth}`
      const body = { first_name: 'Many', last_name: lastName }
      await admin(addPerson, { body }, withKey()).then(
        () => added.push(lastName),
        (error) => expect(['unavailable', 'not_signed_in', 'busy']).toContain(error.code),
      )
    }
  }
  const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))

  await expect.poll(() => added.length).toBeGreaterThan(10)

  await move()
  isOver = true
  await writing

  const names = await target.system.db
    .selectFrom('person')
    .select('lastName')
    .where('clientUid', '=', clientUid)
    .execute()
  const brought = names.map(({ lastName }) => lastName).filter((name) => name?.startsWith('Writer'))
  expect(brought.toSorted()).toEqual(added.toSorted())
})

test('CELL-04 only a copy that was never used is discarded', async ({ server, folder, target }) => {
  const { code, clientUid, move, there } = await givenMove({ server, folder, target })
  expect(await discardCopy(target.connection, code)).toBe(false)
  await expect(discardCopy(server.database.connection, code)).rejects.toThrow('is in use here')
  await move()

  await suspend(target.system.db, code, { evenInEvent: false })

  await expect(discardCopy(target.connection, code)).rejects.toThrow('is in use here, or was')
  expect(await there()).toMatchObject({ active: false })
  expect(await rowsOf(target, 'person', `client_uid = '${clientUid}'`)).not.toEqual([])
})
