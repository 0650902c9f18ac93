import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Build trick 3 of 4. Vite wraps each `import()` so that what the file needs is fetched with it. boot.js and the prefetch do
 * that here, so the wrapper only imports: 0.9 kB gz of the first load less.
 */
export const plainImports = (): Plugin => ({
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: { filter: { id: /vite\/preload-helper/ }, handler: () => 'export const __vitePreload = (load) => load()' },
})

const drawIcon = fileURLToPath(new URL('./lib/draw-icon.ts', import.meta.url))

/** Build trick 4 of 4. The icons come without the program that draws them in every way: 2 kB gz of the first load less. */
export const plainIcons = (): Plugin => ({
  name: 'plain-icons',
  apply: 'build',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/ },
    handler: (code) =>
      code
        .replace(
          /import \w+ from '..\/createLucideIcon.mjs'/,
          `import { drawIcon as createLucideIcon } from '${drawIcon}'`,
        )
        .replaceAll(/, key: "\w+"/g, ''),
  },
})

interface Graph {
  getModuleInfo: (id: string) => { importedIds: string[]; dynamicallyImportedIds: string[] } | null
}
interface Entries {
  /** Where the program starts. */
  main: string
  screens: readonly string[]
  /** The pages that must be there first, because who opens them is in a hurry, and what comes next to each, by the name of their chunk. */
  urgent: Record<string, string>
}

/**
 * What the login page and the floor page both use of libraries: within the floor's chunk it would bring that along to the
 * login page. Only the kept reads hydrate, and they come later.
 */
const everyPageReads =
  /\/node_modules\/(@tanstack\/(query-core\/(?!.*\/hydration\.)|react-query\/)|lucide-react\/.*\/chevron-down\.)/
const isIcon = /\/lucide-react\/.*\/icons\/[^/]+\.mjs$/

/**
 * The chunks that stand before the first sight: what the entry imports without waiting and most pages share, and what each
 * page needs besides that opens in a hurry. The bundler adds what they use of libraries. Left alone, each shared module
 * becomes a file of its own: two dozen more requests, and 4 kB gz more.
 */
export function firstLoad(entries: Entries) {
  let chunks: Map<string, string> | undefined
  const chunkOf = (id: string, graph: Graph) => {
    chunks ??= chunksOf(graph, entries)
    return everyPageReads.test(id) ? 'first' : chunks.get(id)
  }
  // what two pages use belongs to the earlier one: without an order it may belong to the later one, which the earlier then loads
  return ['first', ...Object.keys(entries.urgent)].map((name, nth) => ({
    priority: 10 - nth,
    name: (id: string, graph: Graph) => (chunkOf(id, graph) === name ? name : null),
  }))
}

function chunksOf(graph: Graph, { main, screens, urgent }: Entries): Map<string, string> {
  const first = reachedFrom(main, graph)
  const uses = new Map<string, number>()
  for (const screen of screens) {
    for (const id of reachedFrom(screen, graph)) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  for (const [id, count] of uses) if (count > screens.length / 2) first.add(id)

  const named = new Map([...first].map((id) => [id, 'first']))
  for (const [name, screen] of Object.entries(urgent))
    for (const id of reachedFrom(screen, graph)) if (!named.has(id)) named.set(id, name)
  return named
}

function reachedFrom(start: string, graph: Graph): Set<string> {
  const reached = new Set<string>()
  const walk = (id: string) => {
    if (reached.has(id) || (id.includes('/node_modules/') && !isIcon.test(id))) return
    reached.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) walk(next)
  }
  walk(start)
  return reached
}
