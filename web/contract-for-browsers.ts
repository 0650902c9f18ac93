import { type Plugin, parseAst } from 'vite'

/** The browser needs method and path of a call; the rest is schemas and rules that only the server runs. */
const forBrowsers = new Set(['method', 'path'])
const isContract = /\/contract\/src\/[\w-]+\.ts$/

interface Cut {
  start: number
  end: number
  left: string
}

/**
 * Takes what is the server's out of the contract before it reaches the bundle (3 kB gz of the first load): of each call all
 * but method and path, and every schema. The bundler keeps a schema that another one spreads. Types are untouched.
 */
export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!isContract.test(id)) return null
      const cuts = cutsIn(parseAst(code), code)
      return {
        code: cuts.reduceRight((rest, { start, end, left }) => rest.slice(0, start) + left + rest.slice(end), code),
        map: null,
      }
    },
  }
}

interface Node {
  type: string
  start: number
  end: number
  callee?: Node & { name?: string; object?: { name?: string } }
  arguments?: Node[]
  properties?: (Node & { key: { name: string } })[]
}

/** In the order of the file; none lies within another. */
function cutsIn(node: unknown, code: string): Cut[] {
  if (Array.isArray(node)) return node.flatMap((one) => cutsIn(one, code))
  if (!isNode(node)) return []
  const { start, end, callee, arguments: [object] = [] } = node
  // in brackets, because `.properties` may follow
  if (callee?.object?.name === 'Type') return [{ start, end, left: '(0)' }]
  if (callee?.name === 'defineCall' && object?.properties) {
    const kept = object.properties.filter(({ key }) => forBrowsers.has(key.name))
    return [{ ...object, left: `{${kept.map((one) => code.slice(one.start, one.end)).join(',')}}` }]
  }
  return Object.values(node).flatMap((part) => cutsIn(part, code))
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
