import { expect, test } from 'vitest'
import { hasAll } from './install.mjs'

const here = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
const wanted = {
  '': {},
  web: {},
  'node_modules/builder': { version: '2.0.0' },
  'node_modules/@builder/for-this-machine': here,
  'node_modules/@builder/for-another-system': { ...here, os: ['aix'] },
  'node_modules/@builder/for-another-c-library': { ...here, libc: ['another'] },
  'node_modules/@builder/portable': { version: '1.0.0', optional: true },
}
const builder = { version: '2.0.0' }

test('packages are installed anew where the native part for this machine is left out or a version differs', () => {
  const installed = { 'node_modules/builder': builder, 'node_modules/@builder/for-this-machine': { version: '1.0.0' } }

  expect(hasAll(wanted, installed)).toBe(true)
  expect(hasAll(wanted, { 'node_modules/builder': builder })).toBe(false)
  expect(hasAll(wanted, { ...installed, 'node_modules/builder': { version: '1.9.0' } })).toBe(false)
})
