import { expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import { ask, bearer, calls, inputsOf, signedInCalls } from './ask.fixture.ts'
import { callInputs, fill } from './call-inputs.fixture.ts'
import { givenOnDuty, neededModules } from './on-duty.fixture.ts'

/** Each asker's role has only the modules that the call needs, or none. */
const test = base.extend('onDutyFor', { scope: 'file' }, async ({ server }) => givenOnDuty(server, neededModules, []))

test('T5 the table has an input for every call of the contract, and for no other', () => {
  expect(Object.keys(callInputs).sort()).toEqual(calls.map(({ name }) => name).sort())
})

test.for(signedInCalls)('API-69 on duty and with only its flag, $name answers', async (call, { server, onDutyFor }) => {
  const { token, own } = onDutyFor(call.name)

  const answer = await ask(server, call, fill(inputsOf(call), own), bearer(token))

  expect(answer).toMatchObject({ status: 200 })
})
