import { type Plugin, parseAst } from 'vite'

/** The browser needs method and path of a call; the rest is schemas and rules that only the server runs. */
const forBrowsers = new Set(['method', 'path'])
const isContract = /\/contract\/src\/[\w-]+\.ts$/

interface Span {
  start: number
  end: number
}
interface CallObject extends Span {
  properties: (Span & { key: { name: string } })[]
}

/** Takes what is the server's out of the contract's calls before they reach the bundle (2.4 kB gz of the first load). Types are untouched. */
export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!isContract.test(id)) return null
      return { code: callObjects(code).reduceRight(cutDown, code), map: null }
    },
  }
}

function cutDown(code: string, { start, end, properties }: CallObject): string {
  const kept = properties.filter(({ key }) => forBrowsers.has(key.name)).map((one) => code.slice(one.start, one.end))
  return `${code.slice(0, start)}{${kept.join(',')}}${code.slice(end)}`
}

/** The object of each `export const x = defineCall({…})`. */
function callObjects(code: string): CallObject[] {
  return parseAst(code).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') return []
    return statement.declaration.declarations.flatMap(({ init }) => {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return []
      const [object] = init.callee.name === 'defineCall' ? init.arguments : []
      return object?.type === 'ObjectExpression' ? [object as unknown as CallObject] : []
    })
  })
}
