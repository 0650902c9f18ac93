import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import swc from '@swc/core/Visitor.js'

// The parser reads `await using`, the walker that comes with it does not know it yet.
const { visitStatement } = swc.Visitor.prototype
swc.Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) }
}

const tests = '\\.(test|spec|fixture)\\.tsx?$'
const testing = ['^(server|web)/testing/', '\\.fixture\\.tsx?$']

const withoutSchemas =
  '^(kernel/(actions|action-words|kinds|client/client|console-kinds|console-words|limits|name-fold|vocabulary|words|write-headers)|features/sentences|features/[^/]+/(?!calls\\.ts)[^/]+)\\.ts$'

/** What both sides of a subject read: its calls, and the words and limits beside them. */
const shared = '^(kernel/|features/[^/]+\\.ts$|features/[^/]+/[^/]+\\.ts$|features/[^/]+/calls/)'
const side = (name) => (name === 'server' ? '^features/[^/]+/server/' : '^features/[^/]+/(web|console)/')

/** public.json of a subject names the files that other subjects import. A list, not a file of exports: nothing loads more than it uses. */
const doors = globSync('features/*/public.json').flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8'))).flatMap(([room, files]) =>
    files.map((name) => `^${dirname(file)}/${room}/${name.replaceAll('.', '\\.')}$`),
  ),
)

const pathOf = (room, folder) => (folder === 'features' ? side(room) : `^${room}/${folder}/`)

/** The folders of a room from the lowest up. Each imports those below it alone. The highest stands on the files beside the folders. */
function storeys(room, folders) {
  return folders.slice(0, -1).map((folder, storey) => ({
    severity: 'error',
    name: `${room}-${folder}-storey`,
    comment: `${folders.join(' → ')}`,
    from: { path: pathOf(room, folder), pathNot: [tests, ...testing] },
    to: { path: [...folders.slice(storey + 1).map((above) => pathOf(room, above)), `^${room}/[^/]+$`] },
  }))
}

/** The doors between the rooms, and between the storeys of a room. CONTRIBUTING.md says them in words. */
export default {
  forbidden: [
    {
      severity: 'error',
      name: 'calls-stand-alone',
      comment: 'Calls, words and the kernel are read by both sides: they import each other and typebox only.',
      from: { path: shared, pathNot: tests },
      to: { pathNot: [shared, '^node_modules/typebox/'] },
    },
    {
      severity: 'error',
      name: 'kernel-first',
      comment: 'The kernel knows no subject.',
      from: { path: '^kernel/', pathNot: tests },
      to: { path: '^features/', dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'no-schema-in-the-browser',
      comment:
        'The web app names calls by string and takes values from contract files without schemas; the rest: types.',
      from: { path: ['^web/[^/]+/', side('web'), withoutSchemas], pathNot: [tests, ...testing] },
      to: { path: [shared, '/typebox/'], pathNot: withoutSchemas, dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'server-not-to-others',
      comment:
        'The server knows the contract, never who calls it. The nodes of its tests are started by the rig, and so is Centrifugo.',
      from: {
        path: ['^server/', side('server')],
        pathNot: ['^server/testing/nodes\\.ts$', '\\.centrifugo\\.test\\.ts$'],
      },
      to: { path: ['^(web|e2e|bench|faults|rig)/', side('web')] },
    },
    {
      severity: 'error',
      name: 'web-not-to-others',
      comment: 'The web app knows the contract, never what answers it.',
      from: { path: ['^web/', side('web')] },
      to: { path: ['^(server|e2e|bench|faults|rig)/', side('server')] },
    },
    {
      severity: 'error',
      name: 'outside-speaks-http',
      comment:
        'Journeys, load scenarios and fault runs import the contract and libraries, and reach the rest by its address. The core of the outbox is shared: it needs no browser.',
      from: { path: '^(e2e|bench|faults|rig)/' },
      to: { path: ['^(server|web)/', side('server'), side('web')], pathNot: '^web/outbox/core/' },
    },
    {
      severity: 'error',
      name: 'outbox-core-without-browser',
      comment: 'The core of the outbox runs on any phone: what it needs is handed in (core/phone.ts).',
      from: { path: '^web/outbox/core/' },
      to: { pathNot: ['^web/outbox/core/', shared, '^web/lib/new-key\\.ts$'] },
    },
    {
      severity: 'error',
      name: 'rig-serves-the-others',
      comment:
        'The rig starts the product and its phones for journeys, load scenarios and fault runs, and knows none of them.',
      from: { path: '^rig/' },
      to: { path: '^(e2e|bench|faults)/' },
    },
    ...storeys('web', [
      'lib',
      'pages',
      'ui',
      'session',
      'outbox',
      'live',
      'reads',
      'evacuees',
      'console',
      'features',
      'app',
    ]),
    ...storeys('server', ['platform', 'wardens', 'administrators', 'http', 'realtime', 'features', 'commands']),
    {
      severity: 'error',
      name: 'subjects-by-their-doors',
      comment: 'A subject imports of another only what public.json of the other names. A test prepares what it needs.',
      from: { path: '^features/([^/]+)/(server|web|console)/', pathNot: tests },
      to: { path: '^features/[^/]+/(server|web|console)/', pathNot: ['^features/$1/', ...doors] },
    },
    {
      severity: 'error',
      name: 'server-runs-without-tools',
      comment: 'The image holds the packages of "dependencies" only.',
      from: { path: ['^server/', side('server'), shared], pathNot: [tests, ...testing, '^server/security/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'testing-stays-in-tests',
      comment: 'Nothing that runs outside tests imports what is made for tests.',
      from: { pathNot: [tests, ...testing, '(^|/)vitest\\.config\\.ts$'] },
      to: { path: testing },
    },
    {
      severity: 'error',
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or hide a third.',
      from: {},
      to: { circular: true },
    },
    {
      severity: 'error',
      name: 'no-drawer-for-odds-and-ends',
      comment: 'What a file is about is its name: no utils, no helpers.',
      from: {},
      to: { path: '/(utils|helpers)/', pathNot: 'node_modules' },
    },
    {
      severity: 'error',
      name: 'resolvable',
      comment:
        'An import that leads nowhere, or to a package that is not installed; what bench/peers needs is installed apart.',
      from: { pathNot: '^bench/peers/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc', // TypeScript 7 offers no parser to other programs
    tsPreCompilationDeps: true, // an import of a type goes through the same door
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web/dist|e2e/output|bench/out)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
}
