import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, main } from '../lib/run.mjs'
import { readTitles } from '../lib/test-titles.mjs'

const id = /\b[A-Z]+-\d{2,3}\b/g
const testFile = /\.(test\.tsx?|spec\.ts)$/
const rooms = ['kernel', 'features', 'server', 'web', 'e2e', 'faults', 'scripts']

/** Documents with further ids that a title may name. */
const documents = { 'docs/decisions.md': /^AMB-\d{3}$/, 'docs/realtime.md': /^HUB-\d{2}$/ }

/** Prints the requirements that test titles name. Fails if a title names an unknown id. */
await main(() => {
  const requirements = readRequirements()
  const known = new Set([...requirements, ...documentedIds()])
  const named = rooms.flatMap(testFiles).flatMap(idsOf)

  const unknown = named.filter((mention) => !known.has(mention.id))
  for (const { id, file, line } of unknown) console.log(`${file}:${line} names the unknown id ${id}`)
  printByArea(requirements, new Set(named.map((mention) => mention.id)))
  return unknown.length > 0 ? 1 : 0
})

function readRequirements() {
  const [, ...rows] = readFileSync(at('docs/requirements.tsv'), 'utf8').trim().split('\n')
  return rows.map((row) => row.split('\t')[0])
}

function documentedIds() {
  return Object.entries(documents).flatMap(([file, own]) =>
    existsSync(at(file)) ? (readFileSync(at(file), 'utf8').match(id) ?? []).filter((found) => own.test(found)) : [],
  )
}

function testFiles(room) {
  return readdirSync(at(room), { recursive: true })
    .filter((path) => testFile.test(path) && !path.includes('node_modules'))
    .map((path) => join(room, path))
}

function idsOf(file) {
  return readTitles(readFileSync(at(file), 'utf8')).flatMap(({ text, line }) =>
    (text.match(id) ?? []).map((found) => ({ id: found, file, line })),
  )
}

function printByArea(requirements, named) {
  const areas = [...new Set(requirements.map(areaOf))]
  const count = (all) => `${all.filter((one) => named.has(one)).length}/${all.length}`
  console.log(`Requirements named by a test: ${count(requirements)}`)
  console.log(areas.map((area) => `${area} ${count(requirements.filter((one) => areaOf(one) === area))}`).join(', '))
}

function areaOf(requirement) {
  return requirement.split('-')[0]
}
