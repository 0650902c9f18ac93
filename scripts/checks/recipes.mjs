import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepare } from '../lib/install.mjs'
import { at, main, run, Trouble } from '../lib/run.mjs'

/**
 * `npm run test:recipes` follows each recipe of docs/how-to.md on a copy of the project, and then leaves out one file after the
 * other: what the recipe says finds it must fail, and name it. `npm run test:recipes -- call` follows one of them.
 */
await main(async (wanted) => {
  const runtime = await prepare()
  const recipes = await readRecipes(wanted)
  const copy = await makeCopy()
  const faults = []
  try {
    for (const recipe of recipes) faults.push(...(await follow(recipe, copy, runtime)))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  for (const fault of faults) console.error(`\n${fault}`)
  return faults.length > 0 ? 1 : 0
})

/** A recipe says its heading in how-to.md, what it does to each file and what finds that file forgotten, and what proves it whole. */
async function readRecipes(wanted) {
  const guide = readFileSync(at('docs/how-to.md'), 'utf8')
  const names = globSync('scripts/recipes/*.mjs', { cwd: at() }).sort()
  const all = await Promise.all(
    names.map(async (name) => ({ name: name.replace(/^.*\/|\.mjs$/g, ''), ...(await import(at(name))).recipe })),
  )
  for (const { name, heading, files } of all) {
    if (!guide.includes(`## ${heading}\n`)) throw new Trouble(`docs/how-to.md has no '${heading}' (${name})`)
    const own = Object.keys(files).filter((file) => !/\.(test|fixture)\.tsx?$|SPEC\.md$/.test(file))
    if (own.length > 5) throw new Trouble(`${name} takes ${own.length} files beside tests and rules: at most five`)
  }
  const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  if (chosen.length === 0) throw new Trouble(`There is: ${all.map(({ name }) => name).join(', ')}`)
  return chosen
}

/** Beside the data of the project, so that packages can be linked instead of copied. */
async function makeCopy() {
  mkdirSync(at('data'), { recursive: true })
  const copy = mkdtempSync(at('data/recipes-'))
  const { output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { quiet: true })
  for (const file of output.split('\0')) if (file && existsSync(at(file))) cpSync(at(file), join(copy, file))
  for (const folder of ['node_modules', '.runtime']) {
    const { code, output: reason } = await run('cp', ['-al', at(folder), join(copy, folder)], { quiet: true })
    if (code !== 0) throw new Trouble(reason)
  }
  return copy
}

async function follow({ name, heading, files, proof }, copy, runtime) {
  console.log(`\n${heading}`)
  const faults = []
  const put = (file, text) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  const before = new Map(
    Object.keys(files).map((file) => [file, existsSync(at(file)) && readFileSync(at(file), 'utf8')]),
  )
  const undo = (file) => (before.get(file) === false ? rmSync(join(copy, file)) : put(file, before.get(file)))
  const after = new Map(Object.entries(files).map(([file, { edit }]) => [file, edit(before.get(file) || '', file)]))
  for (const [file, text] of after) put(file, text)
  for (const check of proof) {
    const { code, output } = await runCheck(check, copy, runtime)
    console.log(`  ${code === 0 ? 'passes' : 'FAILS '}  ${check}`)
    if (code !== 0) faults.push(`${name}: ${check} fails with the whole recipe:\n${output.trim().slice(-3_000)}`)
  }
  for (const [file, { found }] of faults.length > 0 ? [] : Object.entries(files)) {
    if (!found) continue
    undo(file)
    const { code, output } = await runCheck(found.by, copy, runtime)
    const isFound = code !== 0 && found.says.test(output)
    console.log(`  ${isFound ? 'found ' : 'MISSED'}  without ${file}: ${found.by}`)
    if (!isFound) faults.push(`${name}: ${found.by} does not find ${file}:\n${output.trim().slice(-3_000)}`)
    put(file, after.get(file))
  }
  for (const file of before.keys()) undo(file)
  return faults
}

/** By name: 'types of server', 'unused code', 'rules', 'structure', 'documents', or 'server NAME' and 'web NAME' for tests. */
async function runCheck(check, copy, { env, node }) {
  const quiet = { cwd: copy, env, quiet: true }
  const program = (name) => join(copy, 'node_modules/.bin', name)
  const room = /^types of (\w+)$/.exec(check)?.[1]
  if (room) {
    const memory = ['--incremental', '--tsBuildInfoFile', join(copy, `data/${room}.tsbuildinfo`)]
    return run(program('tsc'), ['--noEmit', '-p', room, ...memory], quiet)
  }
  if (check === 'unused code') return run(program('knip'), ['--no-progress'], quiet)
  const script = { rules: 'coverage', structure: 'structure', documents: 'documents' }[check]
  if (script) return run(node, [`scripts/checks/${script}.mjs`], quiet)
  return run(node, ['scripts/test.mjs', ...check.split(' ')], quiet)
}
