import swc from '@swc/core/Visitor.js'

// The parser reads `await using`, the walker that comes with it does not know it yet.
const { visitStatement } = swc.Visitor.prototype
swc.Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) }
}

const tests = '\\.(test|spec|fixture)\\.tsx?$'
const testing = ['^(server|web)/src/testing/', '\\.fixture\\.tsx?$']

const withoutSchemas =
  '^contract/src/(choices|client/client|command/[a-z-]+|console-rights|console-sentences|limits|link-sentences|log-sentences|needs|record-choices|record-figures|sentences|sms-segments|vocabulary|write-headers)\\.ts$'

/** The folders of a room from the lowest up. Each imports those below it alone. The highest stands on the files beside the folders. */
function storeys(room, folders) {
  return folders.slice(0, -1).map((folder, storey) => ({
    severity: 'error',
    name: `${room}-${folder}-storey`,
    comment: `${folders.join(' → ')}`,
    from: { path: `^${room}/src/${folder}/`, pathNot: [tests, ...testing] },
    to: { path: [...folders.slice(storey + 1).map((above) => `^${room}/src/${above}/`), `^${room}/src/[^/]+$`] },
  }))
}

/** The doors between the rooms, and between the storeys of a room. CONTRIBUTING.md says them in words. */
export default {
  forbidden: [
    {
      severity: 'error',
      name: 'contract-stands-alone',
      comment: 'The contract is read by both sides: it imports typebox only.',
      from: { path: '^contract/', pathNot: tests },
      to: { pathNot: ['^contract/', '^node_modules/typebox/'] },
    },
    {
      severity: 'error',
      name: 'no-schema-in-the-browser',
      comment:
        'The web app names calls by string and takes values from contract files without schemas; the rest: types.',
      from: { path: ['^web/src/', withoutSchemas], pathNot: [tests, ...testing] },
      to: { path: ['^contract/', '/typebox/'], pathNot: withoutSchemas, dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'server-not-to-others',
      comment: 'The server knows the contract, never who calls it. The nodes of its tests are started by the rig.',
      from: { path: '^server/', pathNot: '^server/src/testing/nodes\\.ts$' },
      to: { path: '^(web|e2e|bench|faults|rig)/' },
    },
    {
      severity: 'error',
      name: 'web-not-to-others',
      comment: 'The web app knows the contract, never what answers it.',
      from: { path: '^web/' },
      to: { path: '^(server|e2e|bench|faults|rig)/' },
    },
    {
      severity: 'error',
      name: 'outside-speaks-http',
      comment:
        'Journeys, load scenarios and fault runs import the contract and libraries, and reach the rest by its address. The core of the outbox is shared: it needs no browser.',
      from: { path: '^(e2e|bench|faults|rig)/' },
      to: { path: '^(server|web)/', pathNot: '^web/src/outbox/core/' },
    },
    {
      severity: 'error',
      name: 'outbox-core-without-browser',
      comment: 'The core of the outbox runs on any phone: what it needs is handed in (core/phone.ts).',
      from: { path: '^web/src/outbox/core/' },
      to: { pathNot: ['^web/src/outbox/core/', '^contract/', '^web/src/lib/new-key\\.ts$'] },
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
      'people',
      'console',
      'features',
      'app',
    ]),
    {
      severity: 'error',
      name: 'web-features-apart',
      comment: 'A feature never imports another: app puts two on one page.',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    ...storeys('server', ['platform', 'wardens', 'administrators', 'http', 'realtime', 'features', 'commands']),
    {
      severity: 'error',
      name: 'server-features-by-service',
      comment:
        "A feature uses another feature's service, never its queries or routes; whoever texts gives the queue its receivers as SQL. A test prepares what it needs.",
      from: { path: '^server/src/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^server/src/features/',
        pathNot: ['^server/src/features/$1/', '\\.service\\.ts$', '^server/src/features/sms/queue\\.queries\\.ts$'],
      },
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
