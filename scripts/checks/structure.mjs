import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'

const tests = ['**/*.{test,spec,fixture}.{ts,tsx}', '**/testing/**', '**/node_modules/**', '**/dist/**']
const rooms = '{kernel,features,server,web,e2e,bench,faults,rig,scripts}/**/*.{ts,tsx,mjs}'
const mostFiles = 20

/** Statements that only one file may contain. A list of tables is not a statement. */
const owned = [
  {
    what: 'reads or writes the table tally',
    statement: /\b(?:from|join|into|update) tally\b|(?:From|Join|Into|Table)\('tally\b/,
    owner: 'features/evacuation/server/tally.queries.ts',
  },
  {
    what: 'inserts into the table sms',
    statement: /\binto sms\b(?!_)|insertInto\('sms'/,
    owner: 'features/texts/server/queue.queries.ts',
  },
  {
    what: 'calls out by HTTP',
    // doctor asks this installation alone, and `fetch()` of SDKs and cursors has no address
    statement: /\bawait fetch\((?!`\$\{appUrl\})|from 'undici'|\bhttps?\.(?:request|get)\(/,
    owner: 'server/platform/outgoing.ts',
  },
  {
    what: 'writes a sign-in or a grant',
    statement:
      /\b(?:insert into|update|delete from) (?:account|second_factor|recovery_code|administrator|invitation|password_reset)\b|(?:insertInto|updateTable|deleteFrom)\('(?:account|secondFactor|recoveryCode|administrator|invitation|passwordReset)'/,
    owner: 'features/authority/server/writes/',
    // what the operator types
    but: 'features/directory/server/demo.ts',
  },
]

const server = globSync(['server/**/*.ts', 'features/*/server/**/*.ts'], { exclude: tests })
const strays = owned.flatMap(({ what, statement, owner, but }) =>
  server
    .filter((file) => !file.startsWith(owner) && file !== but && statement.test(readFileSync(file, 'utf8')))
    .map((file) => `${file} ${what}: only ${owner} does`),
)

/** A literal that is spread hides from the compiler a key that stands twice, or that no type has. */
const spreadLiteral = /^\s*\.\.\.\(?\{ ?\w.*\}(?: as const\))?,$/m
const spread = globSync(rooms, { exclude: ['**/node_modules/**', '**/dist/**'] })
  .filter((file) => spreadLiteral.test(readFileSync(file, 'utf8')))
  .map((file) => `${file} spreads an object literal: write its properties on lines of their own`)

const folders = Map.groupBy(globSync(rooms, { exclude: tests }), dirname)
const full = [...folders]
  .filter(([, files]) => files.length > mostFiles)
  .map(([folder, files]) => `${folder} has ${files.length} files, at most ${mostFiles}: split it by subject`)

/**
 * Folders that import each other are one folder, or hide a third. A folder and the folders inside it count as one.
 */
function findCircles() {
  const rooms = globSync('{kernel,features,server,web}/**/*.{ts,tsx}', { exclude: [...tests, 'web/*.ts'] })
  const next = new Map()
  for (const file of rooms) {
    const from = dirname(file)
    const found = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(#|\.[^']*\/)([^'#]+\.tsx?)'/g)]
    const folders = found.map(([, start, rest]) => dirname(start === '#' ? rest : posix.join(from, start, rest)))
    const others = folders.filter((to) => !`${to}/`.startsWith(`${from}/`) && !`${from}/`.startsWith(`${to}/`))
    next.set(from, new Set([...(next.get(from) ?? []), ...others]))
  }
  const reaches = (from, to, seen = new Set()) =>
    [...(next.get(from) ?? [])].some((one) => one === to || (!seen.has(one) && reaches(one, to, seen.add(one))))
  return [...next.keys()]
    .filter((folder) => reaches(folder, folder))
    .map((folder) => `${folder} is in a circle of folders`)
}

/** Which files of its sides a subject takes from others: subject → subject → paths below `features/<subject>/`. */
function findDoors() {
  const taken = new Map()
  for (const file of globSync('features/*/{server,web,console}/**/*.{ts,tsx}', { exclude: tests })) {
    const from = file.split('/')[1]
    for (const [, to, path] of readFileSync(file, 'utf8').matchAll(
      /'#features\/([^/']+)\/((?:server|web|console)\/[^']+)'/g,
    )) {
      const others = taken.get(from) ?? new Map()
      taken.set(from, others.set(to, (others.get(to) ?? new Set()).add(path)))
    }
  }
  return taken
}

const doors = findDoors()
const pairs = [...doors].flatMap(([from, others]) =>
  [...others.keys()]
    .filter((to) => from < to && doors.get(to)?.has(from))
    .map((to) => `${from} and ${to} import each other: one of them is the lower one`),
)
const unused = globSync('features/*/public.json').flatMap((file) => {
  const subject = file.split('/')[1]
  const used = new Set([...doors.values()].flatMap((others) => [...(others.get(subject) ?? [])]))
  return Object.entries(JSON.parse(readFileSync(file, 'utf8'))).flatMap(([side, files]) =>
    files
      .filter((name) => !used.has(`${side}/${name}`))
      .map((name) => `${file} names ${name}, which no other subject imports`),
  )
})

/** Pages without an entry of the menu to which no link leads. A link may take what stands before the last part from a function. */
const { pages } = await import('../../web/pages/pages.ts')
const texts = globSync('{web,features,server}/**/*.{ts,tsx}', { exclude: [...tests, 'web/pages/pages.ts'] }).map(
  (file) => readFileSync(file, 'utf8'),
)
const unlinked = pages
  .filter(({ menu, screen }) => screen && !menu)
  .map(({ path }) => path)
  .filter((path) => {
    const parts = path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    const last = parts.length > 1 && parts.at(-1) ? `|\\}${parts.at(-1)}` : ''
    const link = new RegExp(`(?:['"\`}]${parts.join('[^\'"`\\s]+')}${last})['"\`?#]`)
    return !texts.some((text) => link.test(text))
  })
  .map((path) => `no link leads to ${path}, and no entry of the menu`)

const found = [...unlinked, ...strays, ...spread, ...full, ...findCircles(), ...pairs, ...unused]
if (found.length > 0) {
  console.error(found.join('\n'))
  process.exitCode = 1
}
