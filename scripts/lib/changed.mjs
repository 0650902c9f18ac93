/**
 * What a change can touch, for `npm test -- changed`: a part of the tests → 'all', or the files whose tests run.
 * Vitest follows imports. Three ways go round imports, so they are named here: the app finds its routes at start, tests of
 * the server that start a process know the product by `programs`, and end-to-end tests by its address.
 */
const programs = ['server/testing/nodes.ts', 'server/testing/run-command.ts']
const app = 'server/app.ts'

const isProduct = (file) => /^(kernel|features|server|web)\//.test(file) && !isOfTests(file)
const isOfTests = (file) => /\.(test|fixture)\.tsx?$|\/testing\//.test(file)
const isProse = (file) => file.endsWith('.md') || file.startsWith('docs/')
const isTrial = (file) => /^(bench|\.ci)\//.test(file)
const isSource = (file) => /\.(ts|tsx|mjs|css)$/.test(file)

export function partsOf(files) {
  const changed = files.filter((file) => !isProse(file) && !isTrial(file))
  if (changed.length === 0) return { check: 'all' }
  const rest = changed.filter((file) => !/^(kernel|features|server|web|rig|faults|e2e|scripts)\//.test(file))
  if (rest.length > 0) return { check: 'all', server: 'all', web: 'all', e2e: 'all' } // a lock file, a configuration
  return { check: 'all', ...serverPart(changed), ...webPart(changed), ...e2ePart(changed) }
}

function serverPart(changed) {
  const own = changed.filter((file) => !/^(web|e2e|features\/[^/]+\/(web|console))\//.test(file))
  if (own.length === 0) return {}
  if (!own.every(isSource)) return { server: 'all' } // migrations, CSV, certificates are read, not imported
  if (own.some(isProduct)) return { server: [...own, app, ...programs] }
  const isStarted = own.some((file) => /^(scripts|rig)\//.test(file))
  return { server: isStarted ? [...own, ...programs] : own }
}

function webPart(changed) {
  const own = changed.filter(
    (file) => /^(web|kernel|features)\//.test(file) && !/^features\/[^/]+\/server\//.test(file),
  )
  if (own.length === 0) return {}
  return { web: own.every(isSource) ? own : 'all' }
}

function e2ePart(changed) {
  const isSpec = (file) => file.startsWith('e2e/') && file.endsWith('.spec.ts')
  if (changed.some((file) => isProduct(file) || /^(rig|scripts)\//.test(file))) return { e2e: 'all' }
  const own = changed.filter((file) => file.startsWith('e2e/'))
  if (own.length === 0) return {}
  return { e2e: own.every(isSpec) ? own : 'all' }
}
