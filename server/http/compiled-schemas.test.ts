import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { schemaCompilers } from './compiled-schemas.ts'

afterEach(() => vi.useRealTimers())

/** A schema that tells how often it was compiled. */
function watched() {
  const compiled = vi.fn()
  const schema = {
    get type() {
      compiled()
      return 'object'
    },
  }
  const { compilersFactory, compileRestAfterStart } = schemaCompilers()
  const options = { customOptions: {} } as never
  const validate = compilersFactory.buildValidator({}, options)({ schema } as never) as (input: unknown) => boolean
  return { compiled, validate, compileRestAfterStart }
}

test('a schema is compiled at its first use, and once', () => {
  const { compiled, validate } = watched()
  expect(compiled).not.toHaveBeenCalled()
  expect([validate({}), validate([])]).toEqual([true, false])
  const reads = compiled.mock.calls.length
  expect(reads).toBeGreaterThan(0)
  validate({})
  expect(compiled).toHaveBeenCalledTimes(reads)
})

test('a schema that no one has used is compiled once the server has listened for 3 s, so that no call waits for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
  const { compiled, compileRestAfterStart } = watched()
  const app = Fastify()
  compileRestAfterStart(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  await vi.advanceTimersByTimeAsync(2999)
  expect(compiled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(10)
  expect(compiled).toHaveBeenCalled()
  await app.close()
})
