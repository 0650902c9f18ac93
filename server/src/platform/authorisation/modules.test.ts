import { type ModuleFlag, moduleFlags } from '@evac/contract/vocabulary.ts'
import { describe, expect } from 'vitest'
import type { Warden } from '../../testing/given-people.ts'
import { test as base } from '../../testing/server-test.ts'
import { bearer, expectedAt, seenAt, signedInCalls, tryDoor } from './ask.fixture.ts'

/** Every set of modules that tells something: each alone, all but each, none, all. */
const sets: [string, readonly ModuleFlag[]][] = [
  ['no module', []],
  ['every module', moduleFlags],
  ...moduleFlags.map((flag): [string, ModuleFlag[]] => [`${flag} alone`, [flag]]),
  ...moduleFlags.map((flag): [string, ModuleFlag[]] => [`all but ${flag}`, moduleFlags.filter((one) => one !== flag)]),
]

/** A warden on duty for each set, all in one event. */
const test = base.extend('tokens', { scope: 'file' }, async ({ server }) => {
  const org = await server.given.organisation()
  const wardens = new Map<string, Warden>()
  for (const [name, modules] of sets)
    wardens.set(name, await server.given.warden(org, { role: 'Chief Warden', modules }))
  await server.runningEvent(org)
  const tokens = new Map<string, string>()
  for (const [name, warden] of wardens) tokens.set(name, (await server.onDuty(warden)).token)
  return tokens
})

describe.for(sets)('API-69 AUTH-02 T5 a role with %s', ([name, flags]) => {
  test.for(signedInCalls)('$name', async (call, { server, tokens }) => {
    const answer = await tryDoor(server, call, bearer(tokens.get(name) ?? ''))

    const standing = { isSignedIn: true, counts: true, inEvent: true, onDuty: true, flags }
    expect(`${call.name}: ${seenAt(answer)}`).toBe(`${call.name}: ${expectedAt(call.policy, standing)}`)
  })
})
