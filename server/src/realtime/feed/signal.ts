/** A bell that remembers: rung while nobody waits, it lets the next wait through at once. Many rings are one. */
export function createSignal() {
  let isRung = false
  let release = () => {}

  return {
    wake() {
      isRung = true
      release()
    },

    /** Until the bell or the time, whichever is first. */
    async wait(ms: number) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          release = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        release = () => {}
      }
      isRung = false
    },
  }
}
