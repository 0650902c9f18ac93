import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import type { Db } from '../db.ts'
import { ask, bearer, inputsOf, signedInCalls } from './ask.fixture.ts'
import { type CallInputs, fill, type Names, type Path, slotsOf } from './call-inputs.fixture.ts'
import { type Asker, type Asking, askers, beyond, givenStrangers, strangers } from './strangers.fixture.ts'

interface Case {
  name: string
  call: (typeof signedInCalls)[number]
  path: Path
  names: Names
  whose: string
  /** In a list, after one that is the asker's. */
  isBesideOwn: boolean
}

function casesOf(asker: Asker): Case[] {
  return signedInCalls.flatMap((call) =>
    slotsOf(inputsOf(call)).flatMap(({ path, names }) =>
      [...strangers[names.kind], ...(beyond[asker][names.kind] ?? [])].flatMap((whose) => {
        const one = { call, path, names, whose }
        const name = `${call.name}: ${path.join('.')} ${whose}`
        const inList = typeof path.at(-1) === 'number'
        const alone = { ...one, name, isBesideOwn: false }
        return inList ? [alone, { ...one, name: `${name}, beside an own one`, isBesideOwn: true }] : [alone]
      }),
    ),
  )
}

const test = base.extend('world', { scope: 'file' }, async ({ server }) => givenStrangers(server))

/** The valid input with another id at one place. */
function inputWith({ call, path, isBesideOwn }: Case, { own }: Asking, uid: string): CallInputs {
  const input = fill(inputsOf(call), own, path, uid)
  if (!isBesideOwn) return input
  const [place, list] = path as [keyof CallInputs, string]
  const named = fill(inputsOf(call), own)[place] as Record<string, string[]>
  const given = input[place] as Record<string, string[]>
  return { ...input, [place]: { ...given, [list]: [...(named[list] ?? []), ...(given[list] ?? [])] } }
}

describe.for(askers)('AUTH-04 AMB-148 T1 T3 %s is answered as about an unknown id', (asker) => {
  test.for(casesOf(asker))('$name', async (one, { server, world }) => {
    const asking = world[asker]
    const stranger = asking.others[one.names.kind][one.whose] as string
    const unknown = one.names.kind === 'ownEmail' ? 'nobody@evac.test' : randomUUID()
    const before = await lastEntry(server.db)

    const about = await ask(server, one.call, inputWith(one, asking, stranger), bearer(asking.token))
    const aboutNothing = await ask(server, one.call, inputWith(one, asking, unknown), bearer(asking.token))

    expect(about).toEqual(aboutNothing)
    expect([about.code, `${about.status} ${about.text}`]).toContain(one.names.unknown)
    expect(await lastEntry(server.db)).toBe(before)
  })
})

async function lastEntry(db: Db) {
  const row = await db
    .selectFrom('journal')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirst()
  return row?.last
}
