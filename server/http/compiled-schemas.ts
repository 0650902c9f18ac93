import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'

type BuildSerializer = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<BuildSerializer>>
type BuildValidator = ReturnType<typeof AjvCompiler>
type Validator = ReturnType<ReturnType<BuildValidator>>

const serializersOf = SerializerSelector()
const validatorsOf = AjvCompiler()
const serializers = new WeakMap<object, Serializer>()

/** Compiles at the first use, or when its turn comes. */
const soon = <T>(waiting: Set<() => unknown>, compile: () => T) => {
  let compiled: T | undefined
  const get = () => {
    waiting.delete(get)
    compiled ??= compile()
    return compiled
  }
  waiting.add(get)
  return get
}

const buildSerializer =
  (waiting: Set<() => unknown>): BuildSerializer =>
  (...options) => {
    const compile = serializersOf(...options)
    return (route) => {
      const schema = route.schema as object
      const known = serializers.get(schema)
      if (known) return known
      const serialize = soon(waiting, () => compile(route))
      const serializer: Serializer = (answer) => serialize()(answer)
      serializers.set(schema, serializer)
      return serializer
    }
  }

const buildValidator =
  (waiting: Set<() => unknown>): BuildValidator =>
  (...options) => {
    const compile = validatorsOf(...options)
    return (route) => {
      const validate = soon(waiting, () => compile(route))
      const validator = ((input: unknown) => {
        const isValid = validate()(input)
        validator.errors = validate().errors
        return isValid
      }) as Validator
      return validator
    }
  }

/** Milliseconds after the start: commands and tests that end before have compiled only what they used. */
const restAfter = 3000

/**
 * Compilers of schemas, each of which is compiled once per process. At the start of a process all of them would take a quarter
 * of its processor time, so that a schema is compiled at its first use, and the rest one by one once the server has listened
 * for a while: in an emergency no call waits for it.
 */
export function schemaCompilers() {
  const waiting = new Set<() => unknown>()
  const compileRest = () => {
    const [next] = waiting
    next?.()
    if (waiting.size > 0) setImmediate(compileRest).unref()
  }
  return {
    compilersFactory: { buildValidator: buildValidator(waiting), buildSerializer: buildSerializer(waiting) },
    compileRestAfterStart: (app: FastifyInstance) =>
      app.addHook('onListen', (done) => {
        setTimeout(compileRest, restAfter).unref()
        done()
      }),
  }
}
