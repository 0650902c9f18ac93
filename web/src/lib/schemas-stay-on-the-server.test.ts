import { expect, test } from 'vitest'
import { Type as Stand } from './schemas-stay-on-the-server.ts'

type Made = Iterable<never> & { properties: object }
type Make = (...parts: unknown[]) => Made
const Type = Stand as unknown as Record<'Object' | 'String' | 'Array' | 'Enum' | 'Union' | 'Null', Make>

test('UI the contract can combine schemas in the browser without typebox', () => {
  const person = Type.Object({ name: Type.String() })
  const wider = Type.Object({ ...person.properties, tags: Type.Array(person) })
  expect([...Type.Enum(['a'])]).toEqual([])
  expect(Type.Union([wider, Type.Null()])).toBe(person)
})

test('UI the browser can load every file of the contract', async () => {
  const files = Object.values(import.meta.glob(['../../../contract/src/*.ts', '!**/*.test.ts']))
  expect(files.length).toBeGreaterThan(5)
  await Promise.all(files.map((load) => load()))
})
