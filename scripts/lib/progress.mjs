/** Prints the title of a long step, a line every 10 s, and its duration. */
export async function step(title, work) {
  const start = Date.now()
  const seconds = () => `${((Date.now() - start) / 1000).toFixed(1)} s`
  console.log(`${title} …`)
  const sign = setInterval(() => console.log(`  still running, ${seconds()}`), 10_000)
  try {
    const result = await work()
    console.log(`  done in ${seconds()}`)
    return result
  } finally {
    clearInterval(sign)
  }
}
