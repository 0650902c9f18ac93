import { expect, test } from 'vitest'
import { readAnswer, readRefusal } from './read-reply.ts'

test.each([
  '1',
  ' 1 ',
  '1.',
  '"1"',
  '1, at the gate',
  '1 safe',
  '1 OK',
  '1👍🏽',
  '1 I’m fine, thank you!',
  'safe',
  'Safe.',
  'SAFE at the assembly point',
  'Safe, we are all outside now',
])('MSG-37 AMB-130 "%s" says safe', (text) => expect(readAnswer(text)).toBe('safe'))

test.each(['2', '2!', '2 people here', 'danger', 'Danger on level 3', 'help', 'HELP ME', '*help*'])(
  'MSG-37 AMB-130 "%s" says danger',
  (text) => expect(readAnswer(text)).toBe('danger'),
)

test.each([
  '',
  '10',
  '12',
  '21 of us',
  '1 person is missing',
  '1 leg broken',
  "1 but can't move",
  '1 - smoke on the stairs',
  'safe?',
  'Safe but Tom is hurt',
  'safe way out is blocked',
  'safer here',
  'not safe',
  '1, cannot move',
  '1. cant get down the stairs',
  'Safe on the roof, can´t get down',
  'Safe for now, waiting for rescue',
  'Safe with a burnt hand',
  'safe at home 🔥',
  '1 2',
  'Safe for the moment on level 3 …',
  'safe …',
  ' … safe here',
  ' … safe',
  '❌ 1',
  'helpful',
  'I am fine',
  'yes',
  '3',
])('AMB-130 "%s" is left to a warden', (text) => expect(readAnswer(text)).toBeUndefined())

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Stop all', 'stop'],
  ['unsubscribe', 'stop'],
  ['START', 'start'],
  ['unstop', 'start'],
  ['stop the alarm please', undefined],
  ['I cannot stop coughing', undefined],
  ['start over', undefined],
  ['yes', undefined],
] as const)('AMB-129 "%s" is for the list of refusals: %s', (text, expected) =>
  expect(readRefusal(text)).toBe(expected),
)
