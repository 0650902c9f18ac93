interface List {
  mark: string
  names: ReadonlySet<string>
}

/**
 * What the directory holds, in memory alone: per cell up to 256 lists of hashes of names. A restart empties it, and each cell fills it
 * again within half a minute.
 */
export class HeldNames {
  readonly #cells = new Map<string, Map<string, List>>()

  /** Drops the lists that a cell no longer has. Returns those that are not here as their marks say. */
  compare(cell: string, marks: Readonly<Record<string, string>>): string[] {
    const held = this.#listsOf(cell)
    for (const list of held.keys()) if (!Object.hasOwn(marks, list)) held.delete(list)
    return Object.keys(marks).filter((list) => held.get(list)?.mark !== marks[list])
  }

  /** In place of what the list was. */
  hold(cell: string, list: string, { mark, names }: { mark: string; names: readonly string[] }): void {
    this.#listsOf(cell).set(list, { mark, names: new Set(names) })
  }

  /** The addresses of the cells that have the name. */
  find(name: string): string[] {
    const has = (lists: ReadonlyMap<string, List>) => [...lists.values()].some(({ names }) => names.has(name))
    return [...this.#cells].filter(([, lists]) => has(lists)).map(([cell]) => cell)
  }

  #listsOf(cell: string): Map<string, List> {
    const lists = this.#cells.get(cell) ?? new Map<string, List>()
    this.#cells.set(cell, lists)
    return lists
  }
}
