import { expect } from 'vitest'
import type { AnySchema } from '../../http/body-size.ts'
import { asAdministrator, givenAdministrator } from '../../testing/administrators.ts'
import { test as base } from '../../testing/server-test.ts'
import { ask, bearer, calls, consoleCalls } from './ask.fixture.ts'
import { everyModule, givenOnDuty } from './on-duty.fixture.ts'

const test = base
  .extend('onDutyFor', { scope: 'file' }, async ({ server }) => givenOnDuty(server, everyModule, []))
  .extend('administrator', { scope: 'file' }, async ({ server }) =>
    givenAdministrator(server, await server.given.organisation(), { seesPlans: true }),
  )
/** Other calls take a ticket or the token of an observer. */
const isOfAsker = (access: string) => ['session', 'duty', 'console'].includes(access)
const withBody = calls.filter(({ body }) => body)

test.for(withBody)(
  'API-72 the largest body that $name accepts can be read',
  async (call, { server, onDutyFor, administrator }) => {
    const tokenOf = async () =>
      (consoleCalls.includes(call) ? await asAdministrator(server, administrator) : onDutyFor(call.name)).token
    const headers = call.policy.access === 'public' ? {} : bearer(await tokenOf())

    const uuid = '00000000-0000-4000-8000-000000000000'
    const params = Object.fromEntries(Object.keys(call.params?.properties ?? {}).map((name) => [name, uuid]))

    const answer = await ask(server, call, { params, body: largest(call.body as AnySchema) }, headers)

    expect(answer.code).not.toBe('413 body_too_large')
    // of someone whom the call does not know no body is read
    if (isOfAsker(call.policy.access)) expect(answer.code).not.toBe('401 not_signed_in')
  },
)

/** The value of a schema with the most bytes. A character has at most four. */
function largest(schema: AnySchema): unknown {
  if (schema.anyOf) return longest(schema.anyOf.map(largest))
  if ('const' in schema) return schema.const
  if (schema.enum) return longest(schema.enum)
  if (schema.type === 'array') return Array(schema.maxItems ?? 0).fill(largest(schema.items ?? {}))
  if (schema.type === 'boolean') return false
  if (schema.type === 'string')
    return schema.format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : '🔥'.repeat(schema.maxLength ?? 1)
  const properties = Object.entries(schema.properties ?? {})
  return schema.type === 'object' ? Object.fromEntries(properties.map(([name, of]) => [name, largest(of)])) : null
}

const longest = (values: readonly unknown[]) =>
  values.toSorted((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)[0]
