import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ConsolePolicy } from '#kernel/route.ts'
import { test as base } from '../../testing/server-test.ts'
import {
  consoleAskerNames,
  consoleAskers,
  givenConsoleAskers,
  givenConsoleWorld,
  givenWrongConsoleTokens,
} from './administrators.fixture.ts'
import { ask, bearer, consoleCalls, inputsOf, tryCall } from './ask.fixture.ts'
import { forEach } from './at-once.fixture.ts'
import { type ConsoleKind, fill, slotsOf } from './call-inputs.fixture.ts'
import { detours, goAround } from './guard-bypass.fixture.ts'

const test = base
  .extend('wrong', { scope: 'file' }, async ({ server }) => givenWrongConsoleTokens(server))
  .extend('askers', { scope: 'file' }, async ({ server }) => givenConsoleAskers(server))

test.for(consoleCalls)('ORG-10 ORG-14 T2 no other token opens $name', async (call, { server, wrong }) => {
  const seen: Record<string, string> = {}
  for (const [name, headers] of Object.entries(wrong)) seen[name] = (await tryCall(server, call, headers)).code

  expect(seen).toEqual(forEach(Object.keys(wrong), () => '401 not_signed_in'))
})

test.for(consoleCalls)(
  'ORG-10 T2 no detour reaches $name without a token',
  { tags: 'long' },
  async (call, { server, askers }) => {
    const { token = '' } = askers.get('the whole organisation') ?? {}
    const seen: Record<string, string> = {}
    for (const detour of detours) seen[detour] = await goAround(server.app, call, detour, token)

    expect(seen).toEqual(forEach(detours, () => 'turned away'))
  },
)

test.for(consoleCalls)(
  'ORG-10 ORG-24 T5 $name asks for its right, and where it says so for a code',
  async (call, { server, askers }) => {
    const { right, confirmed } = call.policy as ConsolePolicy
    const seen: Record<string, string[]> = {}
    for (const name of consoleAskerNames) {
      const { token = '', stale = '' } = askers.get(name) ?? {}
      // an input that is refused beyond the policy, so that nothing changes
      const refusedBy = async (token: string) => gateOf((await tryCall(server, call, bearer(token))).code)
      seen[name] = [await refusedBy(token), await refusedBy(stale)]
    }

    const expected = consoleAskerNames.map((name) => {
      const rights: readonly string[] = consoleAskers[name]
      const onlyReads = right === 'places' && name.startsWith('a group') && call.method !== 'GET'
      const has = right === 'any' || (rights.includes(right) && !onlyReads)
      if (!has) return [name, ['403 forbidden', '403 forbidden']]
      return [name, ['let through', confirmed ? '403 confirm_identity' : 'let through']]
    })
    expect(seen).toEqual(Object.fromEntries(expected))
  },
)

const gates = new Set(['401 not_signed_in', '403 forbidden', '403 confirm_identity'])
const gateOf = (code: string) => (gates.has(code) || code.startsWith('5') ? code : 'let through')

test.for(consoleCalls)('ORG-10 every id that $name takes is tried', (call) => {
  for (const place of ['params', 'query', 'body'] as const) {
    const schema = call[place] as { properties?: Record<string, { format?: string }> } | undefined
    const ids = Object.entries(schema?.properties ?? {}).filter(
      ([key, { format }]) => format === 'uuid' && key !== 'group',
    )
    expect(Object.keys(inputsOf(call)[place] ?? {})).toEqual(expect.arrayContaining(ids.map(([key]) => key)))
  }
})

const naming = consoleCalls.filter((call) => slotsOf(inputsOf(call)).length > 0)

test.for(naming)(
  'ORG-10 AUTH-04 T1 $name answers foreign ids as unknown ones, and changes nothing',
  async (call, { server }) => {
    const { token, own, others } = await givenConsoleWorld(server)
    for (const { path, names } of slotsOf(inputsOf(call))) {
      const asked = (uid: string) => ask(server, call, fill(inputsOf(call), own, path, uid), bearer(token))
      const unknown = await asked(randomUUID())
      expect([names.kind, unknown.code]).toEqual([names.kind, '404 not_found'])
      for (const foreign of others[names.kind as ConsoleKind]) expect(await asked(foreign)).toEqual(unknown)
    }
    const grants = await server.db
      .selectFrom('administrator')
      .select('uid')
      .where('revokedAt', 'is not', null)
      .where('uid', 'in', [own.otherAdministrator, others.otherAdministrator[0]] as never[])
      .execute()
    expect(grants).toEqual([])
  },
)

/** Answers of a valid input that are no 200: no one here has an authenticator at hand, or a card. */
const usualAnswers: Record<string, string> = {
  confirmIdentity: '400 wrong_code',
  openWardenSession: '403 unauthorized_access',
  ...Object.fromEntries(
    [
      'endPlan',
      'changeFloorStatus',
      'orderFloorStatuses',
      'changeEventType',
      'changeChecklistItem',
      'changeTemplate',
      'changeDocument',
    ].map((name) => [name, '409 changed_since']),
  ),
  storeDocumentFile: '415 unsupported_media_type',
  storeUploadPart: '415 unsupported_media_type',
  changePlace: '409 changed_since',
  changeRole: '409 changed_since',
  changeAssignment: '409 changed_since',
  changePerson: '409 changed_since',
  mergePeople: '409 changed_since',
  // the one who is named has left
  invitePerson: '409 invalid_transition',
  showInvitation: '409 invalid_transition',
  sendPasswordLink: '409 invalid_transition',
  changeGroup: '409 changed_since',
  saveReaching: '409 changed_since',
  saveSettings: '409 changed_since',
}

test.for(consoleCalls)('ORG-10 an administrator of everything is answered by $name', async (call, { server }) => {
  const { token, own } = await givenConsoleWorld(server)

  const answer = await ask(server, call, fill(inputsOf(call), own), bearer(token))

  expect(answer.code).toBe(usualAnswers[call.name] ?? '200')
})
