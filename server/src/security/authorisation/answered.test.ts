import { expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import { ask, bearer, calls, inputsOf, signedInCalls } from './ask.fixture.ts'
import { callInputs, fill } from './call-inputs.fixture.ts'
import { givenOnDuty, neededModule } from './on-duty.fixture.ts'

/** Each asker's role has the one module that the call needs, or none. */
const test = base.extend('onDutyFor', { scope: 'file' }, async ({ server }) =>
  givenOnDuty(server, (name) => [neededModule(name) ?? []].flat()),
)

test('T5 every call of the contract says in the table what it takes, and the table names no other', () => {
  expect(Object.keys(callInputs).sort()).toEqual(calls.map(({ name }) => name).sort())
})

test.for(signedInCalls)('API-69 with its flag alone, on duty, $name answers', async (call, { server, onDutyFor }) => {
  const { token, own } = onDutyFor(call.name)

  const answer = await ask(server, call, fill(inputsOf(call), own), bearer(token))

  expect(answer).toMatchObject({ status: 200 })
})
