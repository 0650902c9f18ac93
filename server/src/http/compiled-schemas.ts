import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type BuildSerializer = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<BuildSerializer>>
type BuildValidator = ReturnType<typeof AjvCompiler>
type Validator = ReturnType<ReturnType<BuildValidator>>

const serializersOf = SerializerSelector()
const validatorsOf = AjvCompiler()
const serializers = new WeakMap<object, Serializer>()

const buildSerializer: BuildSerializer = (...options) => {
  const compile = serializersOf(...options)
  return (route) => {
    const schema = route.schema as object
    const known = serializers.get(schema)
    if (known) return known
    let serialize: Serializer | undefined
    const serializer: Serializer = (answer) => {
      serialize ??= compile(route)
      return serialize(answer)
    }
    serializers.set(schema, serializer)
    return serializer
  }
}

const buildValidator: BuildValidator = (...options) => {
  const compile = validatorsOf(...options)
  return (route) => {
    let validate: Validator | undefined
    const validator = ((input: unknown) => {
      validate ??= compile(route)
      const isValid = validate(input)
      validator.errors = validate.errors
      return isValid
    }) as Validator
    return validator
  }
}

/**
 * Compile a schema at its first use: at the start of a process those of all routes would take a quarter of its processor
 * time. Each is compiled once per process, for all routes that share it and all apps that tests build.
 */
export const compilersFactory = { buildValidator, buildSerializer }
