/**
 * `knip` finds what no one uses, and `knip --production` what only tests use: there an export that its own file uses is in
 * use, and `@internal` says of another one that it is for tests.
 */
const withoutTests = process.argv.includes('--production')

export default {
  ignoreExportsUsedInFile: withoutTests || { interface: true, type: true },
  ignoreIssues: {
    'server/platform/db/tables.ts': ['types'],
  },
  ignoreDependencies: ['dependency-cruiser', 'kysely-codegen', 'vnu-jar'],
  ignoreBinaries: [
    'go',
    'java',
    'openssl',
    'pdftotext',
    'unshare',
    'psql',
    'sqlmap',
    'wapiti',
    'ssh-agent',
    'ssh-keygen',
    'ssh-add',
  ],
  entry: [
    'scripts/{,checks/,recipes/}*.mjs!',
    'check/{record-check,attacks}.mjs!',
    'kernel/{,client/}*.ts!',
    'features/*.ts!',
    'features/*/calls.ts!',
    'features/*/calls/*.ts!',
    'features/*/server/**/*.routes.ts!',
    'features/*/web/**/*-screen.tsx!',
    'server/{main,commands/*-main}.ts!',
    'features/uploads/server/upload-thread.ts!',
    'web/{app/main,app/login-picture,app/*-screen,app/wall/wall-main}.tsx!',
    'web/lib/draw-icon.ts!',
    'web/*.ts!',
    'e2e/{film/film,playwright.config,*.spec}.ts',
    'bench/{run,baseline/bare-server,crowd/phones,crowd/listeners,crowd/returning-phones,attack/attacker,hello/hello,cells/cells-run}.ts!',
    'bench/cluster/{up,nodes-run,database-run,centrifugo-run}.ts!',
    'rig/clock-shift.mjs!',
    'faults/{run,clock-steps,upgrade}.ts!',
  ],
  project: [
    '{check,kernel,features,server,web,bench,faults}/**/*.{ts,tsx,mjs,css}!',
    '{e2e,rig,scripts}/**/*.{ts,tsx,mjs,css}',
    '!bench/peers/**',
    '!**/*.{test,fixture}.{ts,tsx}!',
    '!{server,web}/testing/**!',
  ],
}
