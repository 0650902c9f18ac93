/** @module-tag long */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { getMe, giveCode, renewRecoveryCodes, signInToConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { loginByMobile, verifyLoginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { codeOf, type GivenAdministrator, givenAdministrator } from './testing/administrators.ts'
import { testPassword } from './testing/given-wardens.ts'
import { startNode } from './testing/nodes.ts'
import { runCommand } from './testing/run-command.ts'
import { test } from './testing/server-test.ts'
import { secretKey, type TestServer } from './testing/test-server.ts'
import { textsOn, tokenIn } from './testing/texts.ts'

type Node = Awaited<ReturnType<typeof startNode>>

const newKey = 'q8Zr2vXw0KjT5nB7mH1cY4sLdE9uGaPf'
const steps = {
  before: { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: '' },
  accepted: { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: newKey },
  changed: { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: secretKey },
  done: { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: '' },
}
const half = 30_000

/** An authenticator, which never shows a used code. A server takes the code of the next half minute, too. */
function authenticator(given: GivenAdministrator) {
  let last = 0
  return async () => {
    last = Math.max(last + 1, Math.floor(Date.now() / half))
    await delay(Math.max(0, (last - 1) * half - Date.now()))
    return codeOf(given, new Date(last * half))
  }
}

/** Password at one node, code at another. */
async function signIn(given: GivenAdministrator, code: () => Promise<string>, [first, second]: readonly Node[]) {
  const body = { name: given.email, password: testPassword }
  const { ticket } = await callerOf(first?.url ?? '', '')(signInToConsole, { body })
  const opened = await callerOf(second?.url ?? '', '')(giveCode, { body: { ticket, code: await code() } })
  return opened.access_token
}

/** Who asks a node for a link by text gets one that opens, whichever node sends it. */
async function expectLink(server: TestServer, node: Node) {
  const { mobile } = await server.given.warden(await server.given.organisation())
  await callerOf(node.url, '')(loginByMobile, { body: { phone: mobile ?? '' } })
  await expect.poll(() => textsOn(server, mobile), { timeout: 30_000 }).toHaveLength(1)
  const token = tokenIn((await textsOn(server, mobile))[0])
  expect(await callerOf(node.url, '')(verifyLoginByMobile, { body: { token } })).toMatchObject({ tokenStatus: 'valid' })
}

async function askDoctor({ database }: TestServer, keys: (typeof steps)['done']): Promise<string> {
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value)
  return (await runCommand('commands/doctor-main.ts', database)).stdout
}

test('OPS-03 while SECRET_KEY changes from node to node an administrator stays signed in and no second factor is lost', {
  timeout: 280_000,
}, async ({ server }) => {
  const given = await givenAdministrator(server, await server.given.organisation())
  const code = authenticator(given)
  const nodes: Node[] = []
  onTestFinished(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })
  const put = async (at: number, keys: (typeof steps)['done']) => {
    await nodes[at]?.[Symbol.asyncDispose]()
    nodes[at] = await startNode(server.database, keys)
  }
  await Promise.all([put(0, steps.before), put(1, steps.before)])
  const token = await signIn(given, code, nodes)
  const isSignedIn = async () => {
    for (const node of nodes) expect((await node.call(token)(getMe, {})).person.uid).toBe(given.personUid)
  }
  await nodes[0]?.call(token)(renewRecoveryCodes, {})

  for (const at of [0, 1]) {
    await put(at, steps.accepted)
    await isSignedIn()
  }
  await put(0, steps.changed)
  await isSignedIn()
  await signIn(given, code, nodes)
  await signIn(given, code, nodes.toReversed())
  for (const node of nodes) await expectLink(server, node)
  await put(1, steps.changed)
  await isSignedIn()

  await expect
    .poll(() => askDoctor(server, steps.changed), { timeout: 120_000, interval: 5_000 })
    .not.toMatch(/still needed for \d+ second factor/)
  expect(await askDoctor(server, steps.changed)).toMatch(
    /note +SECRET_KEY_PREVIOUS is still needed for 10 recovery codes of 1 administrator,/,
  )
  await nodes[0]?.call(token)(renewRecoveryCodes, {})
  expect(await askDoctor(server, steps.changed)).toMatch(
    /ok +Nothing that is stored needs SECRET_KEY_PREVIOUS any more/,
  )

  await put(0, steps.done)
  await put(1, steps.done)
  await isSignedIn()
  await signIn(given, code, nodes)
  expect(await askDoctor(server, steps.done)).not.toContain('second factor')
})
