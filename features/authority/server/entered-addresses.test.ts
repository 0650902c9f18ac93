import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { givenPuppeteers } from './puppets.fixture.ts'

const namesOf = (origin: { addresses: readonly { by: string }[] } | undefined) => origin?.addresses.map(({ by }) => by)

test('AUTH-30 email, mobile and user name have each their own enterer, and each of them is named', async ({
  server,
}) => {
  const { call, site, holder, add, change, origins } = await givenPuppeteers(server)
  const { uid } = await add(call, 'Pia')

  await change(site, uid, { mobile: '+61491570156' })
  expect(namesOf(await origins(uid))).toEqual(['Nora Lind', 'Sly Site'])
  await change(holder, uid, { username: `pia-${randomUUID()}` })
  await change(call, uid, { email: `new.${randomUUID()}@evac.test` })

  expect(namesOf(await origins(uid))).toEqual(['Sly Site', 'Hol Der', 'Nora Lind'])
})

test('AUTH-30 who removed an address is not named for it', async ({ server }) => {
  const { call, site, add, change, origins } = await givenPuppeteers(server)
  const { uid } = await add(call, 'Pia', { username: `pia-${randomUUID()}` })
  await change(site, uid, { mobile: '+61491570158' })

  await change(site, uid, { mobile: '', username: '' })

  expect(namesOf(await origins(uid))).toEqual(['Nora Lind'])
})

test.for([
  ['a mobile', { mobile: '+61491570157' }],
  ['a user name', { username: 'slyname' }],
] as const)('AUTH-30 who merged is named for %s that came by the merge', async ([, fields], { server }) => {
  const { call, site, add, merge, origins } = await givenPuppeteers(server)
  const [person, puppet] = [await add(call, 'Pia'), await add(call, 'Dummy', fields)]

  await merge(site, person.uid, puppet.uid)

  expect(namesOf(await origins(person.uid))).toEqual(['Nora Lind', 'Sly Site'])
})

test('AUTH-30 and for an email', async ({ server }) => {
  const { call, site, add, merge, origins } = await givenPuppeteers(server)
  const [person, puppet] = [await add(call, 'Pia'), await add(call, 'Dummy')]

  await merge(site, person.uid, puppet.uid, ['email'])

  expect(namesOf(await origins(person.uid))).toEqual(['Sly Site'])
})
