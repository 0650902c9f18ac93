import { globSync, readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import type { Calls } from '#features/calls.ts'
import type { CallContract, CallReply } from '#kernel/route.ts'
import type { Handler, ownTransactions, reading } from './routes.ts'
import type { selfGuarded, signed } from './serve.ts'

/** What the handler that is given to `Wrapper` answers. */
type Answer<Wrapper> = Wrapper extends (...given: infer Given) => unknown
  ? Given extends [...unknown[], (...given: never[]) => Promise<infer Answered>]
    ? Answered
    : never
  : never

/** The required fields that an answer may lack; 'all' when it may not be the reply itself. */
type Forgettable<Reply, Answer> = [Reply] extends [Answer] ? FieldsToForget<Reply, Answer> : 'all'
type FieldsToForget<Reply, Answer> = Reply extends readonly (infer Item)[]
  ? Answer extends readonly (infer ItemAnswer)[]
    ? Forgettable<Item, ItemAnswer>
    : 'all'
  : Reply extends object
    ? {
        [Field in keyof Reply]-?: object extends Pick<Reply, Field>
          ? never
          : Omit<Reply, Field> extends Answer
            ? Field
            : never
      }[keyof Reply]
    : never

type ForgettableIn<C extends CallContract> =
  | Forgettable<CallReply<C>, Awaited<ReturnType<Handler<C>>>>
  | Forgettable<CallReply<C>, Answer<typeof reading<C>>>
  | Forgettable<CallReply<C>, Answer<typeof ownTransactions<C>>>
  | Forgettable<CallReply<C>, Answer<typeof selfGuarded<C>>>
  | Forgettable<CallReply<C>, Answer<typeof signed<C>>>

test('no route compiles whose answer lacks a required field of the reply', () => {
  expectTypeOf<{ [Name in keyof Calls]: ForgettableIn<Calls[Name]> }[keyof Calls]>().toBeNever()
})

test('the types of all calls are those of every file of calls', () => {
  const cwd = new URL('../../features/', import.meta.url)
  const named = readFileSync(new URL('calls.ts', cwd), 'utf8')
  const files = globSync('*/{calls,calls/*}.ts', { cwd: cwd.pathname }).filter((file) =>
    readFileSync(new URL(file, cwd), 'utf8').includes('defineCall('),
  )
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => !named.includes(`#features/${file}`))).toEqual([])
})
