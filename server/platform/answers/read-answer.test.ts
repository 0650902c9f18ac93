import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'

const question = 'Are you safe? Reply 1 if you are safe, 2 if you need help.'
const rows = readFileSync(new URL('answers.fixture.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [string, string, string])

/** As it stands in the table. */
const written = (cell: string) =>
  cell
    .replaceAll('{question}', question)
    .replace(/^\\empty$/, '')
    .replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\n', '\n')

test('ANS-01 the table of answers has its 103 inputs', () => expect(rows).toHaveLength(103))

test.each(rows)('ANS-01 "%s" says %s, and %s where no one has asked', (cell, asked, notAsked) => {
  const text = written(cell)
  expect(readAnswer(text, { asked: true, sent: [question] })).toBe(asked)
  expect(readAnswer(text, { asked: false, sent: [question] })).toBe(notAsked)
})

const heard = (text: string, sent: readonly string[] = []) => readAnswer(text, { asked: true, sent })

test.each([
  ['FIRE! FIRE!', 'help'],
  ['No! Help!', 'help'],
  ['No, I am trapped', 'help'],
  ['ＨＥＬＰ', 'help'],
  ['h\u00adelp', 'help'],
  ['SOOOOS', 'help'],
  ['Yardım edin', 'help'],
  ['Hjälp!', 'help'],
  ['Notfall im 3. Stock', 'help'],
  ['我们被困了，救命！', 'help'],
  ['火事です', 'help'],
  ['살려주세요', 'help'],
  ['please call a doctor', 'help'],
  ['I can not get out', 'help'],
  ["we can't really move", 'help'],
  ['𝟚', 'help'],
  ['we do not need an ambulance', 'maybe'],
  ['without danger', 'maybe'],
  ['1 👍🏽', 'safe'],
  ['1 I’m fine, thank you!', 'safe'],
  ['"1"', 'safe'],
  ['Safe, we are all outside now', 'safe'],
  ['১', 'safe'],
  ['❌ 1', 'words'],
  ['1 leg broken', 'words'],
  ['10', 'words'],
  ['2.5', 'words'],
  ['21 of us', 'words'],
  [' … safe', 'words'],
  ['safe؟', 'words'],
  ['safer here', 'words'],
  ['fire doors are shut', 'words'],
  ['🇦🇺', 'words'],
  ['...', 'nothing'],
] as const)('ANS-02 ANS-04 "%s" says %s', (text, said) => expect(heard(text)).toBe(said))

test('ANS-03 what we sent is cut out before the text is read, and nothing that is short enough to be an answer', () => {
  const sent = ['Fire on level 3. Do you need help? {link} Reply 2 if so.', 'Fire?', question]
  expect(heard(`> Fire on Level 3.  Do you need HELP? https://evac.test/s/abc Reply 2 if so.\nNo thanks`, sent)).toBe(
    'words',
  )
  expect(heard('Fire', sent)).toBe('help')
  expect(heard(`Emphasized “${question}”`, [])).toBe('words')
  expect(heard(`Liked “${question}” but I am trapped`, sent)).toBe('help')
  expect(heard(`${question}\n1`, sent)).toBe('safe')
})

test('ANS-04 a text of 1,600 characters is read in a few milliseconds', () => {
  const longest = 'no one is here and I heeelp '.repeat(60).slice(0, 1600)
  const since = process.cpuUsage()
  for (let i = 0; i < 50; i++) readAnswer(longest, { asked: true, sent: Array(20).fill(question) })
  // of the processor, whatever else it does
  expect(process.cpuUsage(since).user / 50_000).toBeLessThan(10)
})
