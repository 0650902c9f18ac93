import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type BuildSerializer = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<BuildSerializer>>

const build = SerializerSelector()
const known = new WeakMap<object, Serializer>()

/** Fastify compiles the schema of errors anew for each route. */
const buildSerializer: BuildSerializer = (...options) => {
  const compile = build(...options)
  return (route) => {
    const schema = route.schema as object
    const serializer = known.get(schema) ?? compile(route)
    known.set(schema, serializer)
    return serializer
  }
}

/** Compile each schema once per process: of the schemas of all routes, and of all apps that tests build. */
export const compilersFactory = { buildValidator: AjvCompiler(), buildSerializer }
