interface Graph {
  getModuleInfo: (id: string) => { importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

/**
 * Names one chunk for the modules that the entry imports without waiting and for those that most pages share; the
 * bundler adds what they use of libraries. Left alone, each such module becomes a file of its own: a dozen more requests
 * before the first sight, and 3 kB gz more.
 */
export function firstLoad(entry: string, screens: string) {
  let first: Set<string> | undefined
  return (id: string, graph: Graph) => {
    first ??= modulesOfFirstLoad(graph, entry, screens)
    return first.has(id) ? 'first' : null
  }
}

function modulesOfFirstLoad(graph: Graph, entry: string, screens: string): Set<string> {
  const first = reachedFrom(entry, graph)
  const uses = new Map<string, number>()
  const pages = graph.getModuleInfo(screens)?.dynamicallyImportedIds ?? []
  for (const page of pages) {
    for (const id of reachedFrom(page, graph)) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  for (const [id, count] of uses) if (count > pages.length / 2) first.add(id)
  return first
}

function reachedFrom(start: string, graph: Graph): Set<string> {
  const reached = new Set<string>()
  const walk = (id: string) => {
    if (reached.has(id) || id.includes('/node_modules/')) return
    reached.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) walk(next)
  }
  walk(start)
  return reached
}
