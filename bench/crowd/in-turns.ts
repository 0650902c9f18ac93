/** Does the work for each item, `atOnce` items at a time. */
export async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<unknown>) {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
