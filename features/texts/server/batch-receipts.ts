/** A provider's receipts come one by one. */
export const receiptBatches = { most: 100, withinMs: 20 }

/** Collects single items into batches. Each caller's promise is that of its batch. Two batches may run at once. */
export function collect<T>(
  work: (items: readonly T[]) => Promise<unknown>,
  { most, withinMs }: { most: number; withinMs: number },
): (item: T) => Promise<void> {
  let items: T[] = []
  let done = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  function flush() {
    const [batch, { resolve, reject }] = [items, done]
    clearTimeout(timer)
    timer = undefined
    items = []
    done = Promise.withResolvers()
    work(batch).then(() => resolve(), reject)
  }
  return (item) => {
    items.push(item)
    const { promise } = done
    timer ??= setTimeout(flush, withinMs)
    if (items.length >= most) flush()
    return promise
  }
}
