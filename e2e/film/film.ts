import { join, relative } from 'node:path'
import { Product } from '../../rig/product.ts'
import { Camera } from './camera.ts'
import { importCast } from './cast.ts'
import { compare } from './figures.ts'
import { play } from './scenes.ts'

/**
 * Plays an evacuation of three buildings with 60 phones, five of them in browsers. Takes pictures of board, wall and two
 * phones, prints the figures of each, and compares the last ones with the record of the event. It takes five minutes,
 * because the person in command is silent for two.
 */
const folder = join(import.meta.dirname, '../output/film')
// the poster takes ten reports a minute of one network, and each call for help comes from a network of its own
const product = await Product.start({ TRUST_PROXY: '1' })
const camera = await Camera.open(product.url, folder)
let isSame = false
try {
  await importCast(product)
  const { frames, manager, eventUid, last, done, showRecord } = await play(product, camera)
  const rows = await compare(manager, eventUid, last, done)
  await showRecord()
  console.table(frames)
  console.table(rows)
  isSame = rows.every(({ same }) => same === 'yes') && camera.complaints.length === 0
  for (const complaint of camera.complaints) console.log(complaint)
  console.log(
    `${isSame ? 'The record says the same as the film' : 'The record differs from the film'}. Frames: ${relative('.', folder)}`,
  )
} finally {
  await camera.close()
  await product.stop()
}
process.exit(isSame ? 0 : 1)
