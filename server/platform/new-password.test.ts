import { expect, test } from 'vitest'
import { newPasswordProblem } from './new-password.ts'

const grace = {
  email: 'grace.okafor@harbour.test',
  usernames: ['harbour.chief.warden'],
  people: [{ firstName: 'Grace-Amarachi', lastName: "O'Kafor" }],
}

test.for([
  'nine lamps on the quay',
  'correct horse battery staple',
  'évacuation par escalier',
  '防災訓練は毎年九月一日に行われます',
  'kX3$ vq9!Lw 77 tz',
  'no capitals no digits here',
  'Grace Okafor climbs stairs',
  '🦊🐼🐸🦉🐙🦋🐢🐬🦜🐝🐞🦔🐊🐘🦒',
])('AMB-028 "%s" may be used: length counts, no kind of character is asked for', async (password) => {
  expect(await newPasswordProblem(password, grace)).toBeNull()
})

test.for([
  ['too_short', 'fourteen chars'],
  ['too_short', '🦊🐼🐸🦉🐙🦋🐢🐬🦜🐝🐞🦔🐊🐘'],
  ['too_long', `${'long words with many letters '.repeat(5)}`],
  ['too_common', 'passwordpassword'],
  ['too_common', '123456789987654321'],
  ['too_common', 'aaaaaaaaaaaaaaaaaaaa'],
  ['too_common', 'qwertyuiopasdfghjkl'],
  ['too_common', 'P@ssw0rdP@ssw0rd'],
  ['too_common', 'iloveyou1234567890'],
  ['own_name', 'Emergency Event Management'],
  ['own_name', 'emergencyeventmanagement'],
  ['own_name', 'Grace.Okafor@Harbour.test'],
  ['own_name', "grace-amarachi o'kafor"],
  ['own_name', 'OkaforGraceAmarachi'],
  ['own_name', 'harbour chief warden'],
] as const)('AMB-028 %s: "%s"', async ([problem, password]) => {
  expect(await newPasswordProblem(password, grace)).toBe(problem)
})

test('AMB-028 the longest password that is read costs less than half a second of a core to judge', async () => {
  const longest = '4@8({<63!1|0$5+7%2'.repeat(8).slice(0, 128)
  await newPasswordProblem('the list is read at first use', grace)
  const start = process.cpuUsage()

  await newPasswordProblem(longest, grace)

  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(500)
})
