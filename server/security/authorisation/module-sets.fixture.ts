import { type ModuleFlag, moduleFlags } from '#kernel/vocabulary.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'

/** The module sets worth testing: each alone, all but each, none, all. */
export const moduleSets: Readonly<Record<string, readonly ModuleFlag[]>> = Object.fromEntries([
  ['no module', []],
  ['every module', moduleFlags],
  ...moduleFlags.map((flag) => [`${flag} alone`, [flag]]),
  ...moduleFlags.map((flag) => [`all but ${flag}`, moduleFlags.filter((one) => one !== flag)]),
])
export const moduleSetNames = Object.keys(moduleSets)

/** For each set the token of a warden on duty, all in one event. */
export async function givenModuleSets(server: TestServer): Promise<ReadonlyMap<string, string>> {
  const org = await server.given.organisation()
  const wardens = new Map<string, Warden>()
  for (const [name, modules] of Object.entries(moduleSets))
    wardens.set(name, await server.given.warden(org, { role: 'Chief Warden', modules }))
  await server.runningEvent(org)
  const tokens = new Map<string, string>()
  for (const [name, warden] of wardens) tokens.set(name, (await server.onDuty(warden)).token)
  return tokens
}
