import { expect } from 'vitest'
import { test } from '../../testing/server-test.ts'
import { ask, bearer, calls, inputsOf, signedInCalls } from './ask.fixture.ts'
import { callInputs, fill } from './call-inputs.fixture.ts'
import { givenTwoOnDuty } from './two-on-duty.fixture.ts'

test('T5 every call of the contract says in the table what it takes, and the table names no other', () => {
  expect(Object.keys(callInputs).sort()).toEqual(calls.map(({ name }) => name).sort())
})

test.for(signedInCalls)('API-69 with its flag alone, on duty, $name answers', async (call, { server }) => {
  const { policy } = call
  const flag = (policy.access === 'public' ? undefined : policy.flag) ?? inputsOf(call).flag
  const { asker, own } = await givenTwoOnDuty(server, flag ? [flag] : [])
  const { token } = await server.as(asker)

  const answer = await ask(server, call, fill(inputsOf(call), own), bearer(token))

  expect(answer).toMatchObject({ status: 200 })
})
