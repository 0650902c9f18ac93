/** Runs the cases a few at a time. Returns the outcomes by name, so that a difference names its case. */
export async function atOnce<Case extends string>(
  cases: readonly Case[],
  ask: (one: Case) => Promise<string>,
): Promise<Record<string, string>> {
  const waiting = [...cases.entries()]
  const seen: string[] = []
  const asker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) seen[next[0]] = await ask(next[1])
  }
  await Promise.all(Array.from({ length: 8 }, asker))
  return Object.fromEntries(cases.map((name, index) => [name, seen[index] as string]))
}

/** The expected outcome of each case. */
export const forEach = <Case extends string>(cases: readonly Case[], expected: (one: Case) => string) =>
  Object.fromEntries(cases.map((name) => [name, expected(name)]))
