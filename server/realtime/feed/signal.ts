/** A wake-up signal that remembers: a wake() while no one waits ends the next wait at once. Several count as one. */
export function createSignal() {
  let isRung = false
  let release = () => {}

  return {
    wake() {
      isRung = true
      release()
    },

    /** Waits for a wake-up, at most `ms`. */
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
