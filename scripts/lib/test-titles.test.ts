import { expect, test } from 'vitest'
import { readTitles } from './test-titles.mjs'

const titles = (source: string) => readTitles(source).map(({ text }: { text: string }) => text)

test('titles of plain, chained and nested calls are read in every kind of quote', () => {
  const source = `
    describe('outer', () => {
      test("with (brackets) and 'quotes'", () => {})
      it.skip(\`{one} of many\`, () => {})
      test.concurrent(
        'on its own line',
        async () => {},
      )
    })`

  expect(titles(source)).toEqual(['outer', "with (brackets) and 'quotes'", '{one} of many', 'on its own line'])
})

test('the rows of a table count as titles too', () => {
  const rows = `test.each([['first', 1], [')second', f(2)]])('%s is kept', (id) => {})`
  const table = 'test.each`\n id \n {"third"}\n`("$id is kept", () => {})'

  expect(titles(rows)).toEqual(['first', ')second', '%s is kept'])
  expect(titles(table).join()).toContain('third')
})

test('rows that stand in a constant count too', () => {
  const source = `
    const cases = [['first', 1]] as const
    const others = ['no title']
    test.each(cases)('%s is kept', (id) => {})`

  expect(titles(source)).toEqual(['first', '%s is kept'])
})

test('strings elsewhere are no titles', () => {
  const source = `
    const name = 'no title'
    test(name, () => expect(latest('no title')).toBe(request.test('no title')))`

  expect(titles(source)).toEqual([])
})

test('a title is found at its line', () => {
  expect(readTitles('\n\ntest("here", () => {})')).toEqual([{ text: 'here', line: 3 }])
})
