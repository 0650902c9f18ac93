/**
 * Runs `work` at most once every `everyMs`, never in parallel. Requests during a run share the next one. The first
 * request after a quiet period runs at once.
 */
export function coalesce(everyMs: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null
  let ranAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isDue = false
  let isStopped = false

  function request() {
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
    if (isDue) request()
  }

  return {
    request,
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
