/** Says what takes its time, that it goes on, and how long it took. */
export async function step(title, work) {
  const start = Date.now()
  const seconds = () => `${((Date.now() - start) / 1000).toFixed(1)} s`
  console.log(`${title} …`)
  const sign = setInterval(() => console.log(`  still at it, ${seconds()}`), 10_000)
  try {
    const result = await work()
    console.log(`  done in ${seconds()}`)
    return result
  } finally {
    clearInterval(sign)
  }
}
