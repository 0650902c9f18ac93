interface Graph {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

/**
 * Names one chunk for the modules that the entry imports without waiting; the bundler adds what they use of libraries.
 * Left alone, what a later page shares with them becomes a file of its own: five more requests before the first sight,
 * and 3 kB gz more.
 */
export function firstLoad(entry: string) {
  const reached = new Set<string>()
  const walk = (id: string, graph: Graph) => {
    if (reached.has(id) || id.includes('/node_modules/')) return
    reached.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) walk(next, graph)
  }
  return (id: string, graph: Graph) => {
    walk(entry, graph)
    return reached.has(id) ? 'first' : null
  }
}
