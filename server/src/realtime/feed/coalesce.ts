/**
 * Many wishes, little work: one run at a time, at most every `everyMs`. What is wished for while one runs is done with
 * the next; the first after a quiet moment at once.
 */
export function coalesce(everyMs: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null
  let ranAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isDue = false
  let isStopped = false

  function wish() {
    if (isStopped) return
    timer ??= setTimeout(run, Math.max(0, ranAt + everyMs - performance.now()))
  }

  async function run() {
    timer = null
    isDue = isRunning
    if (isRunning) return
    isRunning = true
    ranAt = performance.now()
    await work()
    isRunning = false
    if (isDue) wish()
  }

  return {
    wish,
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
