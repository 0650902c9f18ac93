import { globSync, readFileSync } from 'node:fs'
import { at, main } from '../lib/run.mjs'
import { readTitles } from '../lib/test-titles.mjs'

const id = /\b[A-Z]+\d?-\d{2,3}\b/g
const specs = ['features/*/SPEC.md', '{kernel,web}/SPEC.md']
const tests = '{kernel,features,server,web,e2e,faults,scripts}/**/*.{test.ts,test.tsx,spec.ts}'

/** The rules of the hub, which titles name too, stand in a document of their own. */
const ofHub = ['docs/realtime.md', /^HUB-\d{2}$/]

/**
 * Compares the rules of each SPEC.md, `**ID**`, with the titles of tests. Fails if a title names an id that no SPEC.md has, if
 * no title names a rule, or if a rule stands in two places.
 */
await main(() => {
  const rules = globSync(specs, { cwd: at() }).flatMap((file) =>
    [...read(file).matchAll(/\*\*([A-Z]+\d?-\d{2,3})\*\*/g)].map(([, rule]) => ({ rule, file })),
  )
  const homes = Map.groupBy(rules, ({ rule }) => rule)
  const hub = (read(ofHub[0]).match(id) ?? []).filter((found) => ofHub[1].test(found))
  const known = new Set([...homes.keys(), ...hub])
  const mentions = globSync(tests, { cwd: at(), exclude: ['**/node_modules/**'] }).flatMap(idsOf)
  const named = new Set(mentions.map((mention) => mention.id))

  const found = [
    ...mentions
      .filter((one) => !known.has(one.id))
      .map((one) => `${one.file}:${one.line} names ${one.id}, which no SPEC.md has`),
    ...[...homes]
      .filter(([rule]) => !named.has(rule))
      .map(([rule, [{ file }]]) => `${file} has ${rule}, which no test names`),
    ...[...homes]
      .filter(([, all]) => all.length > 1)
      .map(([rule, all]) => `${rule} stands more than once: ${all.map(({ file }) => file).join(', ')}`),
  ]
  for (const line of found) console.log(line)
  printByArea([...homes.keys()], named)
  return found.length > 0 ? 1 : 0
})

function read(file) {
  return readFileSync(at(file), 'utf8')
}

function idsOf(file) {
  return readTitles(read(file)).flatMap(({ text, line }) =>
    (text.match(id) ?? []).map((found) => ({ id: found, file, line })),
  )
}

function printByArea(rules, named) {
  const areas = [...new Set(rules.map(areaOf))].sort()
  const count = (all) => `${all.filter((one) => named.has(one)).length}/${all.length}`
  console.log(`Rules of SPEC.md named by a test: ${count(rules)}`)
  console.log(areas.map((area) => `${area} ${count(rules.filter((one) => areaOf(one) === area))}`).join(', '))
}

function areaOf(rule) {
  return rule.split('-')[0]
}
