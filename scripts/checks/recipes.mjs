import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepare } from '../lib/install.mjs'
import { at, main, run, Trouble } from '../lib/run.mjs'
import { onCopy } from './copy.mjs'

/**
 * `npm run test:recipes` follows each recipe of docs/how-to.md on a copy of the project, and then leaves out one file of each
 * after the other: what the recipe says finds it must fail, and name it. `npm run test:recipes -- call` follows one of them.
 * All are followed together, so that a round of checks serves them all.
 */
await main(async (wanted) => {
  const runtime = await prepare()
  const recipes = await readRecipes(wanted)
  return onCopy(async (copy) => {
    const trial = { recipes, copy, runtime, texts: new Map() }
    const faults = await followAll(trial)
    if (faults.length === 0) for (const round of roundsOf(recipes)) faults.push(...(await leaveOut(trial, round)))
    for (const fault of faults) console.error(`\n${fault}`)
    return faults.length > 0 ? 1 : 0
  })
})

/**
 * A recipe says its heading in how-to.md, what it does to each file and what finds that file forgotten, what proves it whole, and
 * on which recipe it builds. A file that nothing is said to find is not left out.
 */
async function readRecipes(wanted) {
  const guide = readFileSync(at('docs/how-to.md'), 'utf8')
  const names = globSync('scripts/recipes/*.mjs', { cwd: at() }).sort()
  const all = await Promise.all(
    names.map(async (name) => ({ name: name.replace(/^.*\/|\.mjs$/g, ''), ...(await import(at(name))).recipe })),
  )
  for (const { name, heading, files } of all) {
    if (!guide.includes(`## ${heading}\n`)) throw new Trouble(`docs/how-to.md has no '${heading}' (${name})`)
    const own = Object.keys(files).filter(
      (file) => !/\.(test|fixture)\.tsx?$|^(server|web)\/testing\/|SPEC\.md$/.test(file),
    )
    if (own.length > 5) throw new Trouble(`${name} takes ${own.length} files beside tests and rules: at most five`)
  }
  const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name)
  // what a recipe builds on is followed with it
  const chosen = all.filter(
    (recipe) => isWanted(recipe) || all.some((one) => one.buildsOn === recipe.name && isWanted(one)),
  )
  if (chosen.length === 0) throw new Trouble(`There is: ${all.map(({ name }) => name).join(', ')}`)
  return chosen
}

async function followAll(trial) {
  write(trial, [])
  const results = await runChecks(
    trial,
    trial.recipes.flatMap(({ proof }) => proof),
  )
  return [...results].flatMap(([part, { code, output }]) => {
    console.log(`${code === 0 ? 'passes' : 'FAILS '}  ${part}`)
    return code === 0 ? [] : [`${part} fails with the whole recipes:\n${output.trim().slice(-6_000)}`]
  })
}

/** Each round leaves out one file of each recipe: first those that tests find, then those that the compiler and checks find. */
function roundsOf(recipes) {
  const leaves = recipes.map((recipe) =>
    Object.entries(recipe.files).flatMap(([file, { found }]) => (found ? { recipe, file, found } : [])),
  )
  return [true, false].flatMap((byTests) => {
    const lists = leaves.map((of) => of.filter(({ found }) => isOfTests(found.by) === byTests))
    const longest = Math.max(...lists.map(({ length }) => length))
    return Array.from({ length: longest }, (_, nth) => lists.flatMap((of) => of[nth] ?? []))
  })
}

/** What is not found beside the others is left out once more alone: the gap of another recipe may hide it. */
async function leaveOut(trial, leaves) {
  write(trial, leaves)
  const results = await runChecks(
    trial,
    leaves.map(({ found }) => found.by),
  )
  const faults = []
  for (const { recipe, file, found } of leaves) {
    const { code, output } = results.get(partOf(found.by))
    const isFound = code !== 0 && found.says.test(output)
    if (!isFound && leaves.length > 1) {
      faults.push(...(await leaveOut(trial, [{ recipe, file, found }])))
      continue
    }
    console.log(`${isFound ? 'found ' : 'MISSED'}  ${recipe.name} without ${file}: ${found.by}`)
    if (!isFound) faults.push(`${recipe.name}: ${found.by} does not find ${file}:\n${output.trim().slice(-3_000)}`)
  }
  return faults
}

/** Writes what the recipes do to their files, but for those left out. */
function write({ recipes, copy, texts }, leaves) {
  for (const file of new Set(recipes.flatMap(({ files }) => Object.keys(files)))) {
    const isLeftOut = (recipe) => leaves.some((leave) => leave.recipe === recipe && leave.file === file)
    const edits = recipes.flatMap((recipe) => (isLeftOut(recipe) ? [] : (recipe.files[file]?.edit ?? [])))
    const before = existsSync(at(file)) && readFileSync(at(file), 'utf8')
    const text = edits.reduce((done, edit) => edit(done || '', file), before)
    if (texts.get(file) === text) continue
    texts.set(file, text)
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    if (text === false) rmSync(join(copy, file), { force: true })
    else writeFileSync(join(copy, file), text)
  }
}

/** 'server NAME' and 'web NAME' are tests. */
function isOfTests(check) {
  return /^(server|web) /.test(check)
}

function partOf(check) {
  return isOfTests(check) ? check.split(' ')[0] : check
}

/** The result of each check by its part. Tests of one part run together, and two parts at a time. */
async function runChecks(trial, checks) {
  const waiting = [...Map.groupBy(checks, partOf)]
  const results = new Map()
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [part, ofPart] = next
      const words = isOfTests(ofPart[0]) ? new Set(ofPart.flatMap((check) => check.split(' ').slice(1))) : []
      results.set(part, await runPart(trial, part, words))
    }
  }
  await Promise.all([worker(), worker()])
  return results
}

/** 'types of server', 'unused code', 'code for tests alone', 'rules', 'structure', 'documents', or 'server' and 'web' with the names of tests. */
function runPart({ copy, runtime: { env, node } }, part, words) {
  const quiet = { cwd: copy, env, quiet: true }
  const program = (name) => join(copy, 'node_modules/.bin', name)
  const room = /^types of (\w+)$/.exec(part)?.[1]
  if (room) {
    const memory = ['--incremental', '--tsBuildInfoFile', join(copy, `data/${room}.tsbuildinfo`)]
    return run(program('tsc'), ['--noEmit', '-p', room, ...memory], quiet)
  }
  if (part === 'unused code') return run(program('knip'), ['--no-progress'], quiet)
  if (part === 'code for tests alone')
    return run(program('knip'), ['--no-progress', '--production', '--include', 'exports,files'], quiet)
  const script = { rules: 'coverage', structure: 'structure', documents: 'documents' }[part]
  if (script) return run(node, [`scripts/checks/${script}.mjs`], quiet)
  return run(node, ['scripts/test.mjs', part, ...words], quiet)
}
