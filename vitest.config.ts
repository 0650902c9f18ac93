import { configDefaults, defineConfig } from 'vitest/config'

/** Long by nature: `npm test` leaves them out, `npm run test:long` runs them. */
const long = { name: 'long', description: 'Takes over ten seconds, and stands for work in bulk' }

const scans = '**/*.scan.test.ts'
const withCentrifugo = '**/*.centrifugo.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          tags: [long],
          environment: 'node',
          fsModuleCache: true,
          include: [
            '{kernel,server,scripts,faults}/**/*.test.ts',
            'features/*/*.test.ts',
            'features/*/{calls,server}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, scans, withCentrifugo],
          globalSetup: ['server/testing/global-setup.ts'],
          // A busy machine may take its time; what is asserted decides, not the clock.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          // Each file has databases of its own; reading the same modules anew for each would cost a fifth of the time.
          isolate: false,
          maxWorkers: 3, // a third of the time is waiting
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        // `npm run test:scan`: foreign programs attack the server, for as long as they take.
        test: {
          name: 'scan',
          environment: 'node',
          include: [scans],
          globalSetup: ['server/testing/global-setup.ts'],
          hookTimeout: 60_000,
          disableConsoleIntercept: true,
        },
      },
      {
        // `npm run test:centrifugo`: against a real Centrifugo, which it builds.
        test: {
          name: 'centrifugo',
          environment: 'node',
          unstubEnvs: true,
          include: [withCentrifugo],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      'web/vitest.config.ts',
    ],
  },
})
